"""Recognise unresolved merges in a text: git's marks, and toolmem's own."""

import re
from collections.abc import Sequence
from typing import NamedTuple

OURS = "<!-- conflict: ours -->"
THEIRS = "<!-- conflict: theirs -->"
END = "<!-- conflict: end -->"


# ``=======`` and ``|||||||`` alone are markdown: a heading's underline, a table.
_MARKER = re.compile(r"^(?:<{7}|>{7})(?=[ \r\n]|\Z)", re.MULTILINE)


def conflict_line(text: str) -> int:
    """Return the line (from 1) of the first conflict marker, 0 without one.

    A half-resolved conflict counts: one ``<<<<<<<`` or ``>>>>>>>`` line is enough.
    """
    if "<<<<<<<" not in text and ">>>>>>>" not in text:
        return 0  # fast path for nearly every text
    match = _MARKER.search(text)
    return text.count("\n", 0, match.start()) + 1 if match else 0


class ConflictRange(NamedTuple):
    """First, middle and last line of a conflict: numbers from 0."""

    first: int
    middle: int
    last: int


def conflict_ranges(lines: Sequence[str]) -> list[ConflictRange]:
    """Return the outermost conflicts; unpaired marks are plain comments."""
    ranges: list[ConflictRange] = []
    depth = first = middle = 0
    for number, line in enumerate(lines):
        bare = line.rstrip("\r\n")
        if bare == OURS:
            depth += 1
            if depth == 1:
                first, middle = number, 0
        elif bare == THEIRS and depth == 1 and not middle:
            middle = number
        elif bare == END and depth:
            depth -= 1
            if depth == 0 and middle:
                ranges.append(ConflictRange(first, middle, number))
    return ranges
