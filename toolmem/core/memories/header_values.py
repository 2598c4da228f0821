"""Read and write values of a header.

Unquoted text is a number, date, boolean or null only if every reader agrees; what we
write reads the same in YAML 1.1 and 1.2, and so in GitHub, Obsidian and other tools.
"""

import json
import math
import re
from datetime import UTC, date, datetime
from typing import Any

from toolmem.core.memories.header_line import YAML_WORDS, Node, PlainScalar
from toolmem.core.text.textlines import find_unsafe_line
from toolmem.errors import UsageError

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLS = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
# A leading zero or more than 18 digits is an identifier, not a number.
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(
    r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?"
)
_TIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[Tt ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)"
    r" ?([Zz]|[-+][0-9]{2}(?::?[0-9]{2})?)?)?"
)
# Text that needs no quotes: it begins with a letter and has no YAML syntax.
_BARE = re.compile(r"[^\W\d_](?:[\w ./+@()'-]*[\w.)])?")


def value_of(node: Node) -> Any:
    """Convert a node to plain Python: text, bool, number, date, UTC time, None, …"""
    if isinstance(node, PlainScalar):
        return _scalar(node.text)
    if isinstance(node, list):
        return [value_of(item) for item in node]
    if isinstance(node, dict):
        return {key: value_of(item) for key, item in node.items()}
    return node


def parse_time(text: str) -> date | datetime | None:
    """Parse an ISO date or time; a time is returned in UTC, the default offset."""
    match = _TIME.fullmatch(text)
    if not match:
        return None
    day, clock, offset = match.groups()
    try:
        if clock is None:
            return date.fromisoformat(day)
        moment = datetime.fromisoformat(f"{day}T{clock}{(offset or 'Z').upper()}")
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def write_value(value: Any) -> str:
    """Format a value for one line after ``key: ``.

    Accepts text, bool, int, float, date, time (without an offset: UTC), lists and
    tuples of them, and tables that are not empty. Raises ``UsageError`` for anything
    else and for text with invisible or control characters.
    """
    if isinstance(value, str):
        return _write_text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        return _write_float(value)
    if isinstance(value, datetime):
        return in_utc(value).isoformat().replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(write_value(item) for item in value)}]"
    if isinstance(value, dict) and value and all(isinstance(k, str) for k in value):
        pairs = (
            f"{_write_text(key)}: {write_value(item)}" for key, item in value.items()
        )
        return f"{{{', '.join(pairs)}}}"
    raise UsageError(f"a header cannot contain {value!r}")


def in_utc(moment: datetime) -> datetime:
    """Return the time in UTC; a time without an offset is UTC already."""
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _scalar(text: str) -> Any:
    if text in NULLS:
        return None
    if text in _BOOLS:
        return _BOOLS[text]
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        number = float(text)
        return number if math.isfinite(number) else text
    moment = parse_time(text)
    return text if moment is None else moment


def _write_text(text: str) -> str:
    unsafe = find_unsafe_line(text)
    if unsafe:
        raise UsageError(f"a text for the header {unsafe.message}")
    if _BARE.fullmatch(text) and text.casefold() not in YAML_WORDS:
        return text
    return json.dumps(text, ensure_ascii=False)


def _write_float(value: float) -> str:
    """Format a float; YAML 1.1 requires a point before an exponent."""
    text = repr(value)
    return text if "." in text else text.replace("e", ".0e")
