"""Compare texts whose words, or phrases, are in another order."""

from collections import Counter
from collections.abc import Sequence

from toolmem.core.comparison.opposites import (
    CLAUSES,
    COMMUTATIVE,
    COPULAS,
    OPENING,
    SOFT,
    SYMMETRIC,
)
from toolmem.core.comparison.slots import kind_of
from toolmem.core.comparison.words import NEGATION, LooseWord

_THING = 4
"""Words, at most, of each of two things that changed places."""
_COMMON = 3
"""Minimum words that texts in different order have in common."""
_COMPARING = ("than", "als", "que")
_TURNED = frozenset("werden wird muss müssen darf dürfen soll sollen kann".split())
"""Verbs around which a German sentence may be turned."""
_PRONOUNS = frozenset("it them they".split())
_BEING = COPULAS | frozenset("be been being get gets got".split())


def is_swapped(
    one: Sequence[LooseWord], other: Sequence[LooseWord], *, identity: bool
) -> bool:
    """Return True for ``A before B`` and ``B before A``, whatever is around them.

    With ``identity``, ``A is B`` says the same as ``B is A``: "main is the branch".
    """
    ours, theirs = _keys(one), _keys(other)
    if Counter(ours) != Counter(theirs):
        ours, theirs = _once(one), _once(other)
    if Counter(ours) != Counter(theirs):
        return False
    exchanged = _between_exchanged(ours, theirs)
    if exchanged is None:
        while ours and ours[0] == theirs[0]:
            del ours[0], theirs[0]
        while ours and ours[-1] == theirs[-1]:
            del ours[-1], theirs[-1]
        exchanged = _between_exchanged(ours, theirs)
    if exchanged is None or not _PRONOUNS.isdisjoint(ours):
        return False
    moved = not OPENING.isdisjoint((ours[0], theirs[0])) or SYMMETRIC.intersection(
        exchanged
    )
    commuting = COMMUTATIVE | _TURNED | (COPULAS if identity else frozenset())
    return not moved and not commuting.issuperset(exchanged)


def _once(words: Sequence[LooseWord]) -> list[str]:
    """Return the words of "A owns X, B owns Y" as those of "A owns X and B Y"."""
    return list(dict.fromkeys(k for k in _keys(words) if k not in COMMUTATIVE))


def in_the_active(
    one: list[LooseWord], other: list[LooseWord]
) -> tuple[list[LooseWord], list[LooseWord]]:
    """Return both texts, the one in the passive in the active if the other one is."""
    agents = [
        [at for at, word in enumerate(side) if word.word == "by"]
        for side in (one, other)
    ]
    if len(agents[0]) == 1 and not agents[1]:
        return _active(one, agents[0][0]), other
    if len(agents[1]) == 1 and not agents[0]:
        return one, _active(other, agents[1][0])
    return one, other


def _active(words: list[LooseWord], by: int) -> list[LooseWord]:
    """Return "B calls A" for "A is called by B"; another sentence is unchanged."""
    before = [word for word in words[: max(0, by - 1)] if word.key != NEGATION]
    if len(before) < 2 or before[-1].word not in _BEING or by == len(words) - 1:
        return words
    ends = (at for at in range(by + 1, len(words)) if words[at].word in OPENING)
    end = next(ends, len(words))
    helping = [
        word for word in words[: by - 1] if word.word in SOFT or word.key == NEGATION
    ]
    patient = [word for word in words[: by - 1] if word not in helping]
    helping = [word for word in helping if word.word not in _BEING]
    agent = words[by + 1 : end]
    if not agent:
        return words
    if agent[-1].word == "only":
        agent = [agent[-1], *agent[:-1]]
    return [*agent, *helping, words[by - 1], *patient, *words[end:]]


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
            is_content = OPENING.isdisjoint(mine.word for mine in changed)
            inside = len(before) == 1 and is_content and after.isdisjoint(_COMPARING)
            if kind and (follows if "" in before else inside):
                return changed
    return ()


def denied_in_another_order(
    one: Sequence[LooseWord], other: Sequence[LooseWord]
) -> Sequence[LooseWord]:
    """Return the negation of one text if the other has all its words and no negation.

    "The build fails on warnings" and "Warnings don't fail the build".
    """
    negations = [word for word in (*one, *other) if word.key == NEGATION]
    weak = SOFT | OPENING | COMMUTATIVE
    ours, theirs = (
        Counter(
            word.key for word in side if word.word not in weak and word.key != NEGATION
        )
        for side in (one, other)
    )
    limits = [CLAUSES.intersection(word.word for word in side) for side in (one, other)]
    same = ours == theirs and ours.total() >= _COMMON and limits[0] == limits[1]
    return negations if same and len(negations) == 1 else ()


def _before(words: Sequence[LooseWord], at: int) -> str:
    return words[at - 1].word if at else ""


def _after(words: Sequence[LooseWord], at: int) -> str:
    return words[at + 1].key if at + 1 < len(words) else ""


def _keys(words: Sequence[LooseWord]) -> list[str]:
    return [word.key for word in words]
