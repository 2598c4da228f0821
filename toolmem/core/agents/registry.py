"""The agents whose hooks toolmem speaks, by name."""

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
"""Every agent that toolmem can be installed for."""


class Dialect(NamedTuple):
    """How an agent's events are read and its answers written."""

    read: Callable[[Mapping[str, Any], str], Event]
    write: Callable[[Event, Answer], Reply]


def dialect_of(agent: str) -> Dialect:
    """The dialect of an agent: only its own module is loaded.

    Raises ``UsageError`` for an agent that is not known.
    """
    if agent not in HOOKED:
        raise UsageError(f"no agent {agent!r}{did_you_mean(agent, HOOKED)}")
    module = import_module(f"toolmem.core.agents.{agent}")
    return Dialect(module.read_event, module.write_answer)
