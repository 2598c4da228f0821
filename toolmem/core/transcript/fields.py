"""Convert transcript values of unknown type, without errors."""

import json
import math
import re
from datetime import UTC, datetime
from typing import Any

from toolmem.core import limits

_UNSAFE = re.compile("[\x00\ud800-\udfff]")
_TEXT_KEYS = ("text", "content", "output", "value")
_FLATTEN_DEPTH = 4
_MILLISECONDS_FROM = 1e11


def clean(value: str) -> str:
    """Replace NULs and lone surrogates, so that the text can be stored as UTF-8."""
    return _UNSAFE.sub("\ufffd", value)


def text(value: object) -> str:
    """Return a cleaned string; the empty string for other types."""
    return clean(value) if isinstance(value, str) else ""


def mapping(value: object) -> dict[str, Any]:
    """Return a JSON object; an empty one for other types."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """Return a JSON list; an empty one for other types."""
    return value if isinstance(value, list) else []


def first_text(source: dict[str, Any], *keys: str) -> str:
    """Return the first of these keys' values that is a text and not blank."""
    for key in keys:
        value = source.get(key)
        if isinstance(value, str) and value.strip():
            return clean(value)
    return ""


def integer(value: object) -> int | None:
    """Return a whole number; None for booleans, NaN and infinities."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if math.isfinite(value) else None
    return value if isinstance(value, int) else None


def milliseconds(value: object, factor: float = 1.0) -> int | None:
    """Return a duration: ``value`` times ``factor`` milliseconds, None if negative."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        result = int(value * factor)
    except (OverflowError, ValueError):
        return None
    return result if result >= 0 else None


def moment(value: object) -> datetime | None:
    """Parse a time in UTC: ISO 8601, or seconds or milliseconds of Unix time."""
    try:
        if isinstance(value, str):
            parsed = datetime.fromisoformat(value)
            zoned = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
            return zoned.astimezone(UTC)
        number = integer(value)
        if number is None:
            return None
        seconds = number / 1000 if number > _MILLISECONDS_FROM else number
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def flatten(value: object, depth: int = _FLATTEN_DEPTH) -> str:
    """Return all text in a string, a block or a list of blocks, one block a line."""
    if isinstance(value, str):
        return clean(value)
    if depth == 0:
        return ""
    if isinstance(value, list):
        return "\n".join(filter(None, (flatten(part, depth - 1) for part in value)))
    if isinstance(value, dict):
        for key in _TEXT_KEYS:
            if value.get(key) is not None:
                return flatten(value[key], depth - 1)
    return ""


def names(value: object) -> tuple[str, ...]:
    """Return tool names from a list of names or of definitions."""
    found = []
    for part in items(value):
        inner = mapping(mapping(part).get("function")) or mapping(part)
        found.append(text(part) or text(inner.get("name")))
    return tuple(filter(None, found))


def capped(value: str) -> str:
    """Cut a long tool output to its head and tail."""
    limit = limits.TOOL_OUTPUT_CHARS
    if len(value) <= limit:
        return value
    head = limit * 3 // 4
    return f"{value[:head]}\n…\n{value[head - limit :]}"


def json_value(value: str) -> Any:
    """Parse JSON; None if it is invalid or nested too deeply."""
    try:
        return json.loads(value, strict=False)
    except (ValueError, RecursionError):
        return None


def arguments(value: object) -> dict[str, Any]:
    """Return arguments from an object or JSON text; other text is ``input``."""
    if isinstance(value, str) and value:
        found = json_value(value) if value.lstrip()[:1] == "{" else None
        return found if isinstance(found, dict) else {"input": value}
    return mapping(value)


def bounded(value: Any, depth: int = limits.TOOL_ARG_DEPTH) -> Any:
    """Limit a JSON value: cleaned, cut strings and no deep nesting."""
    if isinstance(value, str):
        return clean(value[: limits.TOOL_ARG_CHARS])
    if isinstance(value, dict):
        if depth == 0:
            return {}
        return {clean(key): bounded(part, depth - 1) for key, part in value.items()}
    if isinstance(value, list):
        return [bounded(part, depth - 1) for part in value] if depth else []
    return value
