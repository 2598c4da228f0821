"""Read the id and tool of a rule file without parsing it.

A call of one tool does not need the rules of all others, and parsing them would
dominate a guard's time. A file is skipped only if there can be no doubt; anything else
is parsed.
"""

import re
from typing import NamedTuple

from toolmem.core.text.safetext import one_line

_STATED = re.compile(rb'^(id|tool)[ \t]*=[ \t]*"([^"\\\r\n]+)"[ \t]*\r?$', re.MULTILINE)
_DOUBTFUL = (b'"""', b"'''", b"{")
"""In these a line that looks like a key can be a part of a value."""
_CONFLICT = b"conflict"
"""A rule in conflict may name another tool further down."""


class Sketch(NamedTuple):
    """The id and the tool that a rule file states."""

    id: str
    tool: str


def sketch(data: bytes) -> Sketch | None:
    """Return the id and tool of a file, or None if it must be parsed."""
    if _CONFLICT in data:
        return None
    head = data.partition(b"\n[")[0]
    if any(mark in head for mark in _DOUBTFUL):
        return None
    stated = _STATED.findall(head)
    if len(stated) != 2 or stated[0][0] == stated[1][0]:
        return None
    try:
        found = {key: one_line(text.decode()) for key, text in stated}
    except UnicodeDecodeError:
        return None
    return Sketch(found[b"id"], found[b"tool"])
