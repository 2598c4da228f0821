"""Prove that two texts contradict each other.

They differ at the same place of both in a number, a unit, a negation, opposite words
or signs, or in things that changed places, and the rest is the same; the longer text
may have more statements. Articles, inflection, the order of whole statements and where
a phrase is in the sentence are no difference here.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain, pairwise

from toolmem.core.comparison.opposites import (
    ARTICLES,
    CLAUSES,
    COPULAS,
    EVERYONE,
    NUMBERED,
    OPENING,
    SOFT,
    VERBS,
)
from toolmem.core.comparison.order import (
    clauses,
    denied_in_another_order,
    in_another_order,
    in_the_active,
    is_swapped,
)
from toolmem.core.comparison.same import is_in_language
from toolmem.core.comparison.slots import (
    EXCLUSIVE,
    NO_CHANGE,
    Slot,
    SlotChange,
    changes_of,
    quantities,
    slots_between,
)
from toolmem.core.comparison.statements import Statement
from toolmem.core.comparison.values import exclude_each_other
from toolmem.core.comparison.words import MOST_WORDS, NEGATION, LooseWord, words_of

_FEW = 3
"""Statements, at most, that contradict those of a longer text one by one."""
_SUBJECT = 2
"""Words at the beginning of a text that may name its subject."""
_DEFINITE = frozenset("the our my their its what where who".split())
_BEFORE_VALUES = COPULAS | OPENING | SOFT
_TITLE_NUMBER = re.compile(r"#?[\d.-]*\d:?")
_ENDS = frozenset("first last top bottom".split())
_DIGIT = re.compile(r"\d")
_NUMBERED_NAME = re.compile(r"#|(?!v\d)[^\W\d_]")


def contradiction(
    ours: Sequence[Statement],
    theirs: Sequence[Statement],
    stem_of: Callable[[str], str],
    is_word: Callable[[str], bool],
) -> tuple[str, ...]:
    """Return the words in which two texts contradict each other, if they do.

    What is no word of the dictionary is a name.
    """
    mine, known = _left(ours, theirs), _left(theirs, ours)
    if len(mine) == len(known):
        return _between(mine, known, stem_of, is_word)
    few, many = sorted((mine, known), key=len)
    if len(few) > _FEW or len(many) > MOST_WORDS:
        return ()
    denied = [_first_between(each, many, stem_of, is_word) for each in few]
    return tuple(sorted(set(chain.from_iterable(denied)))) if all(denied) else ()


def _first_between(
    statement: Statement,
    others: Sequence[Statement],
    stem_of: Callable[[str], str],
    is_word: Callable[[str], bool],
) -> tuple[str, ...]:
    """Return the words in which a statement contradicts one of a longer text."""
    placed = ([other] for other in others if other.place == statement.place)
    denied = (_between([statement], other, stem_of, is_word) for other in placed)
    return next(filter(None, denied), ())


def _between(
    ours: Sequence[Statement],
    theirs: Sequence[Statement],
    stem_of: Callable[[str], str],
    is_word: Callable[[str], bool],
) -> tuple[str, ...]:
    one, other = words_of(ours, stem_of), words_of(theirs, stem_of)
    if not one or not other or max(len(one), len(other)) > MOST_WORDS:
        return ()
    one, other = in_the_active(one, other)
    if Counter(clauses(one)) == Counter(clauses(other)):
        return ()  # the same in another order
    sides = ours[0].tokens, theirs[0].tokens
    if is_swapped(one, other, identity=any(map(_identifies, sides))):
        pairs = zip(one, other, strict=True)
        moved = (pair for pair in pairs if pair[0].key != pair[1].key)
        changed = list(chain.from_iterable(moved))
    elif ours[0].place[-1].startswith("#") and _numbers_a_title(*sides):
        return ()
    else:
        slots = _contradicting(one, other, sides, is_word)
        changed = [word for slot in slots for word in slot.words]
        changed = changed or list(in_another_order(one, other))
        changed = changed or list(denied_in_another_order(one, other))
    return tuple(sorted(set(map(_shown, changed))))


def _left(ours: Sequence[Statement], theirs: Sequence[Statement]) -> list[Statement]:
    """Return the statements that the other text does not have in the same place."""
    common = Counter((statement.place, statement.key) for statement in theirs)
    left = []
    for statement in ours:
        if common[statement.place, statement.key] > 0:
            common[statement.place, statement.key] -= 1
        elif statement.tokens:  # an empty heading has none
            left.append(statement)
    return left


def _shown(word: LooseWord) -> str:
    return NEGATION if word.key == NEGATION else word.word


def _contradicting(
    one: Sequence[LooseWord],
    other: Sequence[LooseWord],
    sides: tuple[Sequence[str], Sequence[str]],
    is_word: Callable[[str], bool],
) -> Sequence[Slot]:
    """Return the slots that contradict each other; none if some do not.

    ``sides`` are the tokens of the first statements.
    """
    slots = slots_between(one, other)
    if not slots or len(one) == sum(len(slot.ours) for slot in slots):
        return ()
    subject = max(_SUBJECT, _subject(one), _labelled(sides[0]))
    changes = changes_of(slots)
    if changes is None:
        if len(slots) > 1:
            return ()
        plain = [token for token in chain(*sides) if token[:1].islower()]
        spoken = is_word if is_in_language(plain, is_word) else None
        return slots if exclude_each_other(slots[0], one, spoken) else ()
    negations, opposites, values = map(sum, zip(*changes, strict=True))
    if values or opposites:
        # neither "never disable" and "always enable", nor "include what is on" and
        # "exclude what is off", is a contradiction
        denied = (opposites + negations) % 2 == 0 and not values
        if denied or _is_about_another(slots, changes, subject):
            return ()
        return () if _names_another(slots, one, sides, subject) else slots
    several = negations % 2 == 0 and _clauses_denied(slots) < 2
    return () if several or not negations else slots


def _subject(words: Sequence[LooseWord]) -> int:
    """Return the number of words before the verb of a statement; 0 for an order."""
    for at, word in enumerate(words):
        if word.clause != words[0].clause or word.word in CLAUSES:
            break
        if at and word.word in VERBS:
            return at
    return 0


def _labelled(tokens: Sequence[str]) -> int:
    """Return the number of words up to a colon: "Run 7: 210 ms"; 0 without one."""
    ends = (at for at, token in enumerate(tokens, 1) if token.endswith(":"))
    return next(ends, 0)


def _is_about_another(
    slots: Sequence[Slot], changes: Sequence[SlotChange], subject: int
) -> bool:
    """Return True for "Train 14 leaves at 9:05" and "Train 22 leaves at 9:40"."""
    stated = [slot for slot, c in zip(slots, changes, strict=True) if c != NO_CHANGE]
    ours, theirs = (
        Counter(chain.from_iterable(map(quantities, side)))
        for side in zip(*((slot.ours, slot.theirs) for slot in stated), strict=True)
    )
    several = sum(change.opposites + change.values for change in changes) > 1
    return several and stated[0].at < subject and ours != theirs


def _names_another(
    slots: Sequence[Slot],
    words: Sequence[LooseWord],
    sides: tuple[Sequence[str], Sequence[str]],
    subject: int,
) -> bool:
    """Return True for a word that names the subject: "Port 80", "the read API".

    A version, as in "Python 3.12 is supported", does not, nor does an end of an order
    ("the oldest entry"): whether both can be true is for the reader to judge, to whom
    both are shown.
    """
    slot = slots[0]
    if len(slots) > 1 or slot.at >= subject + 1 or not all(map(_names, slot.words)):
        return False
    if all(word.word.endswith("est") or word.word in _ENDS for word in slot.words):
        return False
    if any(map(_identifies, sides)) or slot.before in EXCLUSIVE:
        return False
    if any(_DIGIT.search(word.word) for word in slot.words):
        named = slot.before in NUMBERED
        begins = slot.at < _SUBJECT or words[0].word in OPENING
        return named or (
            begins and all(_NUMBERED_NAME.match(word.word) for word in slot.words)
        )
    quantified = {word.word for word in slot.words} & (EVERYONE | {"only"})
    if quantified or any(word.counts for word in slot.words):
        return False
    articles = {side[0].lower() for side in sides}
    first = 1 if words[0].word in ARTICLES else 0
    begins = slot.at == first and articles <= ARTICLES
    return begins or slot.at < _subject(words)


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
    return any(verb in COPULAS and after in _DEFINITE for verb, after in pairs)


def _clauses_denied(slots: Sequence[Slot]) -> int:
    words = (word for slot in slots for word in slot.words)
    return len({word.clause for word in words if word.key == NEGATION})
