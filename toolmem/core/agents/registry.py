"""Agents that toolmem supports, by name."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from toolmem.core.agents.event import Answer, Event, Reply
from toolmem.core.named_tuple import NamedTuple
from toolmem.core.text.suggest import did_you_mean
from toolmem.errors import UsageError

HOOKED = ("claude", "codex", "gemini", "cursor", "copilot", "opencode")
"""Agents that run toolmem as a hook."""
AGENTS = (*HOOKED, "goose")
"""Agents that toolmem can be installed for."""


class Dialect(NamedTuple):
    """Reader of an agent's events and writer of its answers."""

    read: Callable[[Mapping[str, Any], str], Event]
    write: Callable[[Event, Answer], Reply]


def dialect_of(agent: str) -> Dialect:
    """Return the dialect of an agent; only that agent's module is loaded.

    Raises ``UsageError`` for an unknown agent.
    """
    if agent not in HOOKED:
        raise UsageError(f"no agent {agent!r}{did_you_mean(agent, HOOKED)}")
    module = import_module(f"toolmem.core.agents.{agent}")
    read = _read_hook_of_claude if agent == "claude" else module.read_event
    return Dialect(read, module.write_answer)


def _read_hook_of_claude(payload: Mapping[str, Any], name: str = "") -> Event:
    """Read an event sent to a hook in the settings of Claude Code.

    Copilot runs those hooks, too; Claude Code's events name a transcript and no time.
    """
    timed = "timestamp" in payload
    copilots = timed and ("transcript_path" not in payload or "stop_reason" in payload)
    sender = "copilot" if copilots else "claude"
    event: Event = import_module(f"toolmem.core.agents.{sender}").read_event(
        payload, name
    )
    return event
