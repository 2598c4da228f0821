"""Original text of a long memory, below the summary made of it.

A marker comment separates the two. Until 0.1 it was the heading ``## Original``; this
is still read if the text above it consists of sentences of the text below. Any other
heading of that name belongs to the text.
"""

from collections.abc import Callable

from toolmem.core import limits
from toolmem.core.memories import sentences as split
from toolmem.core.text.textlines import (
    BLANKS,
    CODE_INDENT,
    closes_fence,
    fence,
    heading,
    split_lines,
)
from toolmem.core.text.tokens import estimate_tokens

MARKER = "<!-- toolmem:original -->"
_SLACK = 1.25
"""Factor by which a summary cut at a word may exceed its size."""


def with_summary(summary: str, original: str) -> str:
    """Return the body of a long memory: its summary, then the original text."""
    return f"{summary.strip()}\n\n{MARKER}\n\n{original.strip(chr(10))}\n"


def split_original(body: str) -> tuple[str, str] | None:
    """Return the text above and below the marker; None for a text without a summary."""
    if MARKER not in body and "original" not in body.casefold():
        return None
    at, end = _place(body, _is_marker)
    if end:
        return body[:at], body[end:]
    at, end = _place(body, _is_heading)
    if end and _was_made_of(body[:at], body[end:]):
        return body[:at], body[end:]
    return None


def summary_part(body: str) -> str:
    """Return the part of a body that is shown: its summary, or all of it."""
    parts = split_original(body)
    return body if parts is None else parts[0]


def without_marker(text: str) -> str:
    """Return a text without lines that are the marker."""
    if MARKER not in text:
        return text
    return "".join(line for line in split_lines(text) if not _is_marker(line))


def _is_marker(line: str) -> bool:
    return line.strip() == MARKER


def _is_heading(line: str) -> bool:
    title = heading(line.strip()) if line[:CODE_INDENT].strip(BLANKS) else None
    return title is not None and title[0] == 2 and title[1].casefold() == "original"


def _place(body: str, is_it: Callable[[str], bool]) -> tuple[int, int]:
    """Return start and end of the first matching line outside code; zeros if none."""
    at, opening = 0, ""
    for line in split_lines(body):
        start, at = at, at + len(line)
        bare = line.strip()
        if opening:
            opening = "" if closes_fence(bare, opening) else opening
        elif is_it(line):
            return start, at
        elif line[:CODE_INDENT].strip(BLANKS):
            opening = fence(bare)
    return 0, 0


def _was_made_of(above: str, original: str) -> bool:
    """Return True if the text above consists of sentences of the one below."""
    lines = above.strip().split("\n")
    summary = "\n".join(lines[1:] if lines[0].startswith("# ") else lines).strip()
    if not summary or estimate_tokens(summary) > limits.SUMMARY_TOKENS * _SLACK:
        return False
    known = " ".join(
        sentence
        for block in split.blocks(original)
        for sentence in ([block] if split.is_fence(block) else split.sentences(block))
    )
    known = " ".join(known.split())
    stated = [
        sentence
        for block in split.blocks(summary)
        for sentence in split.sentences(block)
    ]
    return all(" ".join(sentence.split()).rstrip("… ") in known for sentence in stated)
