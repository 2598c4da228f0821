"""Verdict on saving a text next to one that is there.

The same and the contradiction are proved (see ``same`` and ``contradiction``). All else
is a new text; the similarity only decides whether it is linked. It is the mean of
``token_sort_ratio`` of rapidfuzz and the cosine of tf-idf vectors.
``bench/retrieval.py`` names the data that it was measured on.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from enum import StrEnum
from math import log, sqrt
from typing import NamedTuple

from rapidfuzz.fuzz import token_sort_ratio

from toolmem.core import limits
from toolmem.core.comparison.contradiction import contradiction
from toolmem.core.comparison.same import (
    Spelling,
    contains,
    repeats_part,
    same_statements,
)
from toolmem.core.comparison.statements import Statement, read_statements
from toolmem.core.language.language import ENGLISH, Language
from toolmem.core.text.terms import words

_COMPARED = 32 * 1024
"""Characters of a text whose similarity is measured."""
_FEW = 10
"""Documents added to the count of a vault, so that idf is meaningful in small ones."""
_REPEATED = 3
"""Minimum words of a text for one that contains it to be merged with it."""


class SaveAction(StrEnum):
    """Action of saving a new text."""

    DEDUPLICATED = "deduplicated"
    MERGED = "merged"
    CONTESTED = "contested"
    CREATED = "created"


class SaveVerdict(NamedTuple):
    """Action, similarity of the texts (0..1), and the words that differ.

    ``adds`` is True for a new text that contains the old one.
    """

    action: SaveAction
    similarity: float
    differing: tuple[str, ...] = ()
    adds: bool = False

    @property
    def is_similar(self) -> bool:
        """Return True for a new text that is similar to the other one."""
        created = self.action is SaveAction.CREATED
        return created and self.similarity >= limits.SIMILAR_RELATED


def _always(_: str) -> bool:
    return True


class TermStatistics(NamedTuple):
    """Word statistics of the vault and of a dictionary.

    ``frequency`` counts the documents with a stem. Without a dictionary every word is
    known, so that nothing counts as a typo.
    """

    documents: int
    frequency: Callable[[str], int]
    is_word: Callable[[str], bool] = _always
    language: Language = ENGLISH

    def rarity(self, term: str) -> float:
        """Return the idf of a term, smoothed for vaults of a few documents."""
        few = _FEW
        return 1 + log((few + self.documents) / (few + self.frequency(term)))

    @property
    def spelling(self) -> Spelling:
        """Existing words, for misspelt ones."""
        stem_of = self.language.stem_of
        return Spelling(self.is_word, lambda word: self.frequency(stem_of(word)))


def compare(new: str, old: str, vault: TermStatistics) -> SaveVerdict:
    """Return the verdict on saving ``new`` where ``old`` is already there.

    A text in which a statement is next to a part of itself takes no other's place.
    """
    ours, theirs = read_statements(new), read_statements(old)
    if same_statements(ours, theirs, vault.spelling):
        return SaveVerdict(SaveAction.DEDUPLICATED, 1.0)
    similarity = _similarity(new[:_COMPARED], old[:_COMPARED], vault)
    adds = _size(theirs) >= _REPEATED and contains(ours, theirs)
    adds = adds and not repeats_part(ours)
    if adds or (_size(ours) >= _REPEATED and contains(theirs, ours, whole=True)):
        return SaveVerdict(SaveAction.MERGED, similarity, adds=adds)
    differing = contradiction(ours, theirs, vault.language.stem_of, vault.is_word)
    if differing:
        return SaveVerdict(SaveAction.CONTESTED, similarity, differing)
    return SaveVerdict(SaveAction.CREATED, similarity)


def _size(statements: Sequence[Statement]) -> int:
    return sum(len(statement.tokens) for statement in statements)


def _similarity(new: str, old: str, vault: TermStatistics) -> float:
    """Mean of token_sort_ratio and the tf-idf cosine, 0..1."""
    one, other = words(new), words(old)
    letters = token_sort_ratio(" ".join(one), " ".join(other)) / 100
    return (letters + _cosine(one, other, vault)) / 2


def _cosine(ours: Sequence[str], theirs: Sequence[str], vault: TermStatistics) -> float:
    stem_of = vault.language.stem_of
    one, other = (Counter(map(stem_of, side)) for side in (ours, theirs))
    weight = {term: vault.rarity(term) for term in sorted(one | other)}
    product = sum(one[t] * other[t] * weight[t] ** 2 for t in weight)
    size = sum((one[t] * weight[t]) ** 2 for t in weight)
    size *= sum((other[t] * weight[t]) ** 2 for t in weight)
    return min(1.0, product / sqrt(size)) if size else 1.0
