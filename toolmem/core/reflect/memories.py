"""Propose cleanups of memories: duplicates, overlaps, contradictions and copies."""

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import chain
from typing import NamedTuple

from toolmem.core.comparison.same import same_text, text_key
from toolmem.core.comparison.verdict import SaveAction, SaveVerdict, compare
from toolmem.core.comparison.verdict import TermStatistics as VaultWords
from toolmem.core.memories.merge import containing
from toolmem.core.model import SYSTEM, Scope
from toolmem.core.reflect.containment import containing_ones
from toolmem.core.reflect.plan import (
    CONTEST,
    LOOK,
    MERGE,
    PROMOTE,
    RETIRE,
    Step,
    Version,
)
from toolmem.core.reflect.similarity import similar_ones
from toolmem.core.reflect.word_table import WordTable
from toolmem.core.scope import is_narrower

_SERIES = 3
"""Number of contradictions of one memory from which it is rather one of a series."""
_VERSION = re.compile(r"v?\d+(?:\.\d+)+|\d{4}-\d\d(?:-\d\d)?", re.IGNORECASE)
"""A version or date: titles that differ in it alone are of a series."""
_OF_SERIES = "read alike and differ in numbers or names: a series, or wrong?"
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
                if len(against) == _SERIES:
                    taken.update(against)
                    break
        rivals = [
            (one, rival, verdict)
            for other, verdict in against.items()
            for one, rival in _nearest(
                (note, *twins.of(note)), (alone[other], *twins.of(alone[other]))
            )
        ]
        contested |= {side.path for one, rival, _ in rivals for side in (one, rival)}
        disputed = not contested.isdisjoint(one.path for one in (note, *_notes(alike)))
        if alike or rivals:
            series = len(against) == _SERIES
            yield SimilarMemories(note, tuple(alike), tuple(rivals), disputed, series)
    report(2 * len(notes))


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

    def may_meet(one: int, other: int) -> bool:
        return may_be_compared(notes[one], notes[other])

    texts = array("Q", [note.text for note in notes])
    found: dict[int, set[int]] = {}
    similar = (pair[:2] for pair in similar_ones(texts, known, may_meet, report))
    for one, other in chain(similar, containing_ones(texts, known, may_meet)):
        found.setdefault(min(one, other), set()).add(max(one, other))
    return found


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
    found: dict[str, tuple[MemoryNote, ...]] = {}
    others = set()
    for n, note in enumerate(ordered):
        text = texts(note) if likely[note.likeness] > 1 else ""
        if not text:
            continue
        own = str(note.scope) if note.scope.kind == "agent" else ""
        known = first.setdefault((text_key(text), note.private, own), [])
        twin = next((one for one, body in known if same_text(body, text)), None)
        if twin is None:
            known.append((note, text))
        else:
            found[twin.path] = (*found.get(twin.path, ()), note)
            others.add(n)
    return _Twins(found, frozenset(others))


def _by_precedence(notes: Iterable[MemoryNote]) -> list[MemoryNote]:
    ordered = sorted(notes, key=lambda note: note.path)
    ordered.sort(key=lambda note: (note.used, note.size, note.changed), reverse=True)
    return ordered


def may_be_compared(one: MemoryNote, other: MemoryNote) -> bool:
    """Return True for two that the same readers see.

    An agent's own and private memories are only compared with each other.
    """
    if one.private != other.private:
        return False
    private = one.private or "agent" in (one.scope.kind, other.scope.kind)
    return not private or one.scope == other.scope


def _verdict(
    one: MemoryNote, other: MemoryNote, texts: Texts, vault: VaultWords
) -> SaveVerdict:
    newer, older = (one, other) if one.changed >= other.changed else (other, one)
    first, second = texts(newer), texts(older)
    if not first or not second:
        return SaveVerdict(SaveAction.CREATED, 0.0)
    return compare(first, second, vault)


def steps_of(similar: SimilarMemories, texts: Texts, agent_type: str) -> Iterator[Step]:
    """Yield the proposals for a group; ``agent_type`` is that of the projects."""
    if similar.series:
        yield _series(similar)
    else:
        for one, rival, verdict in similar.against:
            yield from _against(one, rival, verdict)
    if similar.alike:
        step = _together(similar, texts, agent_type)
        if not similar.disputed or step.action == MERGE:
            yield step


def _series(similar: SimilarMemories) -> Step:
    rivals = (rival for _, rival, _ in similar.against)
    notes = tuple(dict.fromkeys((similar.note, *rivals)))
    ids = ", ".join(note.id for note in notes)
    return Step(LOOK, f"{ids} {_OF_SERIES}", tuple(note.version for note in notes))


def _is_series(one: MemoryNote, other: MemoryNote) -> bool:
    """Return True for titles that differ in a version or a date alone."""
    if one.title == other.title:
        return False
    titles = [_VERSION.sub("#", note.title) for note in (one, other)]
    return titles[0] == titles[1]


def _against(
    note: MemoryNote, other: MemoryNote, verdict: SaveVerdict
) -> Iterator[Step]:
    files = (note.version, other.version)
    differ = ", ".join(verdict.differing)
    if _is_series(note, other):
        both = f"{note.id} and {other.id}"
        yield Step(LOOK, f"{both} {_OF_SERIES}", files)
        return
    reason = f"{note.id} and {other.id} contradict each other ({differ})"
    if note.scope != other.scope:
        if is_narrower(note.scope, other.scope) or is_narrower(other.scope, note.scope):
            yield Step(
                LOOK, f"{reason}; the narrower scope wins: is it meant so?", files
            )
    elif other.id in note.contested_with or note.id in other.contested_with:
        yield Step(
            LOOK, f"{reason} and are linked: retire the one that is wrong", files
        )
    else:
        yield Step(CONTEST, reason, files)


def _together(similar: SimilarMemories, texts: Texts, agent_type: str) -> Step:
    notes = (similar.note, *(note for note, _ in similar.alike))
    least = min(verdict.similarity for _, verdict in similar.alike)
    same = all(
        verdict.action is SaveAction.DEDUPLICATED for _, verdict in similar.alike
    )
    how = "say the same" if same else f"are very similar ({least:.2f})"
    ids = ", ".join(note.id for note in notes[1:])
    reason = f"{ids} and {notes[0].id} {how}"
    files = tuple(note.version for note in notes)
    scopes = tuple(dict.fromkeys(note.scope for note in notes))
    if not all(note.mergeable for note in notes):
        return Step(LOOK, f"{reason}; not all can be changed by a program", files)
    # Of several, none may have what is in all the others.
    text = "" if same else containing([texts(note) for note in notes])
    if not (same or text):
        return Step(LOOK, f"{reason}; none has all that the others say", files)
    if len(scopes) == 1:
        return Step(MERGE, reason, files, text)
    broad = next((s for s in scopes if _covers(s, scopes)), None)
    if broad is not None:
        return _narrower(notes, broad, reason, same)
    target = _target(scopes, agent_type)
    where = ", ".join(map(str, scopes))
    if target is None:
        return Step(LOOK, f"{reason} in {where}", files)
    reason = f"known in {len(scopes)} places ({where}): {reason}"
    return Step(PROMOTE, reason, files, text, str(target))


def _covers(broad: Scope, scopes: Iterable[Scope]) -> bool:
    """Return True if every reader of one of the scopes also reads the broad one."""
    return all(
        one == broad
        or broad == SYSTEM
        or (one.kind == "override" and is_narrower(one, broad))
        for one in scopes
    )


def _narrower(
    notes: Sequence[MemoryNote], broad: Scope, reason: str, same: bool
) -> Step:
    """Propose to remove copies from scopes below a broader one."""
    stays = next(note for note in notes if note.scope == broad)
    others = tuple(note.version for note in notes if note is not stays)
    if same and all(_outlives(stays, note) for note in notes):
        return Step(RETIRE, f"{reason}; {broad} says it for all ({stays.id})", others)
    files = (stays.version, *others)
    return Step(LOOK, f"{reason}; {broad} may say it for all", files)


def _outlives(one: MemoryNote, other: MemoryNote) -> bool:
    """Return True if a memory does not expire before another."""
    return not one.expires or bool(other.expires and other.expires <= one.expires)


def _target(scopes: Sequence[Scope], agent_type: str) -> Scope | None:
    """Return the scope for a memory of several projects or agent types."""
    projects = {one.name for one in scopes if one.kind in ("project", "override")}
    types = {one.name for one in scopes if one.kind == "agent-type"}
    types |= {one.sub for one in scopes if one.kind == "override"}
    if len(types) > 1:
        return SYSTEM
    if len(projects) > 1:
        name = next(iter(types), agent_type)
        if Scope("agent-type", name) in scopes:
            return None  # that one stays: the others need a review
        return Scope("agent-type", name) if name else SYSTEM
    return None
