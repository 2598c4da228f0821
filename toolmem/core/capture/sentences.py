"""Where one sentence of a message ends and the next begins.

Lines come first: a list item, a heading and a paragraph are units of their own,
a paragraph that was wrapped by hand is one. Inside a unit a full stop ends a
sentence unless it belongs to a thing (masked by ``spans``), an abbreviation or
an ellipsis. What only finishes the sentence before it ("Unless I say so.") and
words hammered in one by one ("NEVER. SKIP. TESTS.") stay together.
"""

import re
from typing import NamedTuple

from toolmem.core.capture.leads import announces_others, announces_rules
from toolmem.core.capture.lexicon import TASK_VERBS
from toolmem.core.capture.smallwords import (
    AUXILIARIES,
    COORDINATORS,
    DETERMINERS,
    SUBJECTS,
    WH_WORDS,
    word_set,
)
from toolmem.core.capture.spans import Prose, own_prose
from toolmem.core.capture.words import QUOTE_MARK


class Sentence(NamedTuple):
    """One sentence: ``text`` is the message from ``start`` to ``end``.

    ``kind`` is ``prose``, ``item`` or ``heading``; ``lead`` is the line that
    announces it: the head of its list, or the heading that it stands under.
    """

    text: str
    start: int
    end: int
    kind: str
    lead: str = ""


_BULLET = re.compile(
    r"[ \t]*(?:(?:[-*+•–—·‣]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)])[ \t]+"
    r"(?:\[[ xX]?\][ \t]+)?"
    r"|[❌✅⚠🚫👉➡→⛔❗🔴🟢]\ufe0f?[ \t]*)+"
)
_HEADING = r"[ \t]*#{1,6}[ \t]+"
_STOP = re.compile(
    r"[.!?…]+[\"'”’)\]*_]*(?=\s|$)"
    r"|(?<=[a-z]{2})[.!?](?=(?:[Nn]ever|[Dd]on['’]?t|[Aa]lways|[Pp]l(?:ease|s)|[Aa]lso)\b)"
    f"|{QUOTE_MARK}(?=\\s+[A-Z])"
)
_STARTERS = (
    SUBJECTS | DETERMINERS | WH_WORDS | TASK_VERBS | COORDINATORS | AUXILIARIES
    | word_set("you never don't always please also if when thanks yes from")
)  # fmt: skip
"""Words that begin a sentence after "etc." or "p.m."."""
_LAST_WORD = r"[\w.]*\w$"
_NEVER_END = word_set(
    "e.g eg i.e ie vs mr mrs ms dr prof cf approx no nr fig sec resp incl excl viz"
    " aka esp dept st"
)
_MAY_END = word_set(
    "etc a.m p.m am pm u.s u.k u.s.a inc ltd co corp jr sr mon tue tues wed thu thur"
    " thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec min max hrs"
    " ca vol"
)
_FINISHES = (
    "unless ", "except ", "exception", "excluding ", "other than ", "apart from ",
    "with the exception ", "the only exception", "not even ", "ever",
)  # fmt: skip
"""How a sentence begins that only finishes the one before it."""
_CONTINUES = (
    *_FINISHES, "and ", "or ", "but ", "because ", "so that ", "if ", "when ", "until ",
    "without ",
)  # fmt: skip
"""How a line begins that goes on with the line above it."""
_HAMMERED = word_set(
    "never always stop don't dont do not ever no push just please only"
)
_WRAP = 50
"""Characters of a line from which its break is taken for a wrap, not an end."""


def split_sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of the user's own prose in a message, in order."""
    return sentences_of(own_prose(text))


def sentences_of(prose: Prose) -> tuple[Sentence, ...]:
    """The sentences of a message that is masked already."""
    found: list[Sentence] = []
    for start, end, kind, lead in _units(prose.masked):
        found.extend(_split(prose, start, end, kind, lead))
    return tuple(_joined(prose, found))


def _units(masked: str) -> list[tuple[int, int, str, str]]:
    """Headings, list items and paragraphs: start, end, kind, lead."""
    units: list[tuple[int, int, str, str]] = []
    leads = _Leads()
    open_unit = False
    start = 0
    for line in masked.split("\n"):
        end = start + len(line)
        if not line.strip():
            leads.blank()
            open_unit = False
        elif heading := _heading(line):
            leads.heading(line[heading.end() :])
            units.append((start + heading.end(), end, "heading", ""))
            open_unit = False
        elif item := _BULLET.match(line):
            indent = len(line) - len(line.lstrip())
            lead = leads.item(indent, line[item.end() :])
            units.append((start + item.end(), end, "item", lead))
            open_unit = True
        elif open_unit and _wraps(masked, units[-1], line):
            units[-1] = (units[-1][0], end, *units[-1][2:])
        else:
            units.append((start, end, "prose", leads.paragraph(line)))
            open_unit = True
        start = end + 1
    return units


def _heading(line: str) -> re.Match[str] | None:
    return re.match(_HEADING, line) if "#" in line[:8] else None


class _Leads:
    """Which line announces the items that follow."""

    def __init__(self) -> None:
        self._heading = ""
        self._before = ""
        self._nested: list[tuple[int, str]] = []
        self._block = ""
        self._in_block = False

    def heading(self, text: str) -> None:
        self._heading = self._before = _title(text)
        self._nested = []

    def paragraph(self, text: str) -> str:
        announces = text.rstrip().endswith(":") or len(text.split()) <= 3
        self._before = _title(text) if announces else self._heading
        self._nested = []
        if text.rstrip().endswith(":"):
            self._block, self._in_block = self._before, False
        elif announces_rules(self._block) or announces_others(self._block):
            self._in_block = True
            return self._block
        return self._heading

    def blank(self) -> None:
        """A blank line ends the paragraph that a line before it announced."""
        if self._in_block:
            self._block, self._in_block = "", False

    def item(self, indent: int, text: str) -> str:
        while self._nested and self._nested[-1][0] >= indent:
            self._nested.pop()
        lead = self._nested[-1][1] if self._nested else self._before
        if text.rstrip(" *_").endswith(":"):
            self._nested.append((indent, _title(text)))
        return lead


def _title(text: str) -> str:
    return text.strip(" \t*_#").rstrip(":").strip(" \t*_").lower()[:200]


def _wraps(masked: str, unit: tuple[int, int, str, str], line: str) -> bool:
    """Whether this line goes on with the unit above it."""
    above = masked[unit[0] : unit[1]].rsplit("\n", 1)[-1].rstrip()
    if unit[2] == "item" and line[:1] in " \t" and line.strip()[:1].islower():
        return True
    if above.endswith((".", "!", "?", ":", ";")):
        return _begins(line, _FINISHES) and not above.endswith(":")
    if above.endswith(",") or _begins(line, _CONTINUES):
        return True
    return len(above) >= _WRAP


def _begins(text: str, words: tuple[str, ...]) -> bool:
    return text[:60].lstrip(" \t(,;-–—").lower().startswith(words)


def _split(prose: Prose, start: int, end: int, kind: str, lead: str) -> list[Sentence]:
    """The sentences of one unit."""
    found = []
    at = start
    for stop in _STOP.finditer(prose.masked, start, end):
        if _ends(prose, stop, at, end):
            found.append(_cut(prose.text, at, stop.end(), kind, lead))
            at = stop.end()
    found.append(_cut(prose.text, at, end, kind, lead))
    return [one for one in found if any(char.isalnum() for char in one.text)]


def _cut(text: str, start: int, end: int, kind: str, lead: str) -> Sentence:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    piece = piece.strip()
    return Sentence(piece, start, start + len(piece), kind, lead)


def _ends(prose: Prose, stop: re.Match[str], start: int, end: int) -> bool:
    """Whether this stop ends a sentence."""
    rest = prose.masked[stop.end() : min(stop.end() + 40, end)].lstrip()
    if stop[0] == QUOTE_MARK:
        return prose.text[stop.end() - 2] in ".!?"
    mark = stop[0].rstrip("\"'”’)]*_")
    if mark.startswith("..") or mark == "…":
        return not rest[:1].islower()
    if mark != ".":
        return True
    last = re.search(
        _LAST_WORD, prose.masked[max(start, stop.start() - 20) : stop.start()]
    )
    word = last[0].lower() if last else ""
    if word in _NEVER_END or (len(word) == 1 and word.isalpha()):
        return False
    if word in _MAY_END:
        return rest[:1].isupper() and rest.split(None, 1)[0].lower() in _STARTERS
    return True


def _joined(prose: Prose, found: list[Sentence]) -> list[Sentence]:
    """Put together what was hammered in, and what only finishes a sentence."""
    joined: list[Sentence] = []
    for one in found:
        last = joined[-1] if joined else None
        if last and last.kind == one.kind and _belongs(prose, last, one):
            piece = prose.text[last.start : one.end]
            joined[-1] = Sentence(piece, last.start, one.end, last.kind, last.lead)
        else:
            joined.append(one)
    return joined


def _belongs(prose: Prose, last: Sentence, one: Sentence) -> bool:
    if "\n" in prose.text[last.end : one.start].strip(" \t"):
        return False
    if len(last.text) < 40 and len(one.text.split()) == 1:
        words = last.text.split()
        hammered = all(word.endswith((".", "!")) for word in words)
        return hammered and words[0].rstrip(".!").lower() in _HAMMERED
    if re.fullmatch(r"\(\w+\)", one.text):
        return True
    return _begins(one.text, _FINISHES) and not last.text.endswith("?")
