"""Prove that two texts contradict each other.

They differ at the same place of both in a number, a unit, a negation, opposite words
or signs, or in things that changed places, and the rest is the same; the longer text
may have more statements. Articles, inflection and the order of whole statements are no
difference here.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from rapidfuzz.distance import Indel

from toolmem.core.comparison.opposites import (
    ARTICLES,
    CALENDAR,
    COMMUTATIVE,
    NUMBERED,
    OPENING,
    SOFT,
    SYMMETRIC,
    UNITS,
    are_opposite,
)
from toolmem.core.comparison.statements import Statement
from toolmem.core.comparison.words import MOST_WORDS, NEGATION, LooseWord, words_of

_FEW = 3
"""Statements, at most, that contradict those of a longer text one by one."""
_THING = 4
"""Words, at most, of each of two things that changed places."""
_SUBJECT = 2
"""Words at the beginning of a text that may name its subject."""
_COPULAS = frozenset("is are was were remains stays".split())
_DEFINITE = frozenset("the our my their its what where who".split())
_BEFORE_VALUES = _COPULAS | OPENING | SOFT
_TITLE_NUMBER = re.compile(r"#?[\d.-]*\d:?")
_ENDS = frozenset("first last top bottom".split())
_DIGITS = re.compile(r"[\d.,]*\d")
_NUMBERED_NAME = re.compile(r"#|(?!v\d)[^\W\d_]")


class _Slot(NamedTuple):
    """Words of both texts that correspond and differ; ``at`` counts those before."""

    ours: Sequence[LooseWord]
    theirs: Sequence[LooseWord]
    at: int

    @property
    def words(self) -> tuple[LooseWord, ...]:
        """Words of both sides."""
        return (*self.ours, *self.theirs)


def contradiction(
    ours: Sequence[Statement],
    theirs: Sequence[Statement],
    stem_of: Callable[[str], str],
) -> tuple[str, ...]:
    """Return the words in which two texts contradict each other, if they do."""
    mine, known = _left(ours, theirs), _left(theirs, ours)
    if len(mine) == len(known):
        return _between(mine, known, stem_of)
    few, many = sorted((mine, known), key=len)
    if len(few) > _FEW or len(many) > MOST_WORDS:
        return ()
    denied = [_first_between(statement, many, stem_of) for statement in few]
    return tuple(sorted(set(chain.from_iterable(denied)))) if all(denied) else ()


def _first_between(
    statement: Statement, others: Sequence[Statement], stem_of: Callable[[str], str]
) -> tuple[str, ...]:
    """Return the words in which a statement contradicts one of a longer text."""
    placed = ([other] for other in others if other.place == statement.place)
    denied = (_between([statement], other, stem_of) for other in placed)
    return next(filter(None, denied), ())


def _between(
    ours: Sequence[Statement],
    theirs: Sequence[Statement],
    stem_of: Callable[[str], str],
) -> tuple[str, ...]:
    one, other = words_of(ours, stem_of), words_of(theirs, stem_of)
    if not one or not other or max(len(one), len(other)) > MOST_WORDS:
        return ()
    if Counter(_clauses(one)) == Counter(_clauses(other)):
        return ()  # the same in another order
    sides = ours[0].tokens, theirs[0].tokens
    if _is_swapped(one, other, identity=any(map(_identifies, sides))):
        pairs = zip(one, other, strict=True)
        moved = (pair for pair in pairs if pair[0].key != pair[1].key)
        changed = list(chain.from_iterable(moved))
    elif _is_passive(*sorted((one, other), key=len)):
        changed = [word for word in (*one, *other) if word.key == "by"]
    else:
        slots = _contradicting(one, other)
        if len(slots) == 1 and _names_another(slots[0], one, *sides):
            return ()
        if ours[0].place[-1].startswith("#") and _numbers_a_title(*sides):
            return ()
        changed = [word for slot in slots for word in slot.words]
    return tuple(sorted(set(map(_shown, changed))))


def _left(ours: Sequence[Statement], theirs: Sequence[Statement]) -> list[Statement]:
    """Return the statements that the other text does not have in the same place."""
    common = Counter((one.place, one.key) for one in theirs)
    left = []
    for one in ours:
        if common[one.place, one.key] > 0:
            common[one.place, one.key] -= 1
        else:
            left.append(one)
    return left


def _shown(word: LooseWord) -> str:
    return NEGATION if word.key == NEGATION else word.word


def _slots(one: Sequence[LooseWord], other: Sequence[LooseWord]) -> list[_Slot]:
    """Return the words of both sides between those that are equal."""
    slots: list[_Slot] = []
    begin = start = 0
    blocks = Indel.opcodes([word.key for word in one], [word.key for word in other])
    for same in blocks.as_matching_blocks():
        if begin < same.a or start < same.b:
            slots.append(_Slot(one[begin : same.a], other[start : same.b], begin))
        begin, start = same.a + same.size, same.b + same.size
    return slots


class _Change(NamedTuple):
    """Kinds of differences of one slot, each with its number."""

    negations: int = 0
    opposites: int = 0
    values: int = 0


_NO_CHANGE = _Change()


def _contradicting(one: Sequence[LooseWord], other: Sequence[LooseWord]) -> list[_Slot]:
    """Return the slots that contradict each other; none if some do not."""
    slots = _slots(one, other)
    if len(one) == sum(len(slot.ours) for slot in slots):
        return []
    changes = [change for slot in slots if (change := _change_of(slot)) is not None]
    if not slots or len(changes) < len(slots):
        return []
    negations, opposites, values = map(sum, zip(*changes, strict=True))
    if values or opposites:
        # "never disable" and "always enable" are no contradiction
        denied = opposites and negations and not values
        return [] if denied or _is_about_another(slots, changes) else slots
    several = negations % 2 == 0 and _clauses_denied(slots) < 2
    return [] if several or not negations else slots


def _is_about_another(slots: Sequence[_Slot], changes: Sequence[_Change]) -> bool:
    """Return True for "Train 14 leaves at 9:05" and "Train 22 leaves at 9:40"."""
    stated = [slot for slot, c in zip(slots, changes, strict=True) if c != _NO_CHANGE]
    ours, theirs = (
        Counter(chain.from_iterable(map(_without_unit, side)))
        for side in zip(*((slot.ours, slot.theirs) for slot in stated), strict=True)
    )
    return len(stated) > 1 and stated[0].at < _SUBJECT and ours != theirs


def _names_another(
    slot: _Slot,
    words: Sequence[LooseWord],
    ours: Sequence[str],
    theirs: Sequence[str],
) -> bool:
    """Return True for a word that names the subject: "Port 80", "the read API".

    A version, as in "Python 3.12 is supported", does not, nor does an end of an order
    ("the oldest entry"): whether both can be true is for the reader to judge, to whom
    both are shown.
    """
    if slot.at > _SUBJECT or not all(_names(word) for word in slot.words):
        return False
    if all(word.word.endswith("est") or word.word in _ENDS for word in slot.words):
        return False
    if any(_identifies(side) for side in (ours, theirs)):
        return False
    numbered = any(_DIGITS.search(word.word) for word in slot.words)
    if numbered:
        named = slot.at > 0 and words[slot.at - 1].word in NUMBERED
        return named or all(_NUMBERED_NAME.match(word.word) for word in slot.words)
    articles = {side[0].lower() for side in (ours, theirs)}
    first = 1 if words[0].word in ARTICLES else 0
    return slot.at == first and articles <= ARTICLES


def _numbers_a_title(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Return True for "# Review 1" and "# Review 2: storage", which name what is below.

    The number has no unit, ends the title or a part of it, and is after a noun; after a
    verb, a preposition or a colon ("# Limit: 5") it is a value.
    """
    if len(ours) != len(theirs):
        return False
    changed = [at for at, mine in enumerate(ours) if mine != theirs[at]]
    if len(changed) != 1 or changed == [0]:
        return False
    at = changed[0]
    ends = ours[at] + theirs[at] if at + 1 < len(ours) else "::"
    before = ours[at - 1].lower()
    is_noun = before.isalpha() and before not in _BEFORE_VALUES
    numbers = [_TITLE_NUMBER.fullmatch(side[at]) for side in (ours, theirs)]
    return is_noun and all(numbers) and ends.count(":") == 2


def _names(word: LooseWord) -> bool:
    return word.key != NEGATION and any(map(str.isalnum, word.word))


def _identifies(tokens: Sequence[str]) -> bool:
    """Return True for a sentence that says which thing is "the" or "our" something."""
    pairs = pairwise(map(str.lower, tokens[: _SUBJECT + 3]))
    return any(verb in _COPULAS and after in _DEFINITE for verb, after in pairs)


def _without_unit(words: Sequence[LooseWord]) -> list[str]:
    numbers = ((_DIGITS.findall(word.word), word.key) for word in words)
    return [number for digits, key in numbers for number in digits or [key]]


def _clauses_denied(slots: Sequence[_Slot]) -> int:
    words = (word for slot in slots for word in slot.words)
    return len({word.clause for word in words if word.key == NEGATION})


def _change_of(slot: _Slot) -> _Change | None:
    """Return the kinds of the differences of a slot; None if one is of no kind."""
    ours, theirs = (
        [word for word in side if word.key != NEGATION]
        for side in (slot.ours, slot.theirs)
    )
    denials = len(slot.words) - len(ours) - len(theirs)
    if len(ours) == len(theirs):
        kinds = [_kind(mine, known) for mine, known in zip(ours, theirs, strict=True)]
        if "opposite" in kinds:  # "included in" and "excluded from"
            words = zip(kinds, ours, theirs, strict=True)
            kinds = [kind or _kind_of_prepositions(*two) for kind, *two in words]
        if None not in kinds:
            return _Change(denials % 2, kinds.count("opposite"), kinds.count("value"))
    if SOFT.issuperset(word.word for word in (*ours, *theirs)):
        return _Change(denials % 2)
    return None


def _kind_of_prepositions(one: LooseWord, other: LooseWord) -> str | None:
    same = one.key == other.key or OPENING.issuperset((one.word, other.word))
    return "" if same else None


def _kind(one: LooseWord, other: LooseWord) -> str | None:
    if one.key == other.key:
        return ""
    if are_opposite(one.word, other.word):
        is_word = one.word.isalpha() or other.word.isalpha()
        return "opposite" if is_word else "value"
    words = {one.word, other.word}
    if (one.counts and other.counts) or any(map(words.issubset, (UNITS, CALENDAR))):
        return "value"
    numbered = [_DIGITS.sub("0", word.key) for word in (one, other)]
    if numbered[0] == numbered[1] and "0" in numbered[0]:
        return "value"
    return "" if SOFT.issuperset((one.word, other.word)) else None


# Things that changed places ------------------------------------------------


def _is_swapped(
    one: Sequence[LooseWord], other: Sequence[LooseWord], *, identity: bool
) -> bool:
    """Return True for ``A before B`` and ``B before A``, whatever is around them.

    With ``identity``, ``A is B`` says the same as ``B is A``: "main is the branch".
    """
    ours, theirs = ([word.key for word in side] for side in (one, other))
    if ours == theirs or Counter(ours) != Counter(theirs):
        return False
    while ours and ours[0] == theirs[0]:
        del ours[0], theirs[0]
    while ours and ours[-1] == theirs[-1]:
        del ours[-1], theirs[-1]
    size = len(ours)
    if any(ours[at:] + ours[:at] == theirs for at in range(1, size)):
        return False  # a phrase moved
    exchanged = _between_exchanged(ours, theirs)
    if exchanged is None:
        return False
    moved = OPENING.issuperset((ours[0], theirs[0])) or SYMMETRIC.intersection(
        exchanged
    )
    commuting = COMMUTATIVE | _COPULAS if identity else COMMUTATIVE
    return not moved and not commuting.issuperset(exchanged)


def _is_passive(active: Sequence[LooseWord], passive: Sequence[LooseWord]) -> bool:
    """Return True for "A calls B" and "A is called by B"."""
    ours, theirs = ([word.key for word in side] for side in (active, passive))
    added = Counter(theirs) - Counter(ours)
    if len(theirs) != len(ours) + 2 or added["by"] != 1:
        return False
    verb = theirs.index("by") - 1
    return passive[verb - 1].word in _COPULAS and ours == [
        *theirs[: verb - 1],
        theirs[verb],
        *theirs[verb + 2 :],
    ]


def _clauses(words: Sequence[LooseWord]) -> list[tuple[str, ...]]:
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
