"""Find and read the header of a memory, strictly.

python-frontmatter treats a file that it cannot split as one without a header, and YAML
converts ``no``, ``0123`` and ``*alias``. Therefore the fence is exact, the YAML is a
small safe subset, and any violation makes the memory private, so that none becomes
public by accident.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.memories import header_yaml
from toolmem.core.memories.header_line import HeaderEntry, read_line
from toolmem.core.text.conflict_marks import conflict_line
from toolmem.core.text.safetext import visible
from toolmem.core.text.textlines import BOM, TextProblem, find_unsafe_line

_FENCE = re.compile(r"^---(?:\r?\n|\Z)", re.MULTILINE)
"""A line of exactly ``---``; python-frontmatter also accepts more dashes and blanks."""
_FENCE_CHARS = 8
"""Beginning of a line: a letter or digit in it shows that the line is no fence."""
_PRIVATE = re.compile(r"^[^\w\n]*private[^\w\n]*:", re.IGNORECASE | re.MULTILINE)


class MemoryParts(NamedTuple):
    """Parts of a memory's text; joined in this order they are the text.

    ``opening`` and ``closing`` are the fence lines, empty without a header. A text with
    a problem is ``private``.
    """

    opening: str
    header: str
    closing: str
    body: str
    problems: tuple[TextProblem, ...] = ()

    @property
    def private(self) -> bool:
        """True if the header may contain something that was not understood."""
        return bool(self.problems)


class MemoryHeader(NamedTuple):
    """Keys of a header in order; none if there is a problem."""

    entries: Mapping[str, HeaderEntry]
    problems: tuple[TextProblem, ...] = ()


def split_header(text: str, *, headed: bool = False) -> MemoryParts:
    """Find the header: line 1 is exactly ``---``, and a later line closes it.

    ``headed``: the text gets a header of its own, so a line ``private:`` is text.
    """
    problems = []
    conflict = conflict_line(text)
    if conflict:
        message = "an unresolved merge conflict"
        problems.append(TextProblem(conflict, "conflict-marker", message))
    opening = _FENCE.match(text)
    parts = _header_and_body(text) if opening else None
    if opening and parts:
        header, body = parts
        closing = text[opening.end() + len(header) : len(text) - len(body)]
        return MemoryParts(opening[0], header, closing, body, tuple(problems))
    line = 1 if opening else _fence_like_line(text)
    line = line or (0 if headed else private_line(text))
    if line:
        mark = "save it without a byte order mark, " if text.startswith(BOM) else ""
        message = (
            f"looks like a header but is not valid: {mark}begin and end it"
            " with lines that are exactly ---, the first one on top"
        )
        problems.append(TextProblem(line, "invalid-header", message))
    return MemoryParts("", "", "", text, tuple(problems))


def _header_and_body(text: str) -> tuple[str, str] | None:
    parts = _FENCE.split(text, 2)
    return (parts[1], parts[2]) if len(parts) == 3 else None


def read_header(split: MemoryParts) -> MemoryHeader:
    """Return the keys of a header, or the one problem that prevents reading it.

    Line numbers are those of the file.
    """
    if not split.header:
        return MemoryHeader({})
    size = len(split.header.encode("utf-8", "surrogatepass"))
    if size > limits.FRONT_MATTER_BYTES:
        return _unread(1, f"longer than {limits.FRONT_MATTER_BYTES} bytes")
    unsafe = find_unsafe_line(split.header)
    if unsafe:
        problem = TextProblem(unsafe.line + 1, unsafe.code, unsafe.message)
        return MemoryHeader({}, (problem,))
    try:
        entries = _by_line(split.header) or header_yaml.read_yaml(split.header)
    except header_yaml.UnreadableHeaderError as error:
        return _unread(error.line + 2, error.reason)
    return MemoryHeader(entries)


def _by_line(header: str) -> dict[str, HeaderEntry]:
    """Read a header whose lines are all independent; return {} for any other."""
    lines = header.split("\n")
    if lines.pop():
        return {}
    entries: dict[str, HeaderEntry] = {}
    for number, line in enumerate(lines):
        alone = read_line(line, number)
        if alone is None or alone[0] in entries:
            return {}
        entries[alone[0]] = alone[1]
    return entries


def _unread(line: int, reason: str) -> MemoryHeader:
    message = f"the header cannot be read: {visible(reason)}"
    return MemoryHeader({}, (TextProblem(line, "invalid-header", message),))


def _fence_like_line(text: str) -> int:
    """Return the line that suggests that a text was meant to have a header, or 0.

    That is a first line that is a fence except for a blank, an invisible character, a
    fourth dash or an autocorrected dash.
    """
    for number, line in enumerate(text[: limits.HEADER_SEARCH_CHARS].split("\n"), 1):
        if any(map(str.isalnum, line[:_FENCE_CHARS])):
            break
        core = "".join(c for c in line if c.isprintable() and not c.isspace())
        if core and not (core.strip("-–—") and core.strip("+")):
            return number
        if core:
            break
    return 0


def private_line(text: str) -> int:
    """Return the line ``private:`` in the beginning of a text, or 0."""
    top = text[: limits.HEADER_SEARCH_CHARS]
    if top.isascii() and "private" not in top.lower():
        return 0  # nearly every text
    private = _PRIVATE.search(top)
    return top.count("\n", 0, private.end()) + 1 if private else 0
