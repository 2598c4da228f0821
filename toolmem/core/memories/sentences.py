"""Split a markdown text into blocks and sentences."""

import re
from collections.abc import Iterator

_FENCE = re.compile(r"\s{0,3}(```+|~~~+)")
_SIGN = re.compile(r"\s*(?:#{1,6}\s+|[-*+]\s+|>\s?|\d{1,3}[.)]\s+|\[[ xX]\]\s+)+")
# Blanks before a bullet are tried from the first one only, or a long run is quadratic.
_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+|(?<=[。！？])|(?<!\s)\s+•\s+")
_SHORT = ("e.g.", "i.e.", "etc.", "vs.", "cf.", "mr.", "mrs.", "ms.", "dr.", "no.")


def blocks(text: str) -> list[str]:
    """Return paragraphs, list items, headings and whole code fences, in order."""
    found: list[list[str]] = [[]]
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if fence:
            found[-1].append(line)
            if mark and mark[1].startswith(fence) and not line.strip(" `~"):
                fence = ""
                found.append([])
        elif mark:
            fence = mark[1]
            found.append([line])
        elif not line.strip():
            found.append([])
        elif _SIGN.match(line) or _is_alone(line) or _is_alone("".join(found[-1][:1])):
            found.append([line])
        else:
            found[-1].append(line)
    return ["\n".join(lines) for lines in found if lines]


def _is_alone(line: str) -> bool:
    """Return True if a line is a block by itself: a heading or the row of a table."""
    return line.lstrip()[:1] in ("#", "|")


def is_fence(block: str) -> bool:
    """Return True for a code fence, which is never split."""
    return bool(_FENCE.match(block))


def bare(line: str) -> str:
    """Remove the marks of headings, lists and quotes from a line."""
    mark = _SIGN.match(line)
    return line[mark.end() :] if mark else line


def sentences(block: str) -> list[str]:
    """Return the sentences of a block of prose; a code fence is one."""
    if is_fence(block):
        return [block]
    text = " ".join(bare(line).strip() for line in block.split("\n"))
    return list(_sentences(text))


def statements(text: str) -> list[str]:
    """Return every sentence of a text, headings and list items included."""
    return [sentence for block in blocks(text) for sentence in sentences(block)]


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(text):
        piece = text[start : end.start()]
        if not piece.lower().endswith(_SHORT):
            if piece.strip():
                yield piece.strip()
            start = end.end()
    if text[start:].strip():
        yield text[start:].strip()
