"""Split the user's own prose of a message into sentences.

Lines come first: a list item, a heading and a paragraph are separate units, wrapped or
not. Inside a unit a full stop ends a sentence unless it belongs to a thing (masked by
``masking``), an abbreviation or an ellipsis. "Unless I say so." stays with the sentence
before it, and so do words such as "NEVER. SKIP. TESTS.".
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolmem.core.capture.text.lists import phrases, word_list
from toolmem.core.capture.text.masking import MaskedMessage
from toolmem.core.capture.text.words import QUOTE_MARK, word_set


class Sentence(NamedTuple):
    """One sentence: ``text`` is the message from ``start`` to ``end``.

    ``kind`` is ``prose``, ``item`` or ``heading``; ``lead`` is the line that
    announces it (the line above its list, or its heading), in lower case.
    """

    text: str
    start: int
    end: int
    kind: str
    lead: str = ""


_BULLET = re.compile(
    r"[ \t]*(?:(?:[-*+•–—·‣]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)])[ \t]+"
    r"(?:\[[ xX]?\][ \t]+)?"
    r"|[❌✅⚠🚫👉➡→⛔❗🔴🟢]\ufe0f?[ \t]*|(?:\d{1,2}[、．]|・)[ \t]*)+"
)
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]+")
_STOP = re.compile(
    r"[.!?…]+[\"'”’)\]*_]*(?=\s|$)|[。！？｡]+[」』”）]*"
    r"|(?<=[a-z]{2})[.!?](?=(?:[Nn]ever|[Dd]on['’]?t|[Aa]lways|[Pp]l(?:ease|s)|[Aa]lso"
    r"|From|If|Do|You|We|Use|This|No)\b)"
    r"|;(?=\s+(?:and |but |or |also )?(?:never|don['’`]?t|do not|always|stop|avoid|only"
    r"|please|make sure|no)\b)"
    f"|{QUOTE_MARK}(?=\\s+[A-Z])"
)
_STARTERS = word_list("sentences starters")
"""Words that begin a new sentence after "etc." or "p.m."."""
_LAST_WORD = re.compile(r"[\w.]*\w$")
_NEVER_END = word_list("sentences never end")
_MAY_END = word_list("sentences may end")
_FINISHES = phrases("completes")
"""Beginnings of a sentence that only completes the one before it."""
_CONTINUES = phrases("continues")
"""Beginnings of a line that continues the line above it."""
_STACCATO = word_set("never always stop don't dont do not ever no just please only")
_WRAP = 50
"""Characters of a line from which its break counts as a wrap, not an end."""


def split_sentences(message: MaskedMessage) -> tuple[Sentence, ...]:
    """Return the sentences of a masked message, in order."""
    sentences: list[Sentence] = []
    for unit in _units(message.masked):
        sentences.extend(_split(message, unit))
    return tuple(_joined(message, sentences))


class _Unit(NamedTuple):
    """A heading, list item or paragraph."""

    start: int
    end: int
    kind: str
    lead: str


def _units(masked: str) -> list[_Unit]:
    units: list[_Unit] = []
    leads = _Leads()
    above = ""
    start = 0
    for line in masked.split("\n"):
        end = start + len(line)
        if not line.strip():
            leads.blank()
            above = ""
        elif "#" in line[:8] and (heading := _HEADING.match(line)):
            leads.heading(line[heading.end() :])
            units.append(_Unit(start + heading.end(), end, "heading", ""))
            above = ""
        elif item := _BULLET.match(line):
            indent = len(line) - len(line.lstrip())
            lead = leads.item(indent, line[item.end() :])
            units.append(_Unit(start + item.end(), end, "item", lead))
            above = line
        elif above and _wraps(above, units[-1].kind, line):
            units[-1] = units[-1]._replace(end=end)
            above = line
        else:
            units.append(_Unit(start, end, "prose", leads.paragraph(line)))
            above = line
        start = end + 1
    return units


class _Leads:
    """The line that announces the units below it."""

    def __init__(self) -> None:
        self._heading = ""
        self._before = ""
        self._block = ""
        self._nested: list[tuple[int, str]] = []

    def heading(self, text: str) -> None:
        self._heading = self._before = _title(text)
        self._block = ""
        self._nested = []

    def paragraph(self, text: str) -> str:
        opens = text.rstrip(" *_").endswith((":", "："))
        lead = self._block or self._heading
        self._before = _title(text) if opens or len(text) < 24 else self._heading
        self._block = self._before if opens else self._block
        self._nested = []
        return lead

    def blank(self) -> None:
        self._block = ""

    def item(self, indent: int, text: str) -> str:
        while self._nested and self._nested[-1][0] >= indent:
            self._nested.pop()
        lead = self._nested[-1][1] if self._nested else self._before
        if text.rstrip(" *_").endswith(":") and len(self._nested) < 8:
            self._nested.append((indent, _title(text)))
        return lead


def _title(text: str) -> str:
    return text[:300].strip(" \t*_#").rstrip(":：").strip(" \t*_").lower()[:200]


def _wraps(above: str, kind: str, line: str) -> bool:
    """Return whether a line continues the unit above it."""
    above = above.rstrip()
    if kind == "item" and line[:1] in " \t" and line.strip()[:1].islower():
        return True
    if above.endswith((".", "!", "?", ":", ";", "。", "！", "？")):
        return _begins(line, _FINISHES) and not above.endswith(":")
    begun = above.lstrip()[:1].isupper() and line.lstrip()[:1].islower()
    joined = above.endswith(",") or _begins(line, _CONTINUES)
    return begun or joined or len(above) >= _WRAP


def _begins(text: str, words: tuple[str, ...]) -> bool:
    return text[:60].lstrip(" \t(,;-–—").lower().startswith(words)


def _split(message: MaskedMessage, unit: _Unit) -> Iterator[Sentence]:
    at = unit.start
    for stop in _STOP.finditer(message.masked, unit.start, unit.end):
        if _ends(message, stop, at, unit.end):
            yield from _cut(message, at, stop.end(), unit)
            at = stop.end()
    yield from _cut(message, at, unit.end, unit)


def _cut(
    message: MaskedMessage, start: int, end: int, unit: _Unit
) -> Iterator[Sentence]:
    piece = message.masked[start:end]
    start += len(piece) - len(piece.lstrip())
    end -= len(piece) - len(piece.rstrip())
    text = message.text[start:end]
    if any(char.isalnum() for char in text):
        yield Sentence(text, start, end, unit.kind, unit.lead)


def _ends(message: MaskedMessage, stop: re.Match[str], start: int, end: int) -> bool:
    """Return whether a stop ends a sentence."""
    if stop[0] == QUOTE_MARK:
        return message.text[stop.end() - 2] in ".!?"
    rest = message.masked[stop.end() : min(stop.end() + 40, end)].lstrip()
    mark = stop[0].rstrip("\"'”’)]*_")
    if mark.startswith("..") or mark == "…":
        return not rest[:1].islower()
    if mark != ".":
        return True
    before = message.masked[max(start, stop.start() - 20) : stop.start()]
    last = _LAST_WORD.search(before)
    word = last[0].lower() if last else ""
    if word in _NEVER_END or (len(word) == 1 and word.isalpha()):
        return False
    if word in _MAY_END:
        return rest[:1].isupper() and rest.split(None, 1)[0].lower() in _STARTERS
    return True


def _joined(message: MaskedMessage, sentences: list[Sentence]) -> list[Sentence]:
    """Join staccato words, and what only completes a sentence, to what is before."""
    joined: list[Sentence] = []
    for sentence in sentences:
        last = joined[-1] if joined else None
        if last and last.kind == sentence.kind and _belongs(message, last, sentence):
            text = message.text[last.start : sentence.end]
            joined[-1] = last._replace(text=text, end=sentence.end)
        else:
            joined.append(sentence)
    return joined


def _belongs(message: MaskedMessage, last: Sentence, sentence: Sentence) -> bool:
    if "\n" in message.text[last.end : sentence.start]:
        return False
    if (
        len(last.text) < 40
        and len(sentence.text) < 40
        and len(sentence.text.split()) == 1
    ):
        words = last.text.split()
        staccato = all(word.endswith((".", "!")) for word in words)
        return staccato and words[0].rstrip(".!").lower() in _STACCATO
    return _begins(sentence.text, _FINISHES) and not last.text.endswith("?")
