"""Read the headers that toolmem writes itself, without a YAML parser.

The parser takes longer to load than reading a hundred such headers. It reads everything
but plain lines, and a test compares the two.
"""

import re
from functools import lru_cache
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.memories.header_line import YAML_WORDS, Node, PlainScalar, read_line
from toolmem.core.text.conflict_marks import conflict_line
from toolmem.core.text.textlines import find_non_text, find_unsafe_line, heading

_SURE = re.compile(
    r"[0-9]{1,15}|0\.[0-9]{1,9}|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:]{8}Z)?"
)

_UTF8_BYTES = 4
"""Bytes of a character, at most."""

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
    fields = plain_fields(header) if closing else None
    title = None if fields is None else _title(body)
    return None if fields is None or title is None else PlainMemory(fields, title, body)


def plain_fields(header: str) -> dict[str, Written] | None:
    """Return the fields of a header as written, or None if one of them is not plain."""
    if "\r" in header or find_unsafe_line(header):
        return None
    fields: dict[str, Written] = {}
    for line in header.split("\n"):
        field = _field(line)
        if field is None or field[0] in fields:
            return None
        fields[field[0]] = field[1]
    return fields


def is_plainly_public(text: str) -> bool:
    """Return True for a memory that is not private as far as plain fields can tell."""
    if not text.startswith("---\n") or conflict_line(text) or find_non_text(text):
        return False
    header, closing, _ = text[4:].partition("\n---\n")
    fields = plain_fields(header) if closing else None
    if fields is None or len(header) > limits.FRONT_MATTER_BYTES // _UTF8_BYTES:
        return False
    return "conflict" not in fields and not any(map(is_about_privacy, fields))


@lru_cache(maxsize=1024)
def is_about_privacy(key: str) -> bool:
    """Return True for the key ``private`` in any spelling."""
    return "".join(filter(str.isalnum, key)).casefold() == "private"


@lru_cache(maxsize=4096)  # most lines occur in many headers
def _field(line: str) -> tuple[str, Written] | None:
    found = read_line(line, 0)
    value = None if found is None else _value(found[1].node)
    return None if found is None or value is None else (found[0], value)


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
