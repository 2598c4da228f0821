"""Align the words of two texts, and decide what kind each difference is of."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Indel

from toolmem.core.comparison.opposites import (
    CALENDAR,
    CIRCUMSTANCES,
    EVERYONE,
    OPENING,
    REASONS,
    SOFT,
    UNITS,
    are_opposite,
    are_things,
)
from toolmem.core.comparison.words import NEGATION, LooseWord

_PART = 4
"""Words, at most, of a part of a sentence that only one text has."""
_JOINED = 3
"""Words, at most, that are written as one in the other text."""
EXCLUSIVE = frozenset("per pro only solely exclusively nur".split())
"""Words after which another word excludes the first: "per user", "only the owner"."""
_LEAST = frozenset((">", ">=", "≥"))
_MOST = frozenset(("<", "<=", "≤"))
_DIGITS = re.compile(r"[\d.,]*\d")
_AMOUNT = re.compile(r"-?[\d.]+(?:e[+-]\d+)?")


class Slot(NamedTuple):
    """Words of both texts that correspond and differ.

    ``before`` is the word before them, ``at`` counts those before; ``is_last`` is True
    for the end of both texts.
    """

    ours: Sequence[LooseWord]
    theirs: Sequence[LooseWord]
    at: int
    before: str
    is_last: bool

    @property
    def words(self) -> tuple[LooseWord, ...]:
        """Words of both sides."""
        return (*self.ours, *self.theirs)


class SlotChange(NamedTuple):
    """Number of the differences of a slot, by kind."""

    negations: int = 0
    opposites: int = 0
    values: int = 0


NO_CHANGE = SlotChange()


def slots_between(one: Sequence[LooseWord], other: Sequence[LooseWord]) -> list[Slot]:
    """Return the words of both sides between those that are equal."""
    slots: list[Slot] = []
    begin = start = 0
    blocks = Indel.opcodes([word.key for word in one], [word.key for word in other])
    for same in blocks.as_matching_blocks():
        if begin < same.a or start < same.b:
            before = one[begin - 1].word if begin else ""
            is_last = same.a == len(one) and same.b == len(other)
            sides = one[begin : same.a], other[start : same.b]
            slots.append(Slot(*sides, begin, before, is_last))
        begin, start = same.a + same.size, same.b + same.size
    return slots


def changes_of(slots: Sequence[Slot]) -> list[SlotChange] | None:
    """Return the kinds of the differences of each slot; None if one is of no kind.

    "for all" and "only for members" differ in one thing, at two places.
    """
    limited = any(_only(side) for slot in slots for side in slot[:2])
    changes = [_change_of(slot, limited=limited) for slot in slots]
    stated = [change for change in changes if change is not None]
    return stated if len(stated) == len(slots) else None


def _only(words: Sequence[LooseWord]) -> bool:
    return [word.word for word in words] == ["only"]


def _change_of(slot: Slot, *, limited: bool) -> SlotChange | None:
    ours, theirs = _without_part(slot.ours, slot.theirs)
    theirs, ours = _without_part(theirs, ours)
    denials = sum(word.key == NEGATION for word in (*ours, *theirs))
    ours, theirs = (
        [word for word in side if word.key != NEGATION] for side in (ours, theirs)
    )
    if slot.is_last:
        ours, theirs = _without_reason(ours, theirs), _without_reason(theirs, ours)
    content = _without_weak(ours, theirs)
    for mine, known in ((ours, theirs), content):
        change = _paired(mine, known, slot.before) if len(mine) == len(known) else None
        if change is not None and (mine or denials):
            return change._replace(negations=denials % 2)
    if _only([*ours, *theirs]) or SOFT.issuperset(_spoken(ours, theirs)):
        return SlotChange(denials % 2)
    if _is_for_all_or_some(ours, theirs, limited=limited):
        return SlotChange(denials % 2, opposites=1)
    if ours and theirs and len(ours) != len(theirs) <= _JOINED >= len(ours):
        if are_opposite(*("".join(_spoken(side)) for side in (ours, theirs))):
            return SlotChange(denials % 2, opposites=1)
        if _are_apart(ours, theirs):
            return SlotChange(denials % 2, values=1)
    return None


def _paired(
    ours: Sequence[LooseWord], theirs: Sequence[LooseWord], before: str
) -> SlotChange | None:
    """Return the change of two sides with as many words, if each has a kind."""
    kinds = []
    for mine, known in zip(ours, theirs, strict=True):
        kinds.append(kind_of(mine, known, before))
        before = mine.word
    if "opposite" in kinds:  # "included in" and "excluded from"
        words = zip(kinds, ours, theirs, strict=True)
        kinds = [
            _kind_of_prepositions(*two) if kind is None else kind
            for kind, *two in words
        ]
    if None in kinds:
        return None
    return SlotChange(0, kinds.count("opposite"), kinds.count("value"))


def _spoken(*sides: Sequence[LooseWord]) -> list[str]:
    return [word.word for side in sides for word in side]


def _without_weak(
    ours: Sequence[LooseWord], theirs: Sequence[LooseWord]
) -> tuple[list[LooseWord], list[LooseWord]]:
    """Leave out auxiliaries, and prepositions that only one side has."""
    placed = [not OPENING.isdisjoint(_spoken(side)) for side in (ours, theirs)]
    weak = SOFT if all(placed) else SOFT | OPENING
    one, other = (
        [word for word in side if word.word not in weak] for side in (ours, theirs)
    )
    return one, other


def _without_part(
    ours: Sequence[LooseWord], theirs: Sequence[LooseWord]
) -> tuple[Sequence[LooseWord], Sequence[LooseWord]]:
    """Leave out a part of a sentence before the negation of what the other text says.

    "Use tabs" and "Use spaces, not tabs"; "is kept" and "is replaced and not kept".
    """
    denied = [at for at, word in enumerate(ours) if word.key == NEGATION]
    if theirs or len(denied) != 1 or not 0 < denied[0] <= _PART:
        return ours, theirs
    last, negation = ours[denied[0] - 1 : denied[0] + 1]
    is_apart = last.clause != negation.clause or last.word in ("and", "but")
    return (ours[denied[0] :] if is_apart else ours), theirs


def _without_reason(
    ours: list[LooseWord], theirs: Sequence[LooseWord]
) -> list[LooseWord]:
    """Leave out an explanation at the end that the other text does not have."""
    explains = ours and not theirs and ours[0].word in REASONS
    return [] if explains else ours


def _is_for_all_or_some(
    ours: Sequence[LooseWord], theirs: Sequence[LooseWord], *, limited: bool
) -> bool:
    """Return True for "everyone" and "only admins", or "all" where "only" is."""
    for every, some in ((ours, theirs), (theirs, ours)):
        if EVERYONE.issuperset(_spoken(every)) and every and 0 < len(some) <= _JOINED:
            return limited or some[0].word == "only"
    return False


def _are_apart(ours: Sequence[LooseWord], theirs: Sequence[LooseWord]) -> bool:
    """Return True for quantities of which no number is both: "at least 3" and "2"."""
    one, other = _interval(ours), _interval(theirs)
    if one is None or other is None or one[2] != other[2]:
        return False
    return one[1] < other[0] or other[1] < one[0]


def _interval(words: Sequence[LooseWord]) -> tuple[float, float, str] | None:
    *signs, number = words
    amount = _AMOUNT.match(number.key)
    if not number.counts or len(signs) > 1 or not amount:
        return None
    try:
        value = float(amount[0])
    except ValueError:
        return None
    sign = signs[0].word if signs else "="
    if sign not in {"=", *_LEAST, *_MOST}:
        return None
    low = -float("inf") if sign in _MOST else value
    high = float("inf") if sign in _LEAST else value
    return low, high, number.key[amount.end() :].strip()


def _kind_of_prepositions(one: LooseWord, other: LooseWord) -> str | None:
    same = one.key == other.key or OPENING.issuperset((one.word, other.word))
    return "" if same else None


def kind_of(one: LooseWord, other: LooseWord, before: str) -> str | None:
    """Return the kind of a difference: empty for none, None for no listed kind.

    ``before`` is the word before: "in the client" and "in the server" can both be so.
    """
    if one.key == other.key:
        return ""
    words = {one.word, other.word}
    if before in EXCLUSIVE and one.word.isalpha() and other.word.isalpha():
        return "value"
    if before in CIRCUMSTANCES and are_things(one.word, other.word):
        return None
    if are_opposite(one.word, other.word):
        is_word = one.word.isalpha() or other.word.isalpha()
        return "opposite" if is_word else "value"
    if (one.counts and other.counts) or any(map(words.issubset, (UNITS, CALENDAR))):
        return "value"
    numbered = [_DIGITS.sub("0", word.key) for word in (one, other)]
    if numbered[0] == numbered[1] and "0" in numbered[0]:
        return "value"
    return "" if SOFT.issuperset(words) else None


def quantities(words: Sequence[LooseWord]) -> Iterator[str]:
    """Yield the numbers of words, and the keys of the other words."""
    for word in words:
        yield from _DIGITS.findall(word.word) or [word.key]
