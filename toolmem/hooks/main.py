"""``toolmem hook AGENT``: one event in, that agent's own answer out.

A hook runs on every tool call of an agent and must never stop one by a fault of
its own: whatever goes wrong gives no context, exit 0, and a line in the log.
"""

import json
import os
import sys
import time
from _thread import start_new_thread
from collections.abc import Sequence
from typing import Any

from toolmem.core import hook_limits
from toolmem.core.agents.event import PROMPT, Event, Reply
from toolmem.core.agents.registry import dialect_of, sender
from toolmem.errors import NoVaultError, ToolmemError, UsageError
from toolmem.hooks import respond
from toolmem.ops.capture import pending_messages
from toolmem.store.files.timeouts import use_hook_timeouts
from toolmem.store.journal.hook_log import note

_MOST_BYTES = 16 * 1024 * 1024
"""A payload holds whole files; what is longer is not looked at."""


class _Run:
    """One event in progress: what is known of it when something goes wrong.

    ``ended`` says that its answer is being printed.
    """

    def __init__(self) -> None:
        self.agent = ""
        self.name = ""
        self.vault = ""
        self.event: Event | None = None
        self.ended = False

    def failed(self, error: BaseException) -> Reply:
        """Log what went wrong and store the user's message for later.

        The reply says so if the message cannot be stored.
        """
        event = self.event
        note(self.agent, event.name if event else self.name, error)
        if type(error) is NoVaultError or event is None:
            return Reply()
        answer = respond.fault_answer(event, error)
        if event.kind == PROMPT and event.typed:
            try:
                pending_messages.keep_for_later(event, flag=self.vault)
            except (ToolmemError, OSError) as refused:
                answer = pending_messages.not_saved(event, str(refused))
        return dialect_of(self.agent).write(event, answer)


def main(argv: Sequence[str]) -> int:
    """Answer one event; returns the exit code, which is 0 but for one channel."""
    run = _Run()
    start_new_thread(_stop_in_time, (run,))
    try:
        reply = _reply(run, argv)
    except (Exception, KeyboardInterrupt) as error:
        reply = run.failed(error)
    run.ended = True
    return _print(reply)


def _reply(run: _Run, argv: Sequence[str]) -> Reply:
    use_hook_timeouts()
    run.agent, run.name, run.vault = _arguments(argv)
    payload = _payload()
    run.agent = sender(run.agent, payload)
    dialect = dialect_of(run.agent)
    run.event = event = dialect.read(payload, run.name)
    return dialect.write(event, respond.respond(event, run.vault))


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


def _stop_in_time(run: _Run) -> None:
    """End the process when the time for one event is over.

    A thread does it, for the main one may wait inside a library or a disk.
    """
    time.sleep(hook_limits.SECONDS)
    if not run.ended:
        reply = run.failed(TimeoutError(f"no answer within {hook_limits.SECONDS} s"))
        if not run.ended:
            run.ended = True
            os._exit(_print(reply))


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
