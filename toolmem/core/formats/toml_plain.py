"""Read the TOML that toolmem writes itself, without a full parser.

A rule file is nearly always a few lines of ``key = value`` with plain texts, lists of
texts, times and flags. Reading a thousand of them dominates the time of a prompt: 21 ms
here, 55 ms with ``tomllib``, which also takes 3 to 17 ms to import. Anything else
(escapes, nested tables, comments after a value, other numbers) is left to ``tomllib``,
and a test compares the two.
"""

import re
from datetime import datetime
from typing import Any

from toolmem.core.lazy_pattern import lazy_pattern

# No escapes except quotes and backslashes, no control character but the tab.
_TEXT = r'"(?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\["\\])*"'
_LINE = lazy_pattern(
    rf"([A-Za-z0-9_-]+) = (?:({_TEXT})|(true|false)|(\[(?:{_TEXT}(?:, {_TEXT})*)?\])"
    r"|(\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\dZ)|(0|[1-9]\d{0,8}))",
    re.ASCII,
)
_HEADER = lazy_pattern(r"\[\[([A-Za-z0-9_-]+)\]\]")
_ITEM = lazy_pattern(_TEXT)


class _Tables(list[dict[str, Any]]):
    """A list that headers made: one written as a value cannot be extended."""


def parse_plain(text: str) -> dict[str, Any] | None:
    """Return the table of a plain file, or None if it needs the full parser."""
    top: dict[str, Any] = {}
    table = top
    for line in text.split("\n"):
        if not line or (line[0] == "#" and line.isprintable()):
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            opened = _open_table(top, line)
            if opened is None:
                return None
            table = opened
            continue
        key = found[1]
        if key in table:
            return None
        value = _value(found)
        if value is None:
            return None
        table[key] = value
    return top


def _value(found: re.Match[str]) -> Any:
    _, text, flag, items, moment, number = found.groups()
    if text is not None:
        return _unquoted(text)
    if items is not None:
        return [_unquoted(item) for item in _ITEM.findall(items)]
    if moment is not None:
        try:
            return datetime.fromisoformat(moment)
        except ValueError:
            return None
    return int(number) if number is not None else flag == "true"


def _unquoted(text: str) -> str:
    if "\\" not in text:
        return text[1:-1]
    return re.sub(r'\\(["\\])', r"\1", text[1:-1])


def _open_table(top: dict[str, Any], line: str) -> dict[str, Any] | None:
    header = _HEADER.fullmatch(line)
    if header is None:
        return None
    tables = top.setdefault(header[1], _Tables())
    if not isinstance(tables, _Tables):
        return None
    table: dict[str, Any] = {}
    tables.append(table)
    return table
