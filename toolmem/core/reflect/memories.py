"""Group memories that are duplicates, overlaps, contradictions or copies."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import chain
from typing import NamedTuple

from toolmem.core.comparison.same import same_text, text_key
from toolmem.core.comparison.verdict import SaveAction, SaveVerdict, compare
from toolmem.core.comparison.verdict import TermStatistics as VaultWords
from toolmem.core.model import Scope
from toolmem.core.reflect.containment import containing_ones
from toolmem.core.reflect.plan import (
    Version,
)
from toolmem.core.reflect.similarity import similar_ones
from toolmem.core.reflect.word_table import WordTable

_SERIES = 3
"""Number of contradictions of one memory from which it is rather one of a series."""
Texts = Callable[["MemoryNote"], str]
"""Returns the text of a memory for comparison; empty if it no longer exists."""


class MemoryNote(NamedTuple):
    """Data of a memory that stays in memory for all of them, without its text.

    ``blob`` is the git blob id of its file, ``text`` the number of its text in the
    table of words. ``likeness`` is equal for texts of the same statements and some
    others, ``used`` counts its retrievals here; ``expires`` is empty for one that
    lasts.
    """

    path: str
    blob: bytes
    title: str
    scope: Scope
    private: bool
    text: int
    likeness: int
    size: int
    changed: str
    used: int
    contested_with: tuple[str, ...]
    mergeable: bool
    expires: str = ""
    settled: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Id of the memory."""
        return self.path.rpartition("/")[2].removesuffix(".md")

    @property
    def version(self) -> Version:
        """Version of the file that was read."""
        return Version(self.path, self.blob.hex())


_SAME_TEXT = SaveVerdict(SaveAction.DEDUPLICATED, 1.0)


class SimilarMemories(NamedTuple):
    """A memory, and others that are the same or more detailed.

    ``against`` are contradictions: of the memory, or of its twins in other scopes.
    ``disputed`` if one of those that are alike is in a contradiction; ``series`` if
    there are so many that the memory is rather one of a series.
    """

    note: MemoryNote
    alike: tuple[tuple[MemoryNote, SaveVerdict], ...]
    against: tuple[tuple[MemoryNote, MemoryNote, SaveVerdict], ...]
    disputed: bool = False
    series: bool = False


def moment_text(value: date | datetime | None) -> str:
    """Format a date or time so that texts sort like times; empty without one."""
    return value.isoformat() if value else ""


def groups(
    notes: Sequence[MemoryNote],
    known: WordTable,
    texts: Texts,
    report: Callable[[int], None],
) -> Iterator[SimilarMemories]:
    """Group memories; each is in at most one group, represented by the best.

    The best is the most used, then the longest, then the newest. ``report`` receives
    the progress, out of twice the number of memories.
    """
    ordered = _by_precedence(notes)
    twins = _twins(ordered, texts)
    alone = [note for n, note in enumerate(ordered) if n not in twins.others]
    pairs = _pairs(alone, known, report)
    vault = VaultWords(known.documents, known.frequency, known.is_word, known.language)
    taken: set[int] = set()
    contested: set[str] = set()
    for n, note in enumerate(alone):
        if n + 1 < len(alone):
            report(len(alone) + n + 1)
        alike = [(twin, _SAME_TEXT) for twin in twins.of(note)]
        against: dict[int, SaveVerdict] = {}
        for other in sorted(pairs.get(n, ())) if n not in taken else ():
            if other in taken:
                continue
            verdict = _verdict(note, alone[other], texts, vault)
            if verdict.action in (SaveAction.DEDUPLICATED, SaveAction.MERGED):
                taken.add(other)
                alike.append((alone[other], verdict))
            elif verdict.action is SaveAction.CONTESTED:
                against[other] = verdict
        series = len(against) >= _SERIES
        taken.update(against if series else ())
        rivals = list(_rivals((note, *twins.of(note)), against, alone, twins))
        contested |= {side.path for one, rival, _ in rivals for side in (one, rival)}
        disputed = not contested.isdisjoint(one.path for one in (note, *_notes(alike)))
        if alike or rivals:
            yield SimilarMemories(note, tuple(alike), tuple(rivals), disputed, series)
    report(2 * len(notes))


def _rivals(
    ours: Sequence[MemoryNote],
    against: Mapping[int, SaveVerdict],
    alone: Sequence[MemoryNote],
    twins: "_Twins",
) -> Iterator[tuple[MemoryNote, MemoryNote, SaveVerdict]]:
    """Yield the pairs of a memory's twins and of those that contradict it."""
    for other, verdict in against.items():
        rival = alone[other]
        for one, theirs in _nearest(ours, (rival, *twins.of(rival))):
            if not _is_settled(one, theirs):
                yield one, theirs, verdict


def _notes(pairs: Iterable[tuple[MemoryNote, SaveVerdict]]) -> Iterator[MemoryNote]:
    return (note for note, _ in pairs)


def _nearest(
    ours: Sequence[MemoryNote], theirs: Sequence[MemoryNote]
) -> list[tuple[MemoryNote, MemoryNote]]:
    """Pair two contradicting texts where they are in one scope, else the first of each.

    A twin in another scope leaves its own pair as it is.
    """
    same = [(a, b) for a in ours for b in theirs if a.scope == b.scope]
    by_scope = {a.scope: (a, b) for a, b in reversed(same)}
    return list(by_scope.values())[::-1] or [(ours[0], theirs[0])]


def _pairs(
    notes: Sequence[MemoryNote], known: WordTable, report: Callable[[int], None]
) -> dict[int, set[int]]:
    """Return the later memories that each may be compared with, by place."""

    def may_meet(first: int, other: int) -> bool:
        return may_be_compared(notes[first], notes[other])

    texts = array("Q", [note.text for note in notes])
    pairs: dict[int, set[int]] = {}
    similar = (pair[:2] for pair in similar_ones(texts, known, may_meet, report))
    for first, other in chain(similar, containing_ones(texts, known, may_meet)):
        pairs.setdefault(min(first, other), set()).add(max(first, other))
    return pairs


class _Twins(NamedTuple):
    """Memories whose text is the same as that of one before them."""

    first: Mapping[str, tuple[MemoryNote, ...]]
    others: frozenset[int]

    def of(self, note: MemoryNote) -> tuple[MemoryNote, ...]:
        """Return the duplicates that a memory represents."""
        return self.first.get(note.path, ())


def _twins(ordered: Sequence[MemoryNote], texts: Texts) -> _Twins:
    """Find texts of the same statements; only texts that may be are read."""
    likely = Counter(note.likeness for note in ordered)
    first: dict[tuple[str, bool, str], list[tuple[MemoryNote, str]]] = {}
    twins: dict[str, tuple[MemoryNote, ...]] = {}
    others = set()
    for n, note in enumerate(ordered):
        text = texts(note) if likely[note.likeness] > 1 else ""
        if not text:
            continue
        own = str(note.scope) if note.scope.kind == "agent" else ""
        known = first.setdefault((text_key(text), note.private, own), [])
        twin = next(
            (
                other
                for other, body in known
                if not _is_settled(other, note) and same_text(body, text)
            ),
            None,
        )
        if twin is None:
            known.append((note, text))
        else:
            twins[twin.path] = (*twins.get(twin.path, ()), note)
            others.add(n)
    return _Twins(twins, frozenset(others))


def _by_precedence(notes: Iterable[MemoryNote]) -> list[MemoryNote]:
    ordered = sorted(notes, key=lambda note: note.path)
    ordered.sort(key=lambda note: (note.used, note.size, note.changed), reverse=True)
    return ordered


def may_be_compared(note: MemoryNote, other: MemoryNote) -> bool:
    """Return True for two with the same readers that no person has separated.

    An agent's own and private memories are only compared with each other.
    """
    if note.private != other.private or _is_settled(note, other):
        return False
    private = note.private or "agent" in (note.scope.kind, other.scope.kind)
    return not private or note.scope == other.scope


def _is_settled(note: MemoryNote, other: MemoryNote) -> bool:
    return other.id in note.settled or note.id in other.settled


def _verdict(
    note: MemoryNote, other: MemoryNote, texts: Texts, vault: VaultWords
) -> SaveVerdict:
    newer, older = (note, other) if note.changed >= other.changed else (other, note)
    first, second = texts(newer), texts(older)
    if not first or not second:
        return SaveVerdict(SaveAction.CREATED, 0.0)
    return compare(first, second, vault)
