"""``toolmem hook AGENT``: one event in, that agent's own answer out.

A hook runs on every tool call of an agent and must never stop one by a fault of
its own: whatever goes wrong gives no context, exit 0, and a line in the log.
"""

import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from toolmem.core.agents.event import Reply
from toolmem.errors import UsageError
from toolmem.hooks.respond import respond
from toolmem.store import hook_log as log

_SECONDS = 1.8
"""An agent waits for us at each call: after this it goes on without."""
_MOST_BYTES = 16 * 1024 * 1024
"""A payload holds whole files; what is longer is not looked at."""


class TooSlowError(BaseException):
    """The time for one event is over; no ``except Exception`` may swallow it."""


def main(argv: Sequence[str]) -> int:
    """Answer one event; returns the exit code, which is 0 but for one channel."""
    agent, event, vault = "", "", ""
    try:
        agent, event, vault = _arguments(argv)
        with _time_limit():
            reply = respond(agent, _payload(), event, vault)
    except (Exception, TooSlowError, KeyboardInterrupt) as error:
        log.note(agent, event, error)
        reply = Reply()
    return _print(reply)


def _arguments(argv: Sequence[str]) -> tuple[str, str, str]:
    """``AGENT [--event NAME] [--vault FOLDER]``, in any order."""
    words = list(argv)
    found = {"--event": "", "--vault": ""}
    agent = ""
    while words:
        word = words.pop(0)
        name, equals, value = word.partition("=")
        if name in found:
            found[name] = value if equals else (words.pop(0) if words else "")
        elif not agent:
            agent = word
    if not agent:
        raise UsageError("toolmem hook wants an agent: claude, codex, gemini …")
    return agent, found["--event"], found["--vault"]


def _payload() -> dict[str, Any]:
    data = sys.stdin.buffer.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ValueError(f"the event is larger than {_MOST_BYTES} bytes")
    document = json.loads(data.decode("utf-8", "replace"))
    if not isinstance(document, dict):
        raise ValueError("the event is no JSON object")
    return document


@contextmanager
def _time_limit() -> Iterator[None]:
    """Raise ``TooSlowError`` when the time is over (where the system has alarms)."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def over(_number: int, _frame: FrameType | None) -> None:
        raise TooSlowError("slower than the time for one event")

    signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, _SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _print(reply: Reply) -> int:
    try:
        if reply.stdout:
            text = json.dumps(reply.stdout, ensure_ascii=True)
            sys.stdout.buffer.write(text.encode() + b"\n")
            sys.stdout.buffer.flush()
        if reply.stderr:
            sys.stderr.buffer.write(reply.stderr.encode("utf-8", "replace") + b"\n")
            sys.stderr.buffer.flush()
    except OSError:
        # The agent is gone: nobody is left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return reply.exit_code
