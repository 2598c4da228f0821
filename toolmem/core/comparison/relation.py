"""Relation of two statements: the same, more detail, a contradiction, or unrelated."""

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple

from rapidfuzz.distance import Indel

from toolmem.core.comparison.document import FENCE, HEADING, Statement
from toolmem.core.comparison.grammar import (
    AUXILIARIES,
    FUNCTION_WORDS,
    GENERIC_SUBJECTS,
    LIMITS,
    LINKS,
    PREPOSITIONS,
)
from toolmem.core.comparison.roles import (
    VALUE,
    VERB,
    WHEN,
    WHICH,
    is_exclusive,
    roles_of,
)
from toolmem.core.comparison.spelling import Spelling, is_slip
from toolmem.core.comparison.tokens import DASH, NEGATION, OPERATOR, WORD, ComparedToken

_SHARED = 0.5
"""Minimum share of common content words of statements about one thing."""
_CONDITION = frozenset("when if while once because unless".split())
_SHORT = 3
"""Maximum content words of a value that may be replaced as a whole."""


class Kind(Enum):
    """Relation of two statements."""

    SAME = auto()
    MORE = auto()
    CONFLICT = auto()
    APART = auto()
    UNRELATED = auto()


class Relation(NamedTuple):
    """Relation of two statements; ``differing`` are the words that decide it.

    ``slots`` counts the places in which they differ.
    """

    kind: Kind
    differing: tuple[str, ...] = ()
    slots: int = 0


class _Slot(NamedTuple):
    """Places of the tokens of both statements that correspond to each other."""

    ours: range
    theirs: range


def relate(ours: Statement, theirs: Statement, spelling: Spelling) -> Relation:
    """Compare two statements."""
    one, other = ours.tokens, theirs.tokens
    if ours.keys == theirs.keys:
        return Relation(Kind.SAME)
    if FENCE in (ours.kind, theirs.kind):
        return _code(ours, theirs)
    slots = [
        slot for slot in _slots(one, other) if _matters(slot, one, other, spelling)
    ]
    if not slots:
        return Relation(Kind.SAME)
    differing = _differing(slots, one, other)
    if not _replaces_sign(slots, one, other) and _moved_only(one, other):
        if _same_clauses(one, other) or _commuted(one, other):
            return Relation(Kind.SAME)
        moved = {*differing, *_differing(list(_slots(other, one)), other, one)}
        return Relation(Kind.CONFLICT, tuple(sorted(moved)), len(slots))
    if _is_detail(slots, one, other):
        return Relation(Kind.MORE, differing, len(slots))
    return Relation(_by_roles(slots, ours, theirs), differing, len(slots))


def content_of(tokens: Sequence[ComparedToken]) -> Counter[str]:
    """Count the keys of the words that carry meaning."""
    return _content(tokens)


def _content(tokens: Sequence[ComparedToken]) -> Counter[str]:
    return Counter(token.key for token in tokens if _carries(token))


def _carries(token: ComparedToken) -> bool:
    function = token.key == NEGATION or token.word in FUNCTION_WORDS
    return token.kind != DASH and not function


def _code(ours: Statement, theirs: Statement) -> Relation:
    one, other = Counter(ours.keys), Counter(theirs.keys)
    common = (one & other).total()
    if ours.kind != theirs.kind or not common:
        return Relation(Kind.UNRELATED)
    if one == other or 2 * common >= max(one.total(), other.total()):
        changed = (one - other) + (other - one)
        return Relation(Kind.CONFLICT, tuple(sorted(changed))[:8], 1)
    return Relation(Kind.UNRELATED)


def _slots(
    one: Sequence[ComparedToken], other: Sequence[ComparedToken]
) -> Iterator[_Slot]:
    keys = [token.key for token in one], [token.key for token in other]
    found: list[list[int]] = []
    for change in Indel.opcodes(*keys):
        if change.tag == "equal":
            continue
        span = [change.src_start, change.src_end, change.dest_start, change.dest_end]
        if found and found[-1][1] == span[0] and found[-1][3] == span[2]:
            found[-1][1], found[-1][3] = span[1], span[3]
        else:
            found.append(span)
    for begin, end, start, stop in found:
        yield _Slot(range(begin, end), range(start, stop))


def _matters(
    slot: _Slot,
    one: Sequence[ComparedToken],
    other: Sequence[ComparedToken],
    spelling: Spelling,
) -> bool:
    """Return True unless a slot is only a typo or a dash that one side omits."""
    mine = [at for at in slot.ours if one[at].kind != DASH]
    known = [at for at in slot.theirs if other[at].kind != DASH]
    if not (mine or known):
        return bool(len(slot.ours) and len(slot.theirs))
    return len(mine) != len(known) or not all(
        is_slip(one, at, other, place, spelling)
        for at, place in zip(mine, known, strict=True)
    )


def _differing(
    slots: Sequence[_Slot], one: Sequence[ComparedToken], other: Sequence[ComparedToken]
) -> tuple[str, ...]:
    changed = {_shown(one[at]) for slot in slots for at in slot.ours}
    changed |= {_shown(other[at]) for slot in slots for at in slot.theirs}
    return tuple(sorted(changed))


def _shown(token: ComparedToken) -> str:
    plain = token.kind == WORD and token.key != NEGATION
    return token.word if plain else token.key


def _replaces_sign(
    slots: Sequence[_Slot], one: Sequence[ComparedToken], other: Sequence[ComparedToken]
) -> bool:
    """Return True if a sign was replaced with another one."""
    return any(
        {one[at].key for at in slot.ours} != {other[at].key for at in slot.theirs}
        and all(one[at].kind == DASH for at in slot.ours)
        and all(other[at].kind == DASH for at in slot.theirs)
        for slot in slots
    )


def _moved_only(one: Sequence[ComparedToken], other: Sequence[ComparedToken]) -> bool:
    keys = [Counter(t.key for t in side if t.kind != DASH) for side in (one, other)]
    return keys[0] == keys[1]


def _same_clauses(one: Sequence[ComparedToken], other: Sequence[ComparedToken]) -> bool:
    """Return True if only whole clauses moved."""
    if any(token.key in LINKS for token in one):
        return False
    mine, known = _clauses(one), _clauses(other)
    if len(mine) > 1 and Counter(mine) == Counter(known):
        return True
    turned = _with_condition(one)
    return turned is not None and turned == _with_condition(other)


def _with_condition(
    tokens: Sequence[ComparedToken],
) -> tuple[list[str], list[str]] | None:
    """Return the main clause and its one condition, whichever comes first."""
    keys = [token.key for token in tokens]
    places = [n for n, key in enumerate(keys) if key in _CONDITION]
    breaks = [n for n, token in enumerate(tokens[:-1]) if token.ends]
    if len(places) != 1:
        return None
    if places[0] > 0 and not [n for n in breaks if n < places[0] - 1]:
        return keys[: places[0]], keys[places[0] :]
    if places[0] == 0 and len(breaks) == 1:
        return keys[breaks[0] + 1 :], keys[: breaks[0] + 1]
    return None


def _clauses(tokens: Sequence[ComparedToken]) -> list[tuple[str, ...]]:
    found: list[list[str]] = [[]]
    for token in tokens:
        found[-1].append(token.key)
        if token.ends:
            found.append([])
    return [tuple(clause) for clause in found if clause]


def _commuted(one: Sequence[ComparedToken], other: Sequence[ComparedToken]) -> bool:
    """Return True if only the two words joined by an "and" or "or" are swapped."""
    joints = [n for n, t in enumerate(one) if t.key in ("and", "or")]
    if len(joints) != 1 or len(one) != len(other):
        return False
    at = joints[0]
    last = at + 2 == len(one) or (at + 2 < len(one) and one[at + 1].ends != "")
    if at == 0 or not last:
        return False
    turned = [token.key for token in one]
    turned[at - 1], turned[at + 1] = turned[at + 1], turned[at - 1]
    return turned == [token.key for token in other]


def _is_detail(
    slots: Sequence[_Slot], one: Sequence[ComparedToken], other: Sequence[ComparedToken]
) -> bool:
    """Return True if one statement only adds words that do not limit or negate it."""
    ours = [one[at] for slot in slots for at in slot.ours]
    theirs = [other[at] for slot in slots for at in slot.theirs]
    if ours and theirs:
        return False
    return not any(
        token.key == NEGATION or token.word in LIMITS for token in (*ours, *theirs)
    )


def _by_roles(slots: Sequence[_Slot], ours: Statement, theirs: Statement) -> Kind:
    one, other = ours.tokens, theirs.tokens
    mine, known = roles_of(one), roles_of(other)
    if HEADING in (ours.kind, theirs.kind) and not _says(mine, known):
        return Kind.APART
    touched = [_roles_in(slot, one, mine, other, known) for slot in slots]
    roles = set().union(*touched)
    named = _content([t for t, r in zip(one, mine, strict=True) if r == WHICH])
    if WHICH in roles and named == _content(
        [t for t, r in zip(other, known, strict=True) if r == WHICH]
    ):
        roles.discard(WHICH)
        roles.add(VALUE)
    stated = roles - {WHICH}
    if WHICH in roles and stated:
        return Kind.APART
    if WHICH in roles:
        exclusive = is_exclusive(one, mine) and is_exclusive(other, known)
        return Kind.CONFLICT if exclusive else Kind.APART
    if WHEN in roles and stated - {WHEN}:
        return Kind.APART
    if not roles or _is_about_the_same(slots, one, mine, other, named, stated):
        return Kind.CONFLICT
    return Kind.UNRELATED


def _says(mine: Sequence[str], known: Sequence[str]) -> bool:
    return VERB in mine and VERB in known


def _roles_in(
    slot: _Slot,
    one: Sequence[ComparedToken],
    mine: Sequence[str],
    other: Sequence[ComparedToken],
    known: Sequence[str],
) -> set[str]:
    changed = [*(one[at] for at in slot.ours), *(other[at] for at in slot.theirs)]
    if any(token.key == NEGATION for token in changed):
        return {VALUE}
    ours = {_role(one[at], mine[at]) for at in slot.ours if one[at].kind != DASH}
    return ours | {
        _role(other[at], known[at]) for at in slot.theirs if other[at].kind != DASH
    }


def _role(token: ComparedToken, role: str) -> str:
    """Role of a word; signs and prepositions never name a thing."""
    says = token.kind == OPERATOR or token.word in PREPOSITIONS
    return VALUE if says else role


def _is_about_the_same(
    slots: Sequence[_Slot],
    one: Sequence[ComparedToken],
    mine: Sequence[str],
    other: Sequence[ComparedToken],
    named: Counter[str],
    stated: set[str],
) -> bool:
    """Return True if enough is the same for the difference to be a contradiction."""
    ours, theirs = _content(one), _content(other)
    same = ours & theirs
    common = same.total()
    verbs = {t.key for t, role in zip(one, mine, strict=True) if role == VERB}
    if not any(key not in verbs for key in same):
        return False
    if common >= _SHARED * max(ours.total(), theirs.total(), 1):
        return True
    specific = [key for key in named if key not in GENERIC_SUBJECTS]
    longest = max(
        max(
            sum(_carries(one[at]) for at in slot.ours),
            sum(_carries(other[at]) for at in slot.theirs),
        )
        for slot in slots
    )
    if VERB in stated or not specific or longest > _SHORT or len(slots) > 1:
        return False
    names = all(
        token.capital
        for token, role in zip(one, mine, strict=True)
        if role == WHICH and _carries(token)
    )
    first = slots[0].ours.start
    joined = first > 0 and one[first - 1].word in FUNCTION_WORDS - AUXILIARIES
    plain = any(
        t.word in AUXILIARIES and r == VERB for t, r in zip(one, mine, strict=True)
    )
    return joined or not (names and plain)
