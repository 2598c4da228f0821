"""Parse the input of a hook, and store a message if its event fails."""

import json
from collections.abc import Sequence
from typing import Any

from toolmem.core.agents.event import PROMPT, Event, Reply
from toolmem.core.agents.registry import dialect_of
from toolmem.errors import ToolmemError, UsageError
from toolmem.ops.capture import pending_messages
from toolmem.store.warm import client


def arguments(argv: Sequence[str]) -> tuple[str, str, str]:
    """Parse ``AGENT [--event NAME] [--vault FOLDER]``, in any order."""
    words = list(argv)
    values = {"--event": "", "--vault": ""}
    agent = ""
    while words:
        word = words.pop(0)
        name, equals, value = word.partition("=")
        if name in values:
            values[name] = value if equals else (words.pop(0) if words else "")
        elif not agent and not name.startswith("-"):
            agent = word
    if not agent:
        raise UsageError("toolmem hook requires an agent: claude, codex, gemini …")
    return agent, values["--event"], values["--vault"]


def warm_word(argv: Sequence[str]) -> str | None:
    """Return the id that a client gave the event, or nothing if none was asked.

    None for a hook that uses no helper.
    """
    options = (word.partition("=") for word in argv if word.startswith("-"))
    named = [value for name, _, value in options if name == client.FLAG]
    return max(named) if named else None


def payload_of(data: bytes) -> dict[str, Any]:
    """Return the JSON object of an event; raise ``ValueError`` for any other text."""
    document = json.loads(data.decode("utf-8", "replace"))
    if not isinstance(document, dict):
        raise ValueError("the event is not a JSON object")
    return document


def keep_message(event: Event, vault: str) -> Reply:
    """Store a message that the user typed for the next hook.

    The reply says so if it cannot be stored; it is empty for any other event.
    """
    if event.kind != PROMPT or not event.typed:
        return Reply()
    try:
        pending_messages.keep_for_later(event, flag=vault)
    except (ToolmemError, OSError) as refused:
        notice = pending_messages.not_saved(event, refused)
        return dialect_of(event.agent).write(event, notice)
    return Reply()
