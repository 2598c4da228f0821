"""``toolmem hook AGENT``: one event in, that agent's own answer out.

A hook runs on every tool call of an agent and must never stop one by a fault of
its own: whatever goes wrong gives no context, exit 0, and a line in the log. A call
that was not judged is not let through in silence: ``late`` decides.
"""

import json
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolmem.core import hook_limits
from toolmem.core.agents.event import BEFORE_TOOL, PROMPT, Event, Reply
from toolmem.core.agents.registry import dialect_of
from toolmem.core.on_demand import OnDemand
from toolmem.errors import NoVaultError, StorageError, UsageError
from toolmem.hooks.supervise import Given, Send, print_reply, supervised
from toolmem.store.files.timeouts import hurry
from toolmem.store.state.hook_log import note
from toolmem.store.state.verdict_log import SLOW, count

if TYPE_CHECKING:
    from toolmem.hooks import late, respond
    from toolmem.ops.capture import pending_messages
else:
    # What cannot be loaded must not stop the agent either.
    late = OnDemand("toolmem.hooks.late")
    respond = OnDemand("toolmem.hooks.respond")
    pending_messages = OnDemand("toolmem.ops.capture.pending_messages")


def main(argv: Sequence[str]) -> int:
    """Answer one event; returns the exit code, which is 0 but for one channel."""
    return print_reply(supervised(argv, work, _too_late))


def work(given: Given, send: Send) -> None:
    """Answer an event in this process."""
    begun = time.monotonic()
    agent, name, event = "", "", None
    try:
        hurry()
        agent, name, vault = arguments(given.argv)
        dialect = dialect_of(agent)
        event = dialect.read(payload_of(given.data), name)
        reply = dialect.write(event, respond.respond(event, vault))
    except (Exception, KeyboardInterrupt) as error:
        reply = Reply()
        _failed(agent, name, event, error)
    send(reply)
    took = time.monotonic() - begun
    if took > hook_limits.SLOW_SECONDS and event and event.kind == BEFORE_TOOL:
        count(SLOW, agent, event.name, event.cwd, took)


def _too_late(given: Given, send: Send) -> None:
    late.answer(given, send)


def arguments(argv: Sequence[str]) -> tuple[str, str, str]:
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


def payload_of(data: bytes) -> dict[str, Any]:
    """The JSON object of an event; ``ValueError`` for any other text."""
    document = json.loads(data.decode("utf-8", "replace"))
    if not isinstance(document, dict):
        raise ValueError("the event is no JSON object")
    return document


def _failed(agent: str, name: str, event: Event | None, error: BaseException) -> None:
    """Log what went wrong, and let a message of the user wait."""
    note(agent, event.name if event else name, error)
    if type(error) is not NoVaultError and event is not None:
        keep_message(event)


def keep_message(event: Event) -> None:
    """Let a message that the user typed wait for the next hook."""
    if event.kind == PROMPT and event.typed:
        folder = Path(event.cwd or os.curdir).absolute()
        with suppress(StorageError, OSError):
            message = pending_messages.message_of(event)
            pending_messages.keep_for_later(folder, message, outside=True)
