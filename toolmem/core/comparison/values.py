"""Recognise names and values of which a statement has one.

A word that is no name may have a synonym, so that two of them at one place say nothing.
Two names do, where the statement has one of them: not in its subject, which may be
another, not in a list, and not in a ban, of which there can be several.
"""

from collections.abc import Callable, Sequence

from toolmem.core.comparison.opposites import (
    CLAUSES,
    COMMUTATIVE,
    COPULAS,
    MEASURES,
    OPENING,
    OWNING,
    PLACING,
    REASONS,
    SINGLE_OBJECT,
    SINGULAR,
)
from toolmem.core.comparison.slots import EXCLUSIVE, Slot
from toolmem.core.comparison.words import NEGATION, LooseWord

_MOST = 3
"""Words of a name, at most."""
_CIRCUMSTANCES = frozenset("in on".split())
"""Words after which an order says where it applies: "Use spaces in Python"."""
_SINGLE = frozenset("only solely exclusively".split())


def exclude_each_other(
    slot: Slot, ours: Sequence[LooseWord], is_word: Callable[[str], bool] | None
) -> bool:
    """Return True for a slot with two names of a thing of which there is one.

    ``ours`` are the words of the first text. "The cluster runs in Dublin", "the owner
    is Ada", "SameSite=Lax", "JSON only". Without ``is_word`` they are in another
    language than the dictionary, in which nouns may have capitals.
    """
    after = ours[slot.at + len(slot.ours) :]
    if not all(0 < len(side) <= _MOST for side in (slot.ours, slot.theirs)):
        return False
    around = [word.word for word in ours[: slot.at]]
    if NEGATION in [word.key for word in (*ours, *slot.theirs)]:
        return False
    if not after and _says_one(around):
        keys = [{word.key for word in side} for side in (slot.ours, slot.theirs)]
        return keys[0].isdisjoint(keys[1])
    names = all(_is_name(word, is_word) for word in slot.words)
    if not slot.at:
        owns = any(word.key in OWNING for word in after[:2])
        return owns and (names or after[0].word.endswith("s"))
    if not names or _are_spellings(slot):
        return False
    following = after[0].word if after else ""
    if following in _SINGLE or slot.before in EXCLUSIVE:
        return True
    return _is_one_value(slot, ours[: slot.at], after)


def _is_name(word: LooseWord, is_word: Callable[[str], bool] | None) -> bool:
    if is_word is None:
        return word.name and not word.word.isalpha()
    return word.name or word.counts or not is_word(word.word)


def _says_one(before: Sequence[str]) -> bool:
    """Return True after a measure, or where the subject is the default."""
    if not MEASURES.isdisjoint({" ".join(before[-2:]), *before[-1:]}):
        return True
    return (
        before[-1:] != [] and before[-1] in COPULAS and not SINGULAR.isdisjoint(before)
    )


def _is_one_value(
    slot: Slot, before: Sequence[LooseWord], after: Sequence[LooseWord]
) -> bool:
    """Return True for a value after the verb of a clause, at the end of a phrase."""
    clause = slot.ours[0].clause
    begins = next(word for word in before if word.clause == before[-1].clause)
    if slot.before == "=":
        return True
    if before[-1].clause != clause or begins.word in OPENING:
        return False
    if any(word.word == "has" for word in before):
        return False  # "has an index on A"
    following = after[0].word if after else ""
    if following in COMMUTATIVE:
        return False
    ends = len(after) <= 1 or after[0].clause != clause
    if not ends and following not in OPENING | REASONS | CLAUSES:
        return False  # "the GitHub client of the team"
    if slot.before in PLACING:
        orders = before[0].word in SINGLE_OBJECT
        return not (orders and slot.before in _CIRCUMSTANCES)
    return slot.before in SINGLE_OBJECT and bool(after or len(before) > 1)


def _are_spellings(slot: Slot) -> bool:
    """Return True for a name and a shorter form of it: "Postgres", "K8s"."""
    sides = ("".join(word.word for word in side) for side in (slot.ours, slot.theirs))
    short, long = sorted(sides, key=len)
    letters = iter(long)
    return short[0] == long[0] and all(
        letter in letters for letter in short if letter.isalpha()
    )
