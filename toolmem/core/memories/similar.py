"""Whether a new memory says what an old one says, more, or the opposite.

The similarity is the mean of rapidfuzz's ``token_sort_ratio`` and the cosine
of tf-idf vectors; what it was measured on is in ``bench/retrieval.py``.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from enum import StrEnum
from math import log, sqrt
from typing import NamedTuple

from rapidfuzz.distance import Indel
from rapidfuzz.fuzz import token_sort_ratio

from toolmem.core import limits
from toolmem.core.memories.comparison_tokens import (
    NEGATION,
    ComparisonToken,
    marks,
    names_in,
    opposites,
    read,
    swapped,
)
from toolmem.core.search.spelling import distance
from toolmem.core.search.terms import is_spaceless, stem_of

_COMPARED = 32 * 1024
"""Characters of a text that are compared; texts that differ beyond are not same."""
_MASK = "_"
_FEW = 10
"""Documents that a vault is taken to have more, so that idf means something."""
_COVERED = 0.6
"""Share of a statement's words that its counterpart must hold."""
_NEWS = 4
"""So many words more on one side are news, whatever the similarity."""
_STATEMENTS = 200
"""Statements of one text that are compared with those of the other."""
_NEIGHBOURS = 50
"""Words beside the same neighbour; more, and the neighbour says nothing."""
_PREFIXES = frozenset({"a", "de", "im", "in", "ir", "re", "un"})


class SaveAction(StrEnum):
    """What saving does with the new text."""

    DEDUPLICATED = "deduplicated"
    MERGED = "merged"
    CONTESTED = "contested"
    CREATED = "created"


class SaveVerdict(NamedTuple):
    """What to do, how similar the texts are (0..1), and which marks differ."""

    action: SaveAction
    similarity: float
    differing: tuple[str, ...] = ()


class TermStatistics(NamedTuple):
    """What is known of the words of the vault: ``frequency`` counts by term."""

    documents: int
    frequency: Callable[[str], int]

    def rarity(self, term: str) -> float:
        """The idf of a term, smoothed for vaults of a few documents."""
        few = _FEW
        return 1 + log((few + self.documents) / (few + self.frequency(term)))


def compare(new: str, old: str, vault: TermStatistics) -> SaveVerdict:
    """The verdict on saving ``new`` where ``old`` is already there."""
    # A title counts alike with its sign and without.
    new, old = (text.lstrip("# \n").rstrip() for text in (new, old))
    cut = new[_COMPARED:] != old[_COMPARED:]
    new, old = new[:_COMPARED], old[:_COMPARED]
    names = names_in(new, old)
    ours, theirs = read(new, names), read(old, names)
    if min(len(ours), len(theirs)) < limits.SIMILAR_WORDS:
        same = [t.word for t in ours] == [t.word for t in theirs]
        return SaveVerdict(
            SaveAction.DEDUPLICATED if same else SaveAction.CREATED, float(same)
        )
    ours = _without_typos(ours, theirs, vault)
    similarity = _similarity(ours, theirs, vault)
    masked = _similarity(_masked(ours), _masked(theirs), vault)
    added, missing = _additions(ours, theirs), _additions(theirs, ours)
    if masked >= limits.SIMILAR_RELATED:
        differing = _differing(ours, theirs, added, missing)
        if differing:
            return SaveVerdict(SaveAction.CONTESTED, similarity, differing)
    if similarity < limits.SIMILAR_RELATED:
        return SaveVerdict(SaveAction.CREATED, similarity)
    news = _is_news(ours, added) or _is_news(theirs, missing)
    if cut or news or _differ_in_size(ours, theirs):
        return SaveVerdict(SaveAction.MERGED, similarity)
    same = similarity > limits.SIMILAR_SAME
    return SaveVerdict(
        SaveAction.DEDUPLICATED if same else SaveAction.MERGED, similarity
    )


def _similarity(
    ours: Sequence[ComparisonToken],
    theirs: Sequence[ComparisonToken],
    vault: TermStatistics,
) -> float:
    """The mean of token_sort_ratio and the tf-idf cosine, 0..1."""
    one, other = (" ".join(token.word for token in side) for side in (ours, theirs))
    letters = token_sort_ratio(one, other) / 100
    return (letters + _cosine(ours, theirs, vault)) / 2


def _cosine(
    ours: Sequence[ComparisonToken],
    theirs: Sequence[ComparisonToken],
    vault: TermStatistics,
) -> float:
    one, other = (
        Counter(stem_of(token.word) for token in side) for side in (ours, theirs)
    )
    weight = {term: vault.rarity(term) for term in sorted(one | other)}
    product = sum(one[t] * other[t] * weight[t] ** 2 for t in weight)
    size = sum((one[t] * weight[t]) ** 2 for t in weight)
    size *= sum((other[t] * weight[t]) ** 2 for t in weight)
    return min(1.0, product / sqrt(size)) if size else 1.0


def _masked(tokens: Sequence[ComparisonToken]) -> list[ComparisonToken]:
    return [token._replace(word=_MASK) if token.mark else token for token in tokens]


def _differing(
    ours: list[ComparisonToken],
    theirs: list[ComparisonToken],
    added: set[int],
    missing: set[int],
) -> tuple[str, ...]:
    """What makes the texts contradict each other: marks, opposites, swaps.

    What only one text has is more to know, no contradiction: whole statements
    (``added`` to ours, ``missing`` from it), and headings and longer runs of
    words, though these may not bring a negation.
    """
    one, other = marks(ours), marks(theirs)
    new_run = _runs(ours, theirs) | _headings(ours, theirs)
    old_run = _runs(theirs, ours) | _headings(theirs, ours)
    extra = (one - other) - _excused(ours, added, new_run)
    lacking = (other - one) - _excused(theirs, missing, old_run)
    return (
        tuple(sorted(extra + lacking))
        or opposites(
            [token for token in ours if token.segment not in added],
            [token for token in theirs if token.segment not in missing],
        )
        or swapped(ours, theirs)
    )


def _excused(
    tokens: list[ComparisonToken], statements: set[int], run: set[int]
) -> Counter[str]:
    return marks(
        token
        for at, token in enumerate(tokens)
        if token.segment in statements or (at in run and token.mark != NEGATION)
    )


def _headings(ours: list[ComparisonToken], theirs: list[ComparisonToken]) -> set[int]:
    """Places in statements as short as a heading, of words that both texts have."""
    known = {token.word for token in theirs}
    short = {
        statement[0].segment
        for statement in _segments(ours)
        if len(statement) < _NEWS and known.issuperset(_words(statement))
    }
    return {at for at, token in enumerate(ours) if token.segment in short}


def _is_news(tokens: list[ComparisonToken], statements: set[int]) -> bool:
    """Whether statements that only one text has say more than a heading does."""
    said = [token for token in tokens if token.segment in statements]
    return len(said) >= _NEWS - 1 or any(token.mark for token in said)


def _differ_in_size(ours: list[ComparisonToken], theirs: list[ComparisonToken]) -> bool:
    """Whether the words differ by more than slips and single synonyms.

    In a script without spaces every character may be the word that counts.
    """
    one, other = (Counter(token.word for token in side) for side in (ours, theirs))
    changed = (one - other) + (other - one)
    return abs(len(ours) - len(theirs)) >= _NEWS or any(map(is_spaceless, changed))


def _runs(ours: list[ComparisonToken], theirs: list[ComparisonToken]) -> set[int]:
    """Places of words of ours that come in a row and are not in theirs."""
    changes = Indel.opcodes(
        [token.word for token in theirs], [token.word for token in ours]
    )
    return {
        at
        for change in changes
        if change.tag != "equal" and change.dest_end - change.dest_start >= _NEWS
        for at in range(change.dest_start, change.dest_end)
    }


def _additions(ours: list[ComparisonToken], theirs: list[ComparisonToken]) -> set[int]:
    """The statements of ``ours`` that nothing in ``theirs`` corresponds to."""
    mine, known = _segments(ours), _segments(theirs)
    excess = Counter(t.word for t in ours) - Counter(t.word for t in theirs)
    same = {_words(one) for one in mine} & {_words(one) for one in known}
    counterparts = [Counter(_words(one)) for one in known if _words(one) not in same]
    found = set()
    for statement in mine:
        plain = Counter(token.word for token in statement if not token.mark)
        size = plain.total()
        new = (Counter(_words(statement)) & excess).total()
        few = min(size, new) < _NEWS - 1 if counterparts else not new
        if not (
            few
            or _words(statement) in same
            or any((plain & c).total() >= _COVERED * size for c in counterparts)
        ):
            found.add(statement[0].segment)
    return found


def _words(statement: list[ComparisonToken]) -> tuple[str, ...]:
    return tuple(token.word for token in statement)


def _segments(tokens: list[ComparisonToken]) -> list[list[ComparisonToken]]:
    """The statements of a text; the last of very many holds all the rest."""
    found: dict[int, list[ComparisonToken]] = {}
    for token in tokens:
        found.setdefault(min(token.segment, _STATEMENTS), []).append(token)
    return list(found.values())


def _without_typos(
    ours: list[ComparisonToken], theirs: list[ComparisonToken], vault: TermStatistics
) -> list[ComparisonToken]:
    """Our words, spelt as theirs where only a slip lies between the two.

    A slip is a word that neither the other text nor the vault knows, close to
    one that only the other text has, beside the same neighbour.
    """
    mine, known = {t.word for t in ours}, {t.word for t in theirs}
    beside: dict[str, set[str]] = {}
    for before, token, after in _trios(theirs):
        if token.word not in mine and not token.mark:
            beside.setdefault(f"{before} ", set()).add(token.word)
            beside.setdefault(f" {after}", set()).add(token.word)
    spelt = {}
    for before, token, after in _trios(ours):
        if token.word in known or token.mark or vault.frequency(stem_of(token.word)):
            continue
        near: set[str] = set()
        for neighbour in (f"{before} ", f" {after}"):
            if len(words := beside.get(neighbour, near)) <= _NEIGHBOURS:
                near |= words
        meant = [word for word in sorted(near) if _is_slip(token.word, word)]
        if meant:
            spelt[token.word] = meant[0]
    return [t._replace(word=spelt.get(t.word, t.word)) for t in ours]


def _trios(tokens: list[ComparisonToken]) -> list[tuple[str, ComparisonToken, str]]:
    around = ["", *(token.word for token in tokens), ""]
    return list(zip(around, tokens, around[2:], strict=False))


def _is_slip(word: str, meant: str) -> bool:
    """Whether one of these alphabetic words may be a misspelling of the other."""
    short, long = sorted((word, meant), key=len)
    if len(long) < 4 or not (short.isalpha() and long.isascii()):
        return False
    if long.endswith(short) and long[: -len(short)] in _PREFIXES:
        return False
    if word[0] != meant[0] and sorted(word[:2]) != sorted(meant[:2]):
        return len(short) < len(long) and distance(word, meant, 1) == 1
    most = 1 if len(long) < limits.SLIP_CHARS else 2
    return distance(word, meant, most) <= most
