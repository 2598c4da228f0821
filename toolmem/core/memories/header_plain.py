"""Read the headers that toolmem writes itself, without a YAML parser.

The parser takes longer to load than reading a hundred such headers. It reads everything
but plain lines, and a test compares the two.
"""

import re
from typing import Any, NamedTuple

from toolmem.core.memories.header_line import YAML_WORDS, Node, PlainScalar, read_line
from toolmem.core.text.textlines import find_unsafe_line, heading

_SURE = re.compile(
    r"[0-9]{1,15}|0\.[0-9]{1,9}|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:]{8}Z)?"
)

Written = str | tuple[str, ...]


class PlainMemory(NamedTuple):
    """Fields of a memory as written, its title and its body."""

    fields: dict[str, Written]
    title: str
    body: str


def read_plain(text: str) -> PlainMemory | None:
    """Return the parts of a plain memory, or None if it needs the full parser."""
    if not text.startswith("---\n"):
        return None
    header, closing, body = text[4:].partition("\n---\n")
    if not closing or "\r" in header or find_unsafe_line(header):
        return None
    fields: dict[str, Written] = {}
    for number, line in enumerate(header.split("\n")):
        found = read_line(line, number)
        if found is None or found[0] in fields:
            return None
        value = _value(found[1].node)
        if value is None:
            return None
        fields[found[0]] = value
    title = _title(body)
    return None if title is None else PlainMemory(fields, title, body)


def _value(node: Node) -> Written | None:
    if not isinstance(node, list):
        return _item(node)
    items = [_item(item) for item in node]
    return None if None in items else tuple(item for item in items if item is not None)


def _item(node: Any) -> str | None:
    if not isinstance(node, PlainScalar):
        return str(node)
    text = node.text
    if text[0].isdigit():
        return text if _SURE.fullmatch(text) else None
    return None if text.casefold() in YAML_WORDS else text


def _title(body: str) -> str | None:
    """Return the title if the body begins with it."""
    first = body.lstrip("\n").partition("\n")[0]
    found = heading(first)
    if found is None or found[0] != 1 or not found[1] or "<<<<<<<" in body:
        return None
    return found[1] if find_unsafe_line(found[1]) is None else None
