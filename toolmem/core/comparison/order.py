"""Compare texts whose words, or phrases, are in another order."""

from collections import Counter
from collections.abc import Sequence

from toolmem.core.comparison.opposites import (
    COMMUTATIVE,
    COPULAS,
    OPENING,
    SOFT,
    SYMMETRIC,
)
from toolmem.core.comparison.slots import kind_of
from toolmem.core.comparison.words import LooseWord

_THING = 4
"""Words, at most, of each of two things that changed places."""
_COMMON = 3
"""Minimum words that texts in different order have in common."""
_COMPARING = ("than", "als", "que")


def is_swapped(
    one: Sequence[LooseWord], other: Sequence[LooseWord], *, identity: bool
) -> bool:
    """Return True for ``A before B`` and ``B before A``, whatever is around them.

    With ``identity``, ``A is B`` says the same as ``B is A``: "main is the branch".
    """
    ours, theirs = _keys(one), _keys(other)
    if Counter(ours) != Counter(theirs) or _is_rotated(ours, theirs):
        return False
    exchanged = _between_exchanged(ours, theirs)
    if exchanged is None:
        while ours and ours[0] == theirs[0]:
            del ours[0], theirs[0]
        while ours and ours[-1] == theirs[-1]:
            del ours[-1], theirs[-1]
        exchanged = _between_exchanged(ours, theirs)
    if _is_rotated(ours, theirs) or exchanged is None:
        return False
    moved = not OPENING.isdisjoint((ours[0], theirs[0])) or SYMMETRIC.intersection(
        exchanged
    )
    commuting = COMMUTATIVE | COPULAS if identity else COMMUTATIVE
    return not moved and not commuting.issuperset(exchanged)


def _is_rotated(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Return True if a phrase moved from one end to the other."""
    turns = ([*ours[at:], *ours[:at]] for at in range(1, len(ours)))
    return any(turned == list(theirs) for turned in turns)


def is_passive(active: Sequence[LooseWord], passive: Sequence[LooseWord]) -> bool:
    """Return True for "A calls B" and "A is called by B"."""
    ours, theirs = _keys(active), _keys(passive)
    added = Counter(theirs) - Counter(ours)
    if len(theirs) != len(ours) + 2 or added["by"] != 1:
        return False
    verb = theirs.index("by") - 1
    return passive[verb - 1].word in COPULAS and ours == [
        *theirs[: verb - 1],
        theirs[verb],
        *theirs[verb + 2 :],
    ]


def clauses(words: Sequence[LooseWord]) -> list[tuple[str, ...]]:
    """Return the clauses of a text without the conjunctions between them."""
    clauses: dict[int, list[str]] = {}
    for word in words:
        own = clauses.setdefault(word.clause, [])
        if word.key not in COMMUTATIVE:
            own.append(word.key)
    return [tuple(clause) for clause in clauses.values() if clause]


def _between_exchanged(ours: Sequence[str], theirs: Sequence[str]) -> list[str] | None:
    """Return the run around which two others exchanged their places, if any."""
    size = len(ours)
    most = _THING + 1  # longer runs are clauses, whose order says nothing
    for first in range(1, min(size - 1, most)):
        if ours[:first] != theirs[size - first :]:
            continue
        for last in range(1, min(size - first, most)):
            between = list(ours[first : size - last])
            if [*ours[size - last :], *between] == theirs[: size - first]:
                return between
    return None


def in_another_order(
    one: Sequence[LooseWord], other: Sequence[LooseWord]
) -> Sequence[LooseWord]:
    """Return the two words in which texts differ whose phrases are in another order.

    "In CI, retry 3 times" and "Retry 5 times in CI". The words next to them are equal.
    """
    ours, theirs = Counter(_keys(one)), Counter(_keys(other))
    common = ours & theirs
    in_order = [[key for key in _keys(side) if key in common] for side in (one, other)]
    if common.total() < _COMMON or in_order[0] == in_order[1]:
        return ()
    mine, known = (
        [at for at, word in enumerate(side) if (word.key in left)]
        for side, left in ((one, ours - theirs), (other, theirs - ours))
    )
    for weak in (frozenset[str](), SOFT | OPENING | {"by"}):
        places = [
            [at for at in left if side[at].word not in weak]
            for side, left in ((one, mine), (other, known))
        ]
        if [len(left) for left in places] == [1, 1]:
            at, place = places[0][0], places[1][0]
            changed = one[at], other[place]
            before = {_before(one, at), _before(other, place)}
            after = {_after(one, at), _after(other, place)}
            follows = len(after) == 1 and after.isdisjoint(("", *_COMPARING))
            kind = kind_of(*changed, _before(one, at))
            if kind == "value" and (follows or len(before) == 1):
                return changed
            if kind and follows and (len(before) == 1 or "" in before):
                return changed
    return ()


def _before(words: Sequence[LooseWord], at: int) -> str:
    return words[at - 1].word if at else ""


def _after(words: Sequence[LooseWord], at: int) -> str:
    return words[at + 1].key if at + 1 < len(words) else ""


def _keys(words: Sequence[LooseWord]) -> list[str]:
    return [word.key for word in words]
