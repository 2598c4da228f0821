"""Handle one event within a time limit that nothing can exceed.

The work runs in a child process. A regular expression that blocks the interpreter, a
read that never returns or a crash in a library stops only the child: the parent waits,
ends it, and lets ``late`` answer, in a child as well. If that gives no answer either, a
call gets the one that the parent prepared when the first child was slow. If processes
cannot be forked (on Windows, or without free ones) a thread watches, which cannot
interrupt an extension module.

The parent forks before it imports what answers an event: pages that only the child
fills need no copy. So it does without ``collections``, ``contextlib`` and ``signal``.
"""

import _signal  # type: ignore[import-not-found]
import os
import select
import sys
import time
from _collections_abc import Callable, Sequence
from _thread import LockType, allocate_lock, start_new_thread
from typing import NamedTuple, NoReturn

from toolmem.core import hook_limits
from toolmem.core.agents import event as events
from toolmem.hooks import rendering
from toolmem.hooks.output import Output, last_output

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

    It is appended to ``data``, which has what came before.
    """
    while len(data) <= hook_limits.SCAN_BYTES:
        if sys.platform != "win32":
            ready = select.select([0], [], [], max(0.0, deadline - time.monotonic()))
            if not ready[0]:
                return HookInput(argv, bytes(data), whole=False, ended=False)
        chunk = os.read(0, _CHUNK)
        if not chunk:
            whole = len(data) <= hook_limits.READ_BYTES
            return HookInput(argv, bytes(data), whole, ended=True)
        data += chunk
    return HookInput(argv, bytes(data), whole=False, ended=False)


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
    return rendering.output_of(last), begun + seconds


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
    try:
        os.kill(child.process, _signal.SIGKILL)
        os.waitpid(child.process, 0)
    except OSError:
        pass
    return last_output(child.answers)


def _work(work: Work, given: HookInput, writing: int) -> NoReturn:
    """Do the work in the child, which has nothing of the agent's but the pipe."""

    def send(reply: "events.Reply") -> None:
        try:  # noqa: SIM105
            os.write(writing, rendering.output_of(reply).framed())
        except OSError:
            pass

    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in _STANDARD:
            os.dup2(nothing, stream)
        _signal.alarm(hook_limits.AFTER_SECONDS)
        work(given, send)
    finally:
        os._exit(0)


def _watched(given: HookInput, begun: float, steps: Steps) -> Output:
    """The same with a thread as the watch, which ends the process with its reply."""
    last, deadline = _fallback(given, begun, steps)
    found: list[Output] = []
    ended: list[bool] = []

    def send(reply: "events.Reply") -> None:
        found.append(rendering.output_of(reply))

    def watch() -> None:
        time.sleep(max(0.0, deadline - time.monotonic()))
        if ended:
            return
        answered = allocate_lock()
        answered.acquire()
        start_new_thread(answer_late, (answered,))
        answered.acquire(timeout=hook_limits.LATE_SECONDS)
        if not ended:
            os._exit(print_output(found[-1] if found else last))

    def answer_late(answered: LockType) -> None:
        try:
            steps.late(given, send)
        finally:
            answered.release()

    start_new_thread(watch, ())
    (steps.work if given.whole else steps.late)(given, send)
    ended.append(True)
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
