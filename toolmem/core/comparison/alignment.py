"""Align two texts: find what both contain, and which statements correspond."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from toolmem.core.comparison.document import HEADING, Document, Statement
from toolmem.core.comparison.grammar import LIMITS
from toolmem.core.comparison.relation import Relation, content_of, relate
from toolmem.core.comparison.spelling import Spelling
from toolmem.core.comparison.tokens import DASH, NEGATION, WORD, ComparedToken

_TILED = 400
"""Statements at most that are searched inside longer ones of the other text."""
_TILE = 4
"""Minimum words of a statement that is searched inside another."""
_PAIRED = 100
"""Unmatched statements of each text that are compared with each other."""
_NEWS = 3
"""Fewer words, all of them known, are a label and add nothing."""
_GONE = "\1"
_TURNED = tuple(f"\0{word}" for word in (NEGATION, *LIMITS))
"""Words before a run of others that reverse its meaning."""


class Pair(NamedTuple):
    """Two statements that correspond, and how."""

    ours: Statement
    theirs: Statement
    relation: Relation


class Alignment(NamedTuple):
    """Tokens that are the same in two texts, and corresponding and unmatched
    statements.

    ``leading`` is the pair with which both texts begin, if they do.
    """

    common: int
    pairs: tuple[Pair, ...]
    ours: tuple[Statement, ...]
    theirs: tuple[Statement, ...]
    leading: Pair | None = None


def align(ours: Document, theirs: Document, spelling: Spelling) -> Alignment:
    """Match the statements of two texts, whatever their order."""
    mine, known = _without_equal(ours.statements, theirs.statements)
    mine, known = _without_tiles(mine, known)
    known, mine = _without_tiles(known, mine)
    common = _size(ours.statements) - _size(mine)
    mine = _news(mine, theirs)
    known = _news(known, ours)
    pairs: list[Pair] = []
    for one, other in _paired(mine, known):
        pairs.append(Pair(one, other, relate(one, other, spelling)))
    taken = {id(side) for pair in pairs for side in (pair.ours, pair.theirs)}
    first = ours.statements[:1], theirs.statements[:1]
    leading = next(
        (p for p in pairs if (p.ours,) == first[0] and (p.theirs,) == first[1]), None
    )
    return Alignment(
        common,
        tuple(pairs),
        tuple(one for one in mine if id(one) not in taken),
        tuple(one for one in known if id(one) not in taken),
        leading,
    )


def _size(statements: Sequence[Statement]) -> int:
    return sum(len(one.tokens) for one in statements)


def _without_equal(
    ours: Sequence[Statement], theirs: Sequence[Statement]
) -> tuple[list[Statement], list[Statement]]:
    """Return both sides without the statements that are the same word for word.

    Those under the same heading are removed first.
    """
    mine, known = list(ours), list(theirs)
    keys: Sequence[Callable[[Statement], object]] = (
        lambda one: (one.keys, one.under),
        lambda one: one.keys,
    )
    for key in keys:
        common = Counter(map(key, mine)) & Counter(map(key, known))
        mine = _left(mine, Counter(common), key)
        known = _left(known, Counter(common), key)
    return mine, known


def _left(
    statements: Sequence[Statement],
    common: Counter[object],
    key: Callable[[Statement], object],
) -> list[Statement]:
    left = []
    for one in statements:
        if common[key(one)] > 0:
            common[key(one)] -= 1
        else:
            left.append(one)
    return left


def _without_tiles(
    fine: Sequence[Statement], coarse: Sequence[Statement]
) -> tuple[list[Statement], list[Statement]]:
    """Return both sides without the statements of one that are inside the other's.

    Lost line breaks and full stops join statements: the words are the same in a row.
    """
    flat = "\0" + "".join(f"{key}\0" for one in coarse for key in one.keys)
    taken = set()
    by_length = sorted(fine, key=lambda one: -len(one.tokens))
    for one in by_length[:_TILED]:
        if len(one.tokens) < _TILE:
            break
        needle = "\0" + "".join(f"{key}\0" for key in one.keys)
        at = flat.find(needle)
        if at >= 0 and not flat[:at].endswith(_TURNED):
            gone = "\0" + f"{_GONE}\0" * len(one.keys)
            flat = flat[:at] + gone + flat[at + len(needle) :]
            taken.add(id(one))
    left = [one for one in fine if id(one) not in taken]
    keys = flat[1:].split("\0")
    rest: list[Statement] = []
    start = 0
    for one in coarse:
        end = start + len(one.tokens)
        rest += _runs(one, keys[start:end])
        start = end
    # A few words are the same only where nothing else is next to them.
    common = Counter(one.keys for one in left) & Counter(one.keys for one in rest)
    return (
        _left(left, Counter(common), lambda one: one.keys),
        _left(rest, Counter(common), lambda one: one.keys),
    )


def _runs(one: Statement, keys: Sequence[str]) -> list[Statement]:
    """Remainder of a statement: the runs of tokens that were not found."""
    if _GONE not in keys:
        return [one]
    found: list[list[ComparedToken]] = [[]]
    for token, key in zip(one.tokens, keys, strict=True):
        if key == _GONE:
            found.append([])
        else:
            found[-1].append(token)
    runs = (_trimmed(run) for run in found)
    return [one._replace(tokens=tuple(run)) for run in runs if run]


def _trimmed(run: list[ComparedToken]) -> list[ComparedToken]:
    while run and run[0].kind == DASH:
        run = run[1:]
    while run and run[-1].kind == DASH:
        run = run[:-1]
    return run


def _news(statements: Sequence[Statement], other: Document) -> list[Statement]:
    """Return the statements with new content, without headings of the other's words."""
    known = {token.key for token in other.tokens}
    return [
        one
        for one in statements
        if not (
            (one.kind == HEADING or len(one.tokens) < _NEWS)
            and known.issuperset(one.keys)
            and all(token.kind == WORD for token in one.tokens)
            and NEGATION not in one.keys
        )
    ]


def _paired(
    ours: Sequence[Statement], theirs: Sequence[Statement]
) -> list[tuple[Statement, Statement]]:
    """Pair corresponding statements: those with the most words in common first."""
    left = [(n, one, content_of(one.tokens)) for n, one in enumerate(ours[:_PAIRED])]
    right = [(n, one, content_of(one.tokens)) for n, one in enumerate(theirs[:_PAIRED])]
    weighed = []
    for n, one, mine in left:
        for m, other, known in right:
            common = (mine & known).total()
            size = max(mine.total(), known.total())
            if common and 4 * common >= size:
                shared = (one.under == other.under) + (one.kind == other.kind)
                weighed.append((-common / size, -shared, abs(n - m), n, m))
    found = []
    used: tuple[set[int], set[int]] = set(), set()
    for _, _, _, n, m in sorted(weighed):
        if n in used[0] or m in used[1]:
            continue
        used[0].add(n)
        used[1].add(m)
        found.append((left[n][1], right[m][1]))
    return found
