"""Split text into lines, recognise headings and fences, and locate defects.

A line ends at a line feed and nowhere else: vertical tabs, U+0085 and U+2028 stay
inside their line, so that a line number means the same to git, to an editor and to
toolmem.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from toolmem.core.text.safetext import find_unsafe

BOM = "\ufeff"
BLANKS = " \t"
CODE_INDENT = 4
"""Columns from which markdown treats indented text as code."""
_FENCE = re.compile(r"(`{3,}|~{3,})(.*)", re.DOTALL)

_NOT_TEXT = re.compile("[\x00\ud800-\udfff]")
_PLAIN = bytes((*b"\t\n", *range(32, 127)))
"""ASCII characters that are safe wherever they are."""


class TextProblem(NamedTuple):
    """A defect of one text: ``line`` counts from 1, 0 if unknown.

    ``severity`` is ``error`` (something is lost, hidden or unsafe) or ``warning``, as
    in ``model.Problem``.
    """

    line: int
    code: str
    message: str
    severity: str = "error"


def split_lines(text: str) -> list[str]:
    """Return the lines of a text, with their line feeds."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def line_ending(line: str) -> str:
    r"""Return the line's ending, ``\r\n`` or ``\n``; empty at the end of a file."""
    if line.endswith("\r\n"):
        return "\r\n"
    return "\n" if line.endswith("\n") else ""


def heading(line: str) -> tuple[int, str] | None:
    """Return level and text of a markdown ``#`` heading; ``line`` is not indented.

    A closing run of ``#`` is not part of the text, as in CommonMark.
    """
    if line[:1] != "#":
        return None
    rest = line.lstrip("#")
    level = len(line) - len(rest)
    if not 1 <= level <= 6 or (rest and rest[0] not in BLANKS):
        return None
    text = rest.strip(BLANKS)
    bare = text.rstrip("#")
    if bare != text and (not bare or bare[-1] in BLANKS):
        text = bare.rstrip(BLANKS)
    return level, text


def fence(line: str) -> str:
    """Return the run of backticks or tildes that opens a code block here, or ""."""
    match = _FENCE.match(line)
    if not match or (line[0] == "`" and "`" in match[2]):
        return ""
    return match[1]


def closes_fence(line: str, opening: str) -> bool:
    """Return True if this line, unindented, ends the block of ``opening``."""
    run = line.rstrip(BLANKS)
    return len(run) >= len(opening) and not run.strip(opening[0])


def find_unsafe_line(text: str) -> TextProblem | None:
    """Return the first invisible, bidirectional or control character of a text."""
    if text.isascii() and not text.encode().translate(None, _PLAIN):
        return None  # nearly every text, in a fifth of the time
    # Blanks in place of allowed line ends preserve every offset.
    plain = text.replace("\r\n", "  ").replace("\n", " ").replace("\t", " ")
    unsafe = find_unsafe(plain)
    if unsafe is None:
        return None
    line = text.count("\n", 0, unsafe[0]) + 1
    return TextProblem(line, "unsafe-text", f"contains {unsafe[1]}")


def find_non_text(text: str) -> TextProblem | None:
    """Return the first NUL, or byte that is not UTF-8 (decoded by surrogateescape)."""
    plain = text.isascii() and "\0" not in text
    match = None if plain else _NOT_TEXT.search(text)
    if not match:
        return None
    line = text.count("\n", 0, match.start()) + 1
    return TextProblem(line, "not-text", "contains bytes that are not UTF-8 text")


def common(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the lines, or words, that both begin with."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
