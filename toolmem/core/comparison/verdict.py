"""Verdict on two texts: the same, more detail, a contradiction, or unrelated.

Two texts contradict each other only when they are about the same thing and differ on
it. The similarity is the mean of rapidfuzz's ``token_sort_ratio`` and the cosine of
tf-idf vectors; ``bench/retrieval.py`` names the data that all of it was measured on.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from enum import StrEnum
from itertools import pairwise
from math import log, sqrt
from typing import NamedTuple

from rapidfuzz.fuzz import token_sort_ratio

from toolmem.core import limits
from toolmem.core.comparison.alignment import Alignment, Pair, align
from toolmem.core.comparison.document import (
    HEADING,
    STEP,
    Document,
    Statement,
    read_document,
)
from toolmem.core.comparison.grammar import LINKS
from toolmem.core.comparison.relation import Kind, content_of
from toolmem.core.comparison.spelling import Spelling, with_synonyms
from toolmem.core.language.language import ENGLISH, Language
from toolmem.core.search.terms import words

_COMPARED = 32 * 1024
"""Characters of a text that are compared; a difference beyond them is not the same."""
_FEW = 10
"""Documents added to the count of a vault, so that idf is meaningful in small ones."""
_CONCERNED = 0.5
"""Minimum share of the shorter text that is the same or contradicted, to contradict."""
_REPEATED = 3
"""Minimum words of an older text for a text that repeats it to be merged."""


class SaveAction(StrEnum):
    """Action of saving a new text."""

    DEDUPLICATED = "deduplicated"
    MERGED = "merged"
    CONTESTED = "contested"
    CREATED = "created"


class SaveVerdict(NamedTuple):
    """Action, similarity of the texts (0..1), and the words that differ."""

    action: SaveAction
    similarity: float
    differing: tuple[str, ...] = ()

    def contested(self, differing: tuple[str, ...]) -> "SaveVerdict":
        """Return the verdict for texts that a program cannot merge."""
        return self._replace(action=SaveAction.CONTESTED, differing=differing)


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


def compare(new: str, old: str, vault: TermStatistics) -> SaveVerdict:
    """Return the verdict on saving ``new`` where ``old`` is already there."""
    new, old = new.strip(), old.strip()
    cut = new[_COMPARED:] != old[_COMPARED:]
    ours, theirs = read_document(new[:_COMPARED]), read_document(old[:_COMPARED])
    stem_of = vault.language.stem_of
    spelling = Spelling(vault.is_word, lambda word: vault.frequency(stem_of(word)))
    ours, theirs = with_synonyms(ours, theirs)
    similarity = _similarity(ours, theirs, vault)
    found = align(ours, theirs, spelling)
    if not (found.pairs or found.ours or found.theirs):
        return _of_equal(ours, theirs, similarity, cut)
    differing = _contradiction(found, ours, theirs)
    if differing:
        return SaveVerdict(SaveAction.CONTESTED, similarity, differing)
    first = found.leading
    if first is not None and first.relation.kind in (Kind.APART, Kind.UNRELATED):
        return SaveVerdict(SaveAction.CREATED, similarity)
    if similarity >= limits.SIMILAR_RELATED or _is_repeated(found, ours, theirs):
        only_same = all(pair.relation.kind is Kind.SAME for pair in found.pairs)
        if only_same and not (found.ours or found.theirs):
            return _of_equal(ours, theirs, similarity, cut)
        return SaveVerdict(SaveAction.MERGED, similarity)
    return SaveVerdict(SaveAction.CREATED, similarity)


def _of_equal(
    ours: Document, theirs: Document, similarity: float, cut: bool
) -> SaveVerdict:
    """Return the verdict on texts of the same statements, perhaps in another order."""
    if cut:
        return SaveVerdict(SaveAction.MERGED, similarity)
    moved = _moved(ours, theirs)
    if moved:
        return SaveVerdict(SaveAction.CONTESTED, similarity, moved)
    return SaveVerdict(SaveAction.DEDUPLICATED, 1.0)


def _moved(ours: Document, theirs: Document) -> tuple[str, ...]:
    """Words of statements whose place matters and differs.

    These are numbered steps, statements that continue the one before them, and those
    under one of several headings.
    """
    steps = [
        [s.keys for s in side.statements if s.kind == STEP] for side in (ours, theirs)
    ]
    if steps[0] != steps[1] and Counter(steps[0]) == Counter(steps[1]):
        return _words(a for a, b in zip(*steps, strict=True) if a != b)
    chained = [_chained(side) for side in (ours, theirs)]
    if len(ours.statements) == len(theirs.statements) and chained[0] != chained[1]:
        return _words(pair[1] for pair in chained[0] ^ chained[1])
    if len(ours.headings & theirs.headings) < 2:
        return ()
    placed = [
        Counter((s.under, s.keys) for s in side.statements if s.kind != HEADING)
        for side in (ours, theirs)
    ]
    changed = (placed[0] - placed[1]) + (placed[1] - placed[0])
    both = ours.headings & theirs.headings
    return _words(keys for under, keys in changed if under in both)


def _words(found: object) -> tuple[str, ...]:
    return tuple(sorted({key for keys in found for key in keys}))[:8]  # type: ignore


def _chained(document: Document) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    rows = document.statements
    return {
        (before.keys, one.keys)
        for before, one in pairwise(rows)
        if one.keys[:1] and one.keys[0] in LINKS
    }


def _contradiction(
    found: Alignment, ours: Document, theirs: Document
) -> tuple[str, ...]:
    """Return the words that contradict each other, if any."""
    swapped = _swapped(found)
    if swapped:
        return swapped
    if _begin_apart(found):
        return ()
    pairs = [pair for pair in found.pairs if _contradicts(pair, found)]
    differing = sum(max(len(p.ours.tokens), len(p.theirs.tokens)) for p in pairs)
    shorter = min(len(ours.tokens), len(theirs.tokens))
    if not pairs or differing + found.common < _CONCERNED * shorter:
        return ()
    return tuple(sorted({word for p in pairs for word in p.relation.differing}))


def _begin_apart(found: Alignment) -> bool:
    """Return True if the texts state at their beginning that their subjects differ.

    A single word changed at the beginning of a note is an edit, if the rest is the
    same.
    """
    first = found.leading
    if first is None or first.relation.kind is not Kind.APART:
        return False
    headed = HEADING in (first.ours.kind, first.theirs.kind)
    return headed or first.relation.slots > 1 or not found.common


def _swapped(found: Alignment) -> tuple[str, ...]:
    """Words that both texts have in other places: "A does X. B does Y.", swapped."""
    mine = [*found.ours, *(pair.ours for pair in found.pairs)]
    known = [*found.theirs, *(pair.theirs for pair in found.pairs)]
    if not found.pairs or _content(mine) != _content(known):
        return ()
    kinds = {pair.relation.kind for pair in found.pairs}
    if kinds <= {Kind.SAME}:
        return ()
    return tuple(sorted({w for pair in found.pairs for w in pair.relation.differing}))


def _content(statements: Sequence[Statement]) -> Counter[str]:
    return sum((content_of(one.tokens) for one in statements), Counter())


def _contradicts(pair: Pair, found: Alignment) -> bool:
    kind = pair.relation.kind
    if kind is Kind.APART:
        # One word changed in a note that is otherwise the same.
        return pair.relation.slots == 1 and bool(found.common)
    return kind is Kind.CONFLICT


def _is_repeated(found: Alignment, ours: Document, theirs: Document) -> bool:
    """Return True if one text is entirely in the other."""
    kinds = {pair.relation.kind for pair in found.pairs}
    if not kinds <= {Kind.SAME, Kind.MORE}:
        return False
    smaller = min(len(ours.tokens), len(theirs.tokens))
    return not (found.ours and found.theirs) and smaller >= _REPEATED


def _similarity(ours: Document, theirs: Document, vault: TermStatistics) -> float:
    """Mean of token_sort_ratio and the tf-idf cosine, 0..1."""
    one, other = _plain(ours), _plain(theirs)
    letters = token_sort_ratio(" ".join(one), " ".join(other)) / 100
    return (letters + _cosine(one, other, vault)) / 2


def _plain(document: Document) -> list[str]:
    return [
        word for token in document.tokens for word in words(token.key) or [token.key]
    ]


def _cosine(ours: Sequence[str], theirs: Sequence[str], vault: TermStatistics) -> float:
    stem_of = vault.language.stem_of
    one, other = (Counter(map(stem_of, side)) for side in (ours, theirs))
    weight = {term: vault.rarity(term) for term in sorted(one | other)}
    product = sum(one[t] * other[t] * weight[t] ** 2 for t in weight)
    size = sum((one[t] * weight[t]) ** 2 for t in weight)
    size *= sum((other[t] * weight[t]) ** 2 for t in weight)
    return min(1.0, product / sqrt(size)) if size else 1.0
