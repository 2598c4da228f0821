"""Handle one event within a time limit that nothing can exceed.

The work runs in a child process. A regular expression that blocks the interpreter, a
read that never returns or a crash in a library stops only the child: the parent waits,
ends it, and lets ``late`` answer, in a child as well. If that gives no answer either, a
call gets the one that the parent prepared when the first child was slow. If processes
cannot be forked (on Windows, or without free ones) a thread watches, which cannot
interrupt an extension module.

The parent forks before it imports what answers an event: pages that only the child
fills need no copy.
"""

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Thread
from typing import NamedTuple, NoReturn

from toolmem.core import hook_limits
from toolmem.core.agents import event as events
from toolmem.hooks import output
from toolmem.hooks.output import Output, last_output
from toolmem.store.warm import client

_CHUNK = 1 << 16
_STANDARD = (0, 1, 2)


class HookInput(NamedTuple):
    """What an agent handed over: the command line and the standard input.

    ``ended`` is false where there is more input than came in time or may be scanned,
    ``whole`` also where it is too long to be read as JSON, or no JSON.
    """

    argv: Sequence[str]
    data: bytes
    whole: bool
    ended: bool


Send = Callable[["events.Reply"], None]
Work = Callable[[HookInput, Send], None]
"""Answers an event, once or more often: the last answer is the one that counts."""


class Steps(NamedTuple):
    """Ways to an answer, in their order.

    ``unjudged`` gives the reply to a call that nothing judges; None for any other
    event.
    """

    work: Work
    late: Work
    unjudged: "Callable[[HookInput], events.Reply | None]"


def supervised(argv: Sequence[str], steps: Steps) -> Output:
    """The answer of ``work``, or of ``late`` when that ran out of time or died.

    When ``late`` gives none in its own time, it is that of ``unjudged``.
    """
    begun = time.monotonic()
    data = bytearray()
    given = _read_input(argv, data, begun + hook_limits.CALL_SECONDS)
    if not given.ended and steps.unjudged(given) is None:  # not yet known as a call
        given = _read_input(argv, data, begun + hook_limits.SECONDS)
    if hasattr(os, "fork"):
        try:
            return _in_children(given, begun, steps)
        except BlockingIOError:
            pass  # no more processes
    return _watched(given, begun, steps)


def _read_input(argv: Sequence[str], data: bytearray, deadline: float) -> HookInput:
    """The rest of the standard input, as much as comes in time and may be scanned.

    It is appended to ``data``, which has what came before. A client that has read a
    part of it names the descriptor with the rest.
    """
    for stream in (0, *_rest(argv)):
        while True:
            left = max(0.0, deadline - time.monotonic())
            if sys.platform != "win32" and not select.select([stream], [], [], left)[0]:
                return HookInput(argv, bytes(data), whole=False, ended=False)
            chunk = os.read(stream, _CHUNK)
            if not chunk:
                break
            data += chunk
            if len(data) > hook_limits.SCAN_BYTES:
                return HookInput(argv, bytes(data), whole=False, ended=False)
    whole = len(data) <= hook_limits.READ_BYTES
    return HookInput(argv, bytes(data), whole, ended=True)


def _rest(argv: Sequence[str]) -> list[int]:
    words = (word.partition("=") for word in argv)
    return [
        int(value)
        for name, _, value in words
        if value.isdigit() and name == client.REST
    ]


def _in_children(given: HookInput, begun: float, steps: Steps) -> Output:
    child = _start(steps.work, given) if given.whole else None
    if child and _wait(child, time.monotonic() + hook_limits.QUICK_SECONDS):
        found = _end(child)
        if found is not None:
            return found
        child = None
    last, deadline = _fallback(given, begun, steps)
    if child:
        _wait(child, deadline)
        found = _end(child)
        if found is not None:
            return found
    child = _start(steps.late, given)
    end = max(deadline, time.monotonic()) + hook_limits.LATE_SECONDS
    # It may go on after its last answer: then it is not waited for.
    found = _end(child) if _wait(child, end) else last_output(child.answers)
    os.close(child.reading)
    return found or last


def _fallback(given: HookInput, begun: float, steps: Steps) -> tuple[Output, float]:
    """The answer when nothing else gives one, and the end of the time for ``work``."""
    last = steps.unjudged(given)
    seconds = hook_limits.SECONDS if last is None else hook_limits.CALL_SECONDS
    return output.output_of(last), begun + seconds


class _Child(NamedTuple):
    """A process that answers, the pipe that it writes to, and what came of it."""

    process: int
    reading: int
    answers: bytearray


def _start(work: Work, given: HookInput) -> _Child:
    reading, writing = os.pipe()
    try:
        process = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        raise
    if process == 0:
        os.close(reading)
        _work(work, given, writing)
    os.close(writing)
    return _Child(process, reading, bytearray())


def _wait(child: _Child, deadline: float) -> bool:
    """Read what a child answers; False if it has not ended in time."""
    while True:
        left = max(0.0, deadline - time.monotonic())
        if not select.select([child.reading], [], [], left)[0]:
            return False
        chunk = os.read(child.reading, _CHUNK)
        if not chunk:
            return True
        child.answers.extend(chunk)


def _end(child: _Child) -> Output | None:
    """End a child; its last answer, if it gave one."""
    with suppress(OSError):
        os.kill(child.process, signal.SIGKILL)
        os.waitpid(child.process, 0)
    return last_output(child.answers)


def _work(work: Work, given: HookInput, writing: int) -> NoReturn:
    """Do the work in the child, which has nothing of the agent's but the pipe."""

    def send(reply: "events.Reply") -> None:
        with suppress(OSError):
            os.write(writing, output.output_of(reply).framed())

    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (*_STANDARD, *_rest(given.argv)):
            os.dup2(nothing, stream)
        signal.alarm(hook_limits.AFTER_SECONDS)
        work(given, send)
    finally:
        os._exit(0)


def _watched(given: HookInput, begun: float, steps: Steps) -> Output:
    """The same with threads, which the end of the process ends."""
    last, deadline = _fallback(given, begun, steps)
    found: list[Output] = []

    def send(reply: "events.Reply") -> None:
        found.append(output.output_of(reply))

    seconds = (deadline - time.monotonic(), hook_limits.LATE_SECONDS)
    works = (steps.work, steps.late) if given.whole else (steps.late,)
    for work, left in zip(works, seconds, strict=False):
        thread = Thread(target=work, args=(given, send), daemon=True)
        thread.start()
        thread.join(max(0.0, left))
        if found and not thread.is_alive():
            break
    return found[-1] if found else last


def print_output(output: Output) -> int:
    """Print what an agent gets; the exit code."""
    try:
        if output.stdout:
            sys.stdout.buffer.write(output.stdout)
            sys.stdout.buffer.flush()
        if output.stderr:
            sys.stderr.buffer.write(output.stderr)
            sys.stderr.buffer.flush()
    except OSError:
        # The agent is gone: there is no one to print for.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return output.exit_code
