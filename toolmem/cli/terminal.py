"""Colour and weight on a terminal; nothing of it where a program reads.

Text is made safe before it is styled: no text of a vault can bring its own escapes.
"""

import os
import re
from collections.abc import Sequence
from typing import TextIO

_STYLES = {
    "critical": "1;31",
    "deny": "1;31",
    "denied": "1;31",
    "refused": "31",
    "error": "1;31",
    "high": "33",
    "ask": "33",
    "asked": "33",
    "warn": "33",
    "warning": "33",
    "allow": "32",
    "disabled": "2",
    "normal": "2",
}
"""Words that stand out, each with its codes of ISO 6429 (SGR)."""
_BOLD, _DIM = "1", "2"
_TAGS = re.compile(
    r"\[(critical|high)\]|^(deny|ask|warn|allow)$|: (error|warning): |\((disabled)\)"
)
_HIT = re.compile(r"(\S[^:]*)(: .*  )(\[[^\[\]]*\])")


def is_terminal(stream: TextIO) -> bool:
    """True if a person reads the stream."""
    try:
        return stream.isatty()
    except (AttributeError, ValueError):  # closed, or no stream at all
        return False


def has_colour(stream: TextIO) -> bool:
    """Decide by NO_COLOR, then CLICOLOR_FORCE, else TERM, CLICOLOR and the stream."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    off = os.environ.get("TERM") == "dumb" or os.environ.get("CLICOLOR") == "0"
    return not off and is_terminal(stream)


def styled(text: str, codes: str) -> str:
    """The text between a style's codes and their end."""
    return f"\x1b[{codes}m{text}\x1b[0m" if text else ""


def styled_tags(line: str) -> str:
    """A line whose labels stand out: ``[critical]``, a verdict, a severity."""

    def paint(match: re.Match[str]) -> str:
        word = next(filter(None, match.groups()))
        return match[0].replace(word, styled(word, _STYLES[word]), 1)

    return _TAGS.sub(paint, line)


def styled_hit(line: str) -> str:
    """A line of a search: the file is bold, its scope and score are dim."""
    match = _HIT.fullmatch(line)
    if match is None:
        return line
    return styled(match[1], _BOLD) + match[2] + styled(match[3], _DIM)


def styled_row(cells: Sequence[str]) -> list[str]:
    """Padded cells of a row; those that are a word that matters stand out.

    The last cell is free text and stays as it is.
    """
    return [*map(_styled_cell, cells[:-1]), *cells[-1:]]


def styled_head(line: str) -> str:
    """The names of columns."""
    return styled(line, _BOLD)


def _styled_cell(cell: str) -> str:
    word = cell.strip()
    codes = _STYLES.get(word)
    return cell.replace(word, styled(word, codes)) if codes else cell
