"""Three-way merge of texts, line by line, for bodies and prose.

Lines that are unique on both sides anchor a comparison, as in patience diff, so that
its cost is close to that of sorting; only short pieces without any are compared in
full.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from toolmem.core.merge.result import Conflict, MergeResult
from toolmem.core.text.conflict_marks import END, OURS, THEIRS
from toolmem.core.text.textlines import common, line_ending, split_lines

GIT_MARKS = ("<<<<<<< ours", "=======", ">>>>>>> theirs")
"""Conflict marks for every other file, as git writes them."""
_PRODUCT = 250_000
"""Maximum product of line numbers that is compared in full."""

Lines = Sequence[str]
_Match = tuple[int, int, int]


class MergePiece(NamedTuple):
    """A piece of a merge: agreed on, or with both sides if they differ."""

    base: Lines
    ours: Lines
    theirs: Lines
    agreed: bool

    @property
    def lines(self) -> Lines:
        """Lines that both sides agree on."""
        return self.ours


def merge_lines(base: str, ours: str, theirs: str) -> tuple[MergePiece, ...]:
    """Return the pieces of a three-way merge, symmetric in the sides."""
    return tuple(_pieces(*map(split_lines, (base, ours, theirs))))


def merge_sequences(base: Lines, ours: Lines, theirs: Lines) -> tuple[MergePiece, ...]:
    """Merge sequences of tokens, which count as lines."""
    return tuple(_pieces(base, ours, theirs))


def merge_text(
    base: str, ours: str, theirs: str, marks: Sequence[str] = (OURS, THEIRS, END)
) -> MergeResult:
    """Merge texts; both sides of a conflict are in the result, between marks."""
    out: list[str] = []
    conflicts: list[Conflict] = []
    line = 1
    for piece in merge_lines(base, ours, theirs):
        lines = list(piece.lines if piece.agreed else _marked(out, piece, marks))
        if not piece.agreed:
            sides = "".join(piece.ours), "".join(piece.theirs)
            conflicts.append(Conflict(f"text:{len(conflicts) + 1}", *sides, line))
        out += lines
        line += sum(text.count("\n") for text in lines)
    return MergeResult("".join(out), tuple(conflicts))


def agreed_text(base: str, ours: str, theirs: str) -> str | None:
    """Return the merged text, or None if the sides differ."""
    pieces = merge_lines(base, ours, theirs)
    if not all(piece.agreed for piece in pieces):
        return None
    return "".join(line for piece in pieces for line in piece.lines)


def _marked(above: Lines, piece: MergePiece, marks: Sequence[str]) -> Iterator[str]:
    lines = [*above[-1:], *piece.ours, *piece.theirs]
    ending = next(filter(None, map(line_ending, lines)), "\n")
    if above and not line_ending(above[-1]):
        yield ending
    for mark, side in zip(marks, (piece.ours, piece.theirs, ()), strict=True):
        yield mark + ending
        yield from side
        if side and not line_ending(side[-1]):
            yield ending


def _pieces(base: Lines, ours: Lines, theirs: Lines) -> Iterator[MergePiece]:
    at = [0, 0, 0]
    for start, our_start, their_start, length in _unchanged(base, ours, theirs):
        sides = (
            base[at[0] : start],
            ours[at[1] : our_start],
            theirs[at[2] : their_start],
        )
        yield from _decided(*sides)
        same = base[start : start + length]
        yield MergePiece(same, same, same, True)
        at = [start + length, our_start + length, their_start + length]
    yield from _decided(base[at[0] :], ours[at[1] :], theirs[at[2] :])


def _decided(base: Lines, ours: Lines, theirs: Lines) -> Iterator[MergePiece]:
    if not (base or ours or theirs):
        return
    if ours == theirs or theirs == base:
        yield MergePiece(base, ours, ours, True)
    elif ours == base:
        yield MergePiece(base, theirs, theirs, True)
    else:
        yield from _narrowed(base, ours, theirs)


def _narrowed(base: Lines, ours: Lines, theirs: Lines) -> Iterator[MergePiece]:
    """Yield the conflict without the common beginning and end of both sides."""
    head = common(ours, theirs)
    tail = common(ours[head:][::-1], theirs[head:][::-1])
    if head:
        yield MergePiece((), ours[:head], ours[:head], True)
    middle = ours[head : len(ours) - tail], theirs[head : len(theirs) - tail]
    yield MergePiece(base, *middle, False)
    if tail:
        yield MergePiece((), ours[-tail:], ours[-tail:], True)


def _unchanged(
    base: Lines, ours: Lines, theirs: Lines
) -> Iterator[tuple[int, int, int, int]]:
    """Yield the runs of the base that both sides have, with their positions."""
    left, right = list(matches(base, ours)), list(matches(base, theirs))
    i = j = 0
    while i < len(left) and j < len(right):
        (a, our_at, m), (b, their_at, n) = left[i], right[j]
        start, end = max(a, b), min(a + m, b + n)
        if start < end:
            yield start, our_at + start - a, their_at + start - b, end - start
        if a + m < b + n:
            i += 1
        else:
            j += 1


def matches(one: Lines, other: Lines) -> Iterator[_Match]:
    """Yield runs that both have, in order: the position in each, and the length."""
    spans = [(0, len(one), 0, len(other))]
    while spans:
        a, b, c, d = spans.pop()
        head = common(one[a:b], other[c:d])
        if head:
            yield a, c, head
            a, c = a + head, c + head
        tail = common(one[a:b][::-1], other[c:d][::-1])
        if tail:
            b, d = b - tail, d - tail
            spans.append((b, b + tail, d, d + tail))
        if a < b and c < d:
            anchors = list(_anchors(one[a:b], other[c:d]))
            spans += reversed(_between(anchors, a, b, c, d))


def _between(
    anchors: list[tuple[int, int]], a: int, b: int, c: int, d: int
) -> list[tuple[int, int, int, int]]:
    """Return the spans that begin with an anchor, after the one before the first."""
    if not anchors:
        return []
    places = [(a + i, c + j) for i, j in anchors] + [(b, d)]
    spans = [(a, places[0][0], c, places[0][1])]
    spans += [(i, k, j, m) for (i, j), (k, m) in pairwise(places)]
    return spans


def _anchors(one: Lines, other: Lines) -> Iterator[tuple[int, int]]:
    """Yield pairs of equal lines, rising on both sides: unique ones, if any."""
    counts, others = Counter(one), Counter(other)
    where = {line: j for j, line in enumerate(other) if others[line] == 1}
    pairs = [
        (i, where[line])
        for i, line in enumerate(one)
        if counts[line] == 1 and line in where
    ]
    if pairs:
        yield from _rising(pairs)
    elif len(one) * len(other) <= _PRODUCT:
        from difflib import SequenceMatcher  # slow import for a rare case

        matcher = SequenceMatcher(None, one, other, autojunk=False)
        for i, j, length in matcher.get_matching_blocks():
            yield from ((i + n, j + n) for n in range(length))


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest subset of pairs whose second numbers rise, too."""
    tops: list[int] = []
    last: list[int] = []
    before = [-1] * len(pairs)
    for n, (_, j) in enumerate(pairs):
        place = bisect_left(tops, j)
        if place == len(tops):
            tops.append(j)
            last.append(n)
        else:
            tops[place], last[place] = j, n
        before[n] = last[place - 1] if place else -1
    chosen, n = [], last[-1]
    while n >= 0:
        chosen.append(pairs[n])
        n = before[n]
    return chosen[::-1]
