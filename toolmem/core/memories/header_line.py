"""Read one line of a header without a YAML parser.

Loading the parser takes longer than reading a hundred memories, and nearly all lines of
headers are plain: a key and a word, a date, some quoted text or a list of them. Any
other line is left to the parser, and a test compares the two.
"""

import re
from functools import lru_cache
from typing import Any, NamedTuple

YAML_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
"""Words that YAML 1.1 or 1.2 does not read as text."""
_ITEM = re.compile(
    r'[^\W\d_](?:[\w ./+@()-]*[\w.)])?|[0-9](?:[0-9TZ:.-]*[0-9Z])?|"[^"\\\n]*"'
)
_KEY_CHARS = 100
_SHORT_LINE = 100
"""Characters of a line that is remembered: tags and dates recur, long texts do not."""


class PlainScalar(NamedTuple):
    """A scalar without quotes, to be interpreted by ``value_of``."""

    text: str


Node = PlainScalar | str | list[Any] | dict[str, Any]
"""Value of a key: quoted text is a ``str``, lists and tables contain nodes."""
Spot = tuple[int, int]
"""Line and column in the header, both from 0."""


class HeaderEntry(NamedTuple):
    """One key of a header and its position; ``end`` is after its last value.

    A block scalar (``|`` or ``>``) ends in column 0 of the line below it.
    """

    node: Node
    key_start: Spot
    key_end: Spot
    start: Spot
    end: Spot


def read_line(line: str, number: int) -> tuple[str, HeaderEntry] | None:
    """Return key and value of a plain line of a header; None for any other.

    A line that begins with a key ends the value above it. Nothing changes an entry:
    equal lines may have the same one.
    """
    return (_remembered if len(line) <= _SHORT_LINE else _read)(line, number)


def _read(line: str, number: int) -> tuple[str, HeaderEntry] | None:
    key, _, value = line.partition(": ")
    if not value or not line.isprintable() or not _is_plain_key(key):
        return None
    node = _list(value) if value[0] == "[" else _scalar(value)
    if node is None:
        return None
    key_end, start = (number, len(key)), (number, len(key) + 2)
    return key, HeaderEntry(node, (number, 0), key_end, start, (number, len(line)))


_remembered = lru_cache(maxsize=1024)(_read)


def _is_plain_key(key: str) -> bool:
    return (
        key.isascii()
        and key.replace("-", "_").isidentifier()
        and key[0] != "-"
        and len(key) <= _KEY_CHARS
        and key.casefold() not in YAML_WORDS
    )


def _scalar(value: str) -> Node | None:
    return _node(value) if _ITEM.fullmatch(value) else None


def _list(value: str) -> Node | None:
    """Return the items of a list on one line, None if one of them is not plain."""
    nodes: list[Node] = []
    at, end = 1, len(value) - 1
    while value != "[]":
        item = _ITEM.match(value, at)
        if item is None:
            return None
        nodes.append(_node(item[0]))
        at = item.end()
        if at == end and value[at] == "]":
            break
        if value[at : at + 2] != ", ":
            return None
        at += 2
    return nodes


def _node(item: str) -> Node:
    return item[1:-1] if item[0] == '"' else PlainScalar(item)
