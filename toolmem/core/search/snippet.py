"""Choose the sentence of a text that shows best why it matched."""

import re
from collections.abc import Collection

from toolmem.core import search_limits
from toolmem.core.search.scores import Terms
from toolmem.core.text.terms import fold, spaced

_SENTENCE_END = re.compile(r"(?<=[.!?।؟。！？])\s+|(?<=[。！？])")
_READ = 64 * 1024
"""Characters of a text that are read: enough for any real memory."""


def snippet(text: str, terms: Terms) -> str:
    """Return one line of at most `SNIPPET_CHARS`: the sentence of greatest term weight.

    Among equals, the first. A long sentence is cut around its first term.
    """
    text = text[:_READ]
    meant = terms.among(spaced(text))
    best, most = "", 0.0
    for line in text.splitlines():
        if best and line.isascii() and not _has_one(line.lower(), meant):
            continue
        for sentence in _SENTENCE_END.split(line):
            gain = _gain(sentence, terms, meant)
            if gain > most or not best:
                best, most = " ".join(sentence.split()), gain
    return _cut(best, terms)


def _gain(sentence: str, terms: Terms, meant: Collection[str]) -> float:
    folded = fold(sentence)
    if not _has_one(folded, meant):
        return 0.0
    found = set(terms.among(spaced(sentence)).values())
    return sum(terms.weights[term] for term in sorted(found))


def _has_one(folded: str, meant: Collection[str]) -> bool:
    return any(word in folded for word in meant)


def _cut(sentence: str, terms: Terms) -> str:
    chars_left = search_limits.SNIPPET_CHARS
    if len(sentence) <= chars_left:
        return sentence
    start = _first_term(sentence, terms)
    if start + chars_left // 2 > len(sentence):
        start = len(sentence) - chars_left // 2
    start = max(0, start - chars_left // 2)
    if start:
        start = sentence.find(" ", start, start + 20) + 1 or start
    piece = sentence[start : start + chars_left - 2]
    if start + len(piece) < len(sentence):
        piece = (
            piece[: piece.rfind(" ", chars_left - 30) + 1 or len(piece)].rstrip() + "…"
        )
    return "…" + piece if start else piece


def _first_term(sentence: str, terms: Terms) -> int:
    at = 0
    for piece in sentence.split(" "):
        if meant := terms.among(spaced(piece)):
            if len(piece) < search_limits.SNIPPET_CHARS // 4:
                return at
            # A long piece is in a script without spaces, or an address.
            return at + max(0, min(map(fold(piece).find, meant)))
        at += len(piece) + 1
    return 0
