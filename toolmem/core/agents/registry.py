"""The agents whose hooks toolmem speaks, by name."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from toolmem.core.agents import claude, codex, copilot, cursor, gemini, opencode
from toolmem.core.agents.event import Answer, Event, Reply


class Dialect(NamedTuple):
    """How an agent's events are read and its answers written."""

    read: Callable[[Mapping[str, Any], str], Event]
    write: Callable[[Event, Answer], Reply]


AGENTS = {
    "claude": Dialect(claude.read_event, claude.write_answer),
    "codex": Dialect(codex.read_event, codex.write_answer),
    "gemini": Dialect(gemini.read_event, gemini.write_answer),
    "cursor": Dialect(cursor.read_event, cursor.write_answer),
    "copilot": Dialect(copilot.read_event, copilot.write_answer),
    "opencode": Dialect(opencode.read_event, opencode.write_answer),
}
