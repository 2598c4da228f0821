"""Read what clauses demand as terms: words with their polarity and their role.

A term under a negation is negative, and one in a condition or an exception has the
word that opens it as its role.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from toolmem.core.candidates.wording_clauses import (
    DISLIKES,
    IDLE,
    MODALS,
    NEGATIONS,
    PERSONS,
    PLACES,
    POINTERS,
    ROLES,
    WordingClause,
)
from toolmem.core.capture.relate.content import stem
from toolmem.core.capture.text.words import word_set

_EVERY = word_set("every each any all always")
_AFTER_POINTER = word_set(
    "too first way again either goes applies holds is as so out up off"
)
_FREES_PLACE = MODALS | word_set("is are we you i")
"""Words after which a preposition no longer governs."""
_LOOSE = word_set("in on at for with by via about to as toward towards")
"""Prepositions that a wording may exchange."""


class Term(NamedTuple):
    """A stem; ``negative`` is None where a preposition, ``place``, governs it."""

    word: str
    negative: bool | None
    role: str
    place: str = ""


POINTER = "it"
"""Word of a term that refers to something else."""


def terms_of(clauses: Iterable[WordingClause]) -> list[Term]:
    """Return the terms of clauses, in their order."""
    parts = [clause.words for clause in clauses]
    terms = [with_order(_with_subject(words, _terms(words))) for words in parts]
    if parts and parts[-1] and parts[-1][0] in ROLES:
        role = ROLES[parts[-1][0]]
        terms[-1] = [
            one._replace(role=f"{role}?") if at > 1 and one.role == role else one
            for at, one in enumerate(terms[-1])
        ]
    return [term for part in terms for term in part]


def _terms(words: Sequence[str]) -> Iterator[Term]:
    reader = _Reader(words)
    for at, word in enumerate(words):
        if not reader.is_marker(at, word):
            yield from reader.term(at, word)
        yield from reader.marks()


def _with_subject(words: Sequence[str], terms: Iterable[Term]) -> list[Term]:
    """Return terms with the subject of a ban under its negation: "X may not be Y"."""
    banned = [
        at
        for at, (word, after) in enumerate(pairwise(words))
        if at and word in _FREES_PLACE and after in NEGATIONS
    ]
    subject = set(map(stem_of, words[: banned[0]])) if banned else set()
    return [
        term._replace(negative=True)
        if term.word in subject and term.negative is False and not term.role
        else term
        for term in terms
    ]


def with_order(terms: list[Term]) -> list[Term]:
    """Return "ask before you add" for "never add without asking"."""
    own = [term for term in terms if not term.role]
    marks = [term for term in own if term.word == "without"]
    if not marks or not any(term.negative for term in own):
        return terms
    return [
        Term("before", None, "")
        if term.word == "without"
        else term._replace(negative=None if term.place else False, role=role)
        for term, role in (
            (term, "" if term.role == "without" else term.role or "before")
            for term in terms
        )
    ]


class _Reader:
    """What governs the words of a clause, read from left to right."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._prefers = bool({"prefer", "better"} & set(words))
        self._denied = words[-1:] == ("never",)
        self._lesser = False
        self._role = self._place = ""
        self._marks: list[str] = []

    def marks(self) -> Iterator[Term]:
        """Yield the words that limit and count as terms themselves."""
        for word in self._marks:
            yield Term(word, None, "" if word == self._role else self._role)
        self._marks = []

    def is_marker(self, at: int, word: str) -> bool:
        """Read a word that only changes how others count; False for any other."""
        after = self._after(at)
        leaves = word == "leave" and "out" in self._words[at:]
        if word == "no" and self._place:
            self._marks = [word]
        elif word in NEGATIONS or leaves or self._dislikes(word):
            self._denied, self._place = not self._denied and after != "", ""
            if after in PLACES - {"to"}:
                self._role = self._role or "not"
        elif word == "out" and "leave" in self._words[:at]:
            self._place = word
        elif _is_lesser(self._words, at, self._prefers):
            self._lesser, self._place = True, ""
        elif word in ROLES or word == "but":
            self._open(word, after)
        elif word in _FREES_PLACE or (word == "and" and self._repeats_place(at)):
            self._place = ""
        elif word in PLACES and not self._is_infinitive(at, word):
            self._place = self._place if after in PERSONS else word
            self._marks = [] if word in _LOOSE else [word]
        else:
            return False
        return True

    def _is_infinitive(self, at: int, word: str) -> bool:
        before, after = self._words[at - 1], self._after(at)
        return word == "to" and (after == "be" or before == "than")

    def _repeats_place(self, at: int) -> bool:
        """Return whether the preposition comes again: "A in B and C in D"."""
        return self._place in self._words[at + 2 :]

    def _open(self, word: str, after: str) -> None:
        if not after:
            return
        self._denied, self._lesser, self._place = False, False, ""
        if word != "but":
            self._role = ROLES[word]
            self._marks = [] if self._role in ("when", "then") else [self._role]

    def term(self, at: int, word: str) -> Iterator[Term]:
        """Yield the term of a word that says something."""
        after = self._after(at)
        if word == "possible":
            yield Term(stem_of(word), None, "")
        elif word in _EVERY:
            if self._denied and word not in ("any", "always"):
                yield Term(word, None, self._role)
        elif _carries(word, after, self._prefers):
            negative = None if self._place else self._denied != self._lesser
            points = word in POINTERS and (word != "this" or not after.isalpha())
            said = POINTER if points else stem_of(word)
            yield Term(said, negative, self._role, self._place)

    def _after(self, at: int) -> str:
        return self._words[at + 1] if at + 1 < len(self._words) else ""

    def _dislikes(self, word: str) -> bool:
        return word in DISLIKES and self._words[0] in ("i", "we")


def _is_lesser(words: Sequence[str], at: int, prefers: bool) -> bool:
    """Return whether a word opens what something else is preferred to."""
    word, before = words[at], words[at - 1] if at else ""
    if word == "than":
        other = before.endswith("er") or before in ("more", "less")
        return before in ("better", "rather") or not other
    if word == "instead":
        return "of" in words[at + 1 : at + 2]
    verb = word == "to" and (before == "prefer" or before in NEGATIONS)
    return prefers and word in ("over", "to") and not verb


def _carries(word: str, after: str, prefers: bool) -> bool:
    """Return whether a word says something, or refers to something."""
    if word in ("this", "these", "that", "those") and after.isalpha():
        refers = after in _AFTER_POINTER or after in PLACES or after in ROLES
        return refers or (word in ("this", "these") and stem(after) not in IDLE)
    if word in POINTERS:
        return True
    return not (word == "better" and prefers) and stem(word) not in IDLE


def stem_of(word: str) -> str:
    """Return the stem of a word, part by part; a literal stays as it is."""
    parts = word.removesuffix("'s").split("-")
    return word if word[0] == "=" else "-".join(map(stem, parts))
