"""Mask what is not the user's own prose: quoted, pasted or produced by a program.

``mask_message`` returns a copy of the message of the same length. Fences, quoted and
pasted lines, tag blocks, comments and texts of a harness are blanked; a quotation
inside a sentence becomes a run of quote marks; a thing (code, address, URL, path,
file, version) becomes a run of entity marks, so that dots and words inside it are
not read as prose.
"""

import re
from typing import NamedTuple

from toolmem.core.capture.text import documents
from toolmem.core.capture.text.lists import phrases, word_list
from toolmem.core.capture.text.pasted import pasted_lines
from toolmem.core.capture.text.quoted_speech import quoted_speech
from toolmem.core.capture.text.words import ENTITY_MARK, QUOTE_MARK, word_set


class MaskedMessage(NamedTuple):
    """A message, its masked copy, and the places of quotations inside sentences."""

    text: str
    masked: str
    quotes: tuple[tuple[int, int], ...]

    def has_paste(self) -> bool:
        """Return whether anything was blanked: it was not the user's own prose."""
        blanks = zip(self.text, self.masked, strict=True)
        return any(own != shown and shown == " " for own, shown in blanks)


_MACHINE_MADE = phrases("harness beginnings")
"""Beginnings of messages that a harness sends in the user's name."""
_FORMATTING = word_set("b i em strong u mark big small span font")
"""Tags that only format the user's own text."""

# Patterns stay strings: re compiles and caches the few that a message needs.
_FENCE = r"[ \t]*(?:[-*+>] +)?(`{3,}(?=[^`]*$)|~{3,})"
_TAG = r"<(/?)([A-Za-z][\w:.-]*)((?:\s[^<>]*)?)>"
_UNCLOSED = word_list("masking unclosed")
"""Tags of harnesses; text after an unclosed one also belongs to the harness."""
_WRAPPERS = _UNCLOSED | word_set(
    "result results output stdout stderr response content contents document summary"
    " tool_result function_results context file transcript"
)
"""Tags around output of programs; text before a lone end tag is output, too."""

_CHUNK = r"(?:\w{2,8}://|www\.)[^\s<>\"”]+|[^\s,;()\[\]{}\"“”«»<>|]+"
_DOTTED = r"[\w*-]+(?:\.[\w*-]+)+$"
_INITIALS = r"(?:[A-Za-z]\.)+[A-Za-z]$"
_BEGINNINGS = word_list("masking beginnings")
_SINGLE = r"(?<![\w'])'(?=\S)(?:[^'\n]|(?<=\w)'(?=\w))*'(?!\w)"
_CLOSING = {'"': '"', "“": "”", "„": "“", "«": "»"}


def mask_message(text: str) -> MaskedMessage:
    """Mask a message; offsets in the masked copy are offsets in the message."""
    if text.lstrip("\ufeff \t\r\n").lower().startswith(_MACHINE_MADE):
        return MaskedMessage(text, _blank(text), ())
    masked = _without_handed(_without_blocks(text))
    masked = _without_tags(_without_deleted(masked))
    masked, quotes = _without_quotes(_without_code(masked))
    return MaskedMessage(text, _without_things(masked), quotes)


def _blank(text: str) -> str:
    return "".join(char if char == "\n" else " " for char in text)


def _without_blocks(text: str) -> str:
    """Blank fences, quoted lines and pasted lines."""
    lines = text.split("\n")
    fence = ""
    for at, line in enumerate(lines):
        fenced = "```" in line or "~~~" in line
        mark = re.match(_FENCE, line) if fenced else None
        if fence:
            if mark and mark[1].startswith(fence) and not line[mark.end() :].strip():
                fence = ""
            lines[at] = " " * len(line)
        elif mark:
            fence = mark[1]
            lines[at] = " " * len(line)
        elif line.lstrip(" ").startswith(">"):
            lines[at] = " " * len(line)
    inside = documents.document_lines(lines)
    for at, pasted in enumerate(pasted_lines(lines)):
        if pasted or inside[at]:
            lines[at] = " " * len(lines[at])
    return "\n".join(lines)


def _without_handed(text: str) -> str:
    """Blank a text that the user passes on."""
    start, end = quoted_speech(text)
    return text[:start] + _blank(text[start:end]) + text[end:] if end else text


def _without_deleted(text: str) -> str:
    """Blank what is struck out."""
    if "~~" not in text:
        return text
    return _cover(text, [m.span() for m in re.finditer(r"~~[^~\n]+~~", text)], "")


def _without_tags(text: str) -> str:
    """Blank comments, closed tag pairs with their content, and lone tags."""
    if "<" not in text:
        return text
    spans = _comments(text)
    opened: list[tuple[str, int]] = []
    depth: dict[str, int] = {}
    for tag in re.finditer(_TAG, text):
        spans.append(tag.span())
        name = tag[2].lower()
        if name in _FORMATTING or tag[3].endswith("/"):
            continue
        if not tag[1]:
            opened.append((name, tag.start()))
            depth[name] = depth.get(name, 0) + 1
        elif depth.get(name):
            spans.append((_close(name, opened, depth), tag.end()))
        elif name in _WRAPPERS:
            spans.append((0, tag.end()))
    left = [start for name, start in opened if name in _UNCLOSED]
    return _cover(text, [*spans, *((start, len(text)) for start in left[:1])], "")


def _close(name: str, opened: list[tuple[str, int]], depth: dict[str, int]) -> int:
    """Return the start of the tag that is closed; tags opened inside are closed too."""
    while True:
        other, start = opened.pop()
        depth[other] -= 1
        if other == name:
            return start


def _comments(text: str) -> list[tuple[int, int]]:
    spans = []
    at = text.find("<!--")
    while at >= 0:
        end = text.find("-->", at)
        end = len(text) if end < 0 else end + 3
        spans.append((at, end))
        at = text.find("<!--", end)
    return spans


def _cover(text: str, spans: list[tuple[int, int]], mark: str) -> str:
    """Return the text with each span blanked, or filled with the mark."""
    parts = []
    done = 0
    for start, end in sorted(spans):
        if end <= done:
            continue
        start = max(start, done)
        parts.append(text[done:start])
        hidden = text[start:end]
        parts.append(mark * len(hidden) if mark else _blank(hidden))
        done = end
    parts.append(text[done:])
    return "".join(parts)


def _without_code(text: str) -> str:
    """Turn inline code into things; the backtick in ``don`t`` is an apostrophe."""
    if "`" not in text:
        return text
    marks = (match.span() for match in re.finditer("`+", text))
    runs = [span for span in marks if not _is_apostrophe(text, *span)]
    following: dict[int, int] = {}
    partner = [-1] * len(runs)
    for at in range(len(runs) - 1, -1, -1):
        length = runs[at][1] - runs[at][0]
        partner[at] = following.get(length, -1)
        following[length] = at
    spans = []
    at = 0
    while at < len(runs):
        to = partner[at]
        if to > 0 and text.find("\n\n", runs[at][1], runs[to][0]) < 0:
            spans.append((runs[at][0], runs[to][1]))
            at = to
        at += 1
    return _cover(text, spans, ENTITY_MARK)


def _is_apostrophe(text: str, start: int, end: int) -> bool:
    """Return True for the backtick in ``don`t`` or ``isn`t``."""
    around = text[max(0, start - 1) : start] + text[end : end + 1]
    after = text[end + 1 : end + 2]
    return end - start == 1 and around.lower() == "nt" and not after.isalnum()


def _without_quotes(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Turn quotations into runs of quote marks; none runs past its paragraph."""
    spans = (
        [match.span() for match in re.finditer(_SINGLE, text)] if "'" in text else []
    )
    opened = closing = ""
    start = 0
    for match in re.finditer(r'["“”„«»]|\n[ \t]*\n', text):
        mark = match[0]
        if mark[0] == "\n":
            opened = ""
        elif opened and mark == closing:
            spans.append((start, match.end()))
            opened = ""
        elif not opened and mark in _CLOSING and not _inches(text, match.start()):
            opened, closing, start = mark, _CLOSING[mark], match.start()
    return _cover(text, spans, QUOTE_MARK), tuple(sorted(spans))


def _inches(text: str, at: int) -> bool:
    return text[at] == '"' and text[at - 1 : at].isdigit()


def _without_things(text: str) -> str:
    """Turn addresses, URLs, paths, files and versions into runs of entity marks."""
    spans = []
    for match in re.finditer(_CHUNK, text):
        chunk = match[0]
        bare = chunk.lstrip("'*_").rstrip(".!?:'*_…")
        if is_thing(bare):
            start = match.start() + chunk.index(bare)
            spans.append((start, start + len(bare)))
    return _cover(text, spans, ENTITY_MARK)


def is_thing(word: str) -> bool:
    """Return True if a word names a thing: address, URL, path, version."""
    if len(word) < 2 or word.isalnum():
        return False
    if "://" in word or "@" in word or "\\" in word or word.startswith("www."):
        return True
    if word[0] in "~$/" and word[1:2].isalnum():
        return True
    if "/" in word:
        return not word.replace("/", "").isalnum() or word.endswith("/")
    if word[0] == ".":
        return word[1].isalpha() and "." not in word.strip(".")[-2:]
    if not re.match(_DOTTED, word) or re.match(_INITIALS, word):
        return False
    before, _, after = word.rpartition(".")
    glued = before.isalpha() and len(before) > 1 and after.lower() in _BEGINNINGS
    return not glued  # "done.never" is a sentence end without a space
