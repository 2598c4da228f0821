"""Format values in one line of text."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from toolmem.core import times
from toolmem.core.model import ANY_TOOL
from toolmem.core.text.safetext import spell_out


def counted(number: int, what: str) -> str:
    """Count something by its singular: ``1 memory``, ``2 memories``."""
    if number == 1:
        return f"1 {what}"
    is_plain = not what.endswith("y") or what[-2] in "aeiou"
    return f"{number} {what}s" if is_plain else f"{number} {what[:-1]}ies"


def first_few(texts: Sequence[str], most: int) -> list[str]:
    """Return texts, of more than ``most`` the first and how many more there are."""
    if len(texts) <= most:
        return list(texts)
    return [*texts[: most - 1], f"and {len(texts) - most + 1} more"]


def tool_label(tool: str) -> str:
    """A tool as people call it."""
    return "every tool" if tool == ANY_TOOL else tool


def show(value: Any) -> str:
    """Format a value in one line of text.

    A truth value is written as in TOML and YAML, a moment in local time.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        return times.local_time(value)
    if isinstance(value, list | tuple):
        return ", ".join(show(item) for item in value)
    return spell_out(str(value).replace("\n", " "))
