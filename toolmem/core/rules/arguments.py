"""Convert a rule's arguments from words and tables to values."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from toolmem.core.model import Priority, Source
from toolmem.core.rules.guard_table import impossible, parse_guards
from toolmem.core.times import parse_moment
from toolmem.errors import Arg, UsageError


def priority_of(text: str) -> Priority:
    """Return the priority of a word; raise ``UsageError`` for another word."""
    try:
        return Priority(text.strip().lower())
    except ValueError:
        raise UsageError(f"no priority {text!r}: critical, high or normal") from None


def source_of(text: str) -> Source:
    """Return the source of a word; raise ``UsageError`` for another word."""
    try:
        return Source(text.strip().lower())
    except ValueError:
        names = ", ".join(source.value for source in Source)
        raise UsageError(f"no source {text!r}: {names}") from None


def checked_guard(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Check a guard table, which denies by default; raise ``UsageError``."""
    guard = {"action": "deny", **given}
    _, problems = parse_guards([guard], path="guard")
    if problems:
        raise UsageError(problems[0].message.replace("guard 1:", "--guard:"))
    for problem in impossible(guard):
        raise UsageError(Arg("guard"), f": {problem}")
    return guard


def time_of(text: str) -> datetime | None:
    """Return the time of an RFC 3339 text, None for an empty one."""
    moment = parse_moment(text) if text else None
    if text and moment is None:
        raise UsageError(f"created_at: {text!r:.60} is not a time (RFC 3339)")
    return moment
