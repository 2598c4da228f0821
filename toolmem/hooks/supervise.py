"""Handle one event within a time limit that nothing can exceed.

The work runs in a child process. A regular expression that blocks the interpreter, a
read that never returns or a crash in a library stops only the child: the parent waits,
ends it, and lets ``late`` answer, in a child as well. If that gives no answer either, a
call gets the one that the parent made before. If processes cannot be forked (on
Windows, or without free ones) a thread watches, which cannot interrupt an extension
module.
"""

import json
import os
import select
import signal
import sys
import time
from _thread import LockType, allocate_lock, start_new_thread
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NoReturn

from toolmem.core import hook_limits
from toolmem.core.agents.event import Reply
from toolmem.core.named_tuple import NamedTuple

_CHUNK = 1 << 16
_STANDARD = (0, 1, 2)


class Given(NamedTuple):
    """Input from an agent: the command line and the standard input.

    ``ended`` is false if there is more input than came in time or may be scanned,
    ``whole`` also if it is too long to be read as JSON, or not JSON.
    """

    argv: Sequence[str]
    data: bytes
    whole: bool
    ended: bool


Send = Callable[[Reply], None]
Work = Callable[[Given, Send], None]
"""Answers an event, once or more often: the last answer counts."""
Unjudged = Callable[[Given], Reply | None]
"""The reply to a call that nothing judges; None for any other event."""


def supervised(
    argv: Sequence[str], work: Work, late: Work, unjudged: Unjudged
) -> Reply:
    """Return the reply of ``work``, or of ``late`` if that ran out of time or died.

    If ``late`` gives none in time either, it is that of ``unjudged``.
    """
    begun = time.monotonic()
    data = bytearray()
    deadline = begun + hook_limits.CALL_SECONDS
    given = _read_input(argv, data, deadline)
    last = unjudged(given)
    if last is None:  # not a call, or not yet known as one
        deadline = begun + hook_limits.SECONDS
        if not given.ended:
            given = _read_input(argv, data, deadline)
            last = unjudged(given)
    if not hasattr(os, "fork"):
        return _watched(given, deadline, work, late, last)
    try:
        reply = _in_child(work, given, deadline) if given.whole else None
        if reply is None:
            end = max(deadline, time.monotonic()) + hook_limits.LATE_SECONDS
            reply = _in_child(late, given, end, detached=True)
    except BlockingIOError:  # no more processes
        return _watched(given, deadline, work, late, last)
    return reply or last or Reply()


def _read_input(argv: Sequence[str], data: bytearray, deadline: float) -> Given:
    """Read the rest of the standard input that comes in time and may be scanned.

    It is appended to ``data``, which has the previous input.
    """
    while len(data) <= hook_limits.SCAN_BYTES:
        if sys.platform != "win32":
            ready = select.select([0], [], [], max(0.0, deadline - time.monotonic()))
            if not ready[0]:
                return Given(argv, bytes(data), whole=False, ended=False)
        chunk = os.read(0, _CHUNK)
        if not chunk:
            whole = len(data) <= hook_limits.READ_BYTES
            return Given(argv, bytes(data), whole, ended=True)
        data += chunk
    return Given(argv, bytes(data), whole=False, ended=False)


def _in_child(
    work: Work, given: Given, deadline: float, *, detached: bool = False
) -> Reply | None:
    """Return the last reply of a child process in time; None if it gave none.

    A ``detached`` child may continue after its last reply.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _work(work, given, writing)
    os.close(writing)
    found = _replies(reading, deadline)
    os.close(reading)
    if found.ended or not detached:
        with suppress(OSError):
            if not found.ended:
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return found.reply


class _Found(NamedTuple):
    """The last complete reply, and whether the other side has closed the pipe."""

    reply: Reply | None
    ended: bool


def _replies(reading: int, deadline: float) -> _Found:
    data = b""
    while True:
        left = max(0.0, deadline - time.monotonic())
        if not select.select([reading], [], [], left)[0]:
            return _Found(_last_reply(data), ended=False)
        chunk = os.read(reading, _CHUNK)
        if not chunk:
            return _Found(_last_reply(data), ended=True)
        data += chunk


def _last_reply(data: bytes) -> Reply | None:
    lines = data.split(b"\n")[:-1]
    return Reply(*json.loads(lines[-1])) if lines else None


def _work(work: Work, given: Given, writing: int) -> NoReturn:
    """Do the work in the child, in which only the pipe is left of the agent's files."""

    def send(reply: Reply) -> None:
        with suppress(OSError):
            os.write(writing, json.dumps(reply).encode() + b"\n")

    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in _STANDARD:
            os.dup2(nothing, stream)
        signal.alarm(hook_limits.AFTER_SECONDS)
        work(given, send)
    finally:
        os._exit(0)


def _watched(
    given: Given, deadline: float, work: Work, late: Work, last: Reply | None
) -> Reply:
    """Do the same with a watching thread, which ends the process with its reply."""
    replies: list[Reply] = []
    ended: list[bool] = []

    def watch() -> None:
        time.sleep(max(0.0, deadline - time.monotonic()))
        if ended:
            return
        answered = allocate_lock()
        answered.acquire()
        start_new_thread(answer_late, (answered,))
        answered.acquire(timeout=hook_limits.LATE_SECONDS)
        if not ended:
            os._exit(print_reply(replies[-1] if replies else last or Reply()))

    def answer_late(answered: LockType) -> None:
        try:
            late(given, replies.append)
        finally:
            answered.release()

    start_new_thread(watch, ())
    (work if given.whole else late)(given, replies.append)
    ended.append(True)
    return replies[-1] if replies else last or Reply()


def print_reply(reply: Reply) -> int:
    """Print the reply for an agent; return the exit code."""
    try:
        if reply.stdout:
            text = json.dumps(reply.stdout, ensure_ascii=True)
            sys.stdout.buffer.write(text.encode() + b"\n")
            sys.stdout.buffer.flush()
        if reply.stderr:
            sys.stderr.buffer.write(reply.stderr.encode("utf-8", "replace") + b"\n")
            sys.stderr.buffer.flush()
    except OSError:
        # The agent is gone: no one reads the output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return reply.exit_code
