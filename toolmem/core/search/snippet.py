"""Which piece of a text shows best why it was found."""

import re
from collections.abc import Mapping

from toolmem.core import limits
from toolmem.core.search.terms import stem_of, words

_PIECE = re.compile(r"[^\n]+")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])")
_READ = 64 * 1024
"""Characters of a text that are looked at: enough for any memory of note."""


def snippet(text: str, weights: Mapping[str, float]) -> str:
    """One line of at most `SNIPPET_CHARS`: the sentence with the weightiest terms.

    Among equals the first. A long sentence is cut around its first term.
    """
    best, most = "", 0.0
    for line in _PIECE.findall(text[:_READ]):
        for sentence in _SENTENCE_END.split(line):
            gain = _gain(sentence, weights)
            if gain > most or not best:
                best, most = " ".join(sentence.split()), gain
    return _cut(best, weights)


def _gain(sentence: str, weights: Mapping[str, float]) -> float:
    starts = {term[:2] for term in weights}
    found = {stem_of(w) for w in words(sentence) if w[:2] in starts}
    return sum(weights[term] for term in sorted(found) if term in weights)


def _cut(sentence: str, weights: Mapping[str, float]) -> str:
    room = limits.SNIPPET_CHARS
    if len(sentence) <= room:
        return sentence
    start = _first_term(sentence, weights)
    if start + room // 2 > len(sentence):
        start = len(sentence) - room // 2
    start = max(0, start - room // 2)
    if start:
        start = sentence.find(" ", start, start + 20) + 1 or start
    piece = sentence[start : start + room - 2]
    if start + len(piece) < len(sentence):
        piece = piece[: piece.rfind(" ", room - 30) + 1 or len(piece)].rstrip() + "…"
    return "…" + piece if start else piece


def _first_term(sentence: str, weights: Mapping[str, float]) -> int:
    at = 0
    for piece in sentence.split(" "):
        if any(stem_of(word) in weights for word in words(piece)):
            return at
        at += len(piece) + 1
    return 0
