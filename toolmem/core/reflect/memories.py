"""What a step back finds among memories: duplicates, overlaps, contradictions,
what is known in several places, and what has gone stale.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from toolmem.core.comparison.verdict import SaveAction, SaveVerdict, compare
from toolmem.core.comparison.verdict import TermStatistics as VaultWords
from toolmem.core.memories.merge import Merged, key, merge
from toolmem.core.model import SYSTEM, Scope
from toolmem.core.reflect.plan import (
    CONTEST,
    LOOK,
    MERGE,
    PROMOTE,
    RETIRE,
    Step,
    Version,
)
from toolmem.core.reflect.similarity import Numbers, WordTable, similar_ones
from toolmem.core.scope import is_narrower

_SERIES = 3
"""Contradictions of one memory from which they are no contradictions."""
Texts = Callable[["MemoryNote"], str]
"""Gives the whole text of a memory as it is compared; empty where it is gone."""


class MemoryNote(NamedTuple):
    """What is kept of a memory while all are looked at; never its text.

    ``words`` are its distinct words as numbers, ``same`` is equal for texts that make
    the same statements, ``used`` is how often it was retrieved here; ``expires`` is
    when it ends, empty for one that lasts.
    """

    id: str
    title: str
    version: Version
    scope: Scope
    private: bool
    words: Numbers
    same: str
    size: int
    changed: str
    used: int
    contested_with: tuple[str, ...]
    mergeable: bool
    expires: str = ""


_SAME_TEXT = SaveVerdict(SaveAction.DEDUPLICATED, 1.0)


class SimilarMemories(NamedTuple):
    """A memory, and others that say the same, more, or the opposite."""

    note: MemoryNote
    alike: tuple[tuple[MemoryNote, SaveVerdict], ...]
    against: tuple[tuple[MemoryNote, SaveVerdict], ...]


def moment_text(value: date | datetime | None) -> str:
    """A date or time so that texts order as times do; empty without one."""
    return value.isoformat() if value else ""


def groups(
    notes: Sequence[MemoryNote],
    known: WordTable,
    texts: Texts,
    report: Callable[[int], None],
) -> Iterator[SimilarMemories]:
    """Each memory that stands for others, with those; each stands in one group.

    First come those that were used most, are longest, newest: they stay. ``report``
    is told how much of twice the number of memories is done.
    """
    ordered = sorted(notes, key=_standing)
    twins = _twins(ordered)
    alone = [note for n, note in enumerate(ordered) if n not in twins.others]
    place = {note.version.path: n for n, note in enumerate(alone)}
    pairs: dict[int, list[int]] = {}
    meets = similar_ones(
        [note.words for note in alone],
        known,
        lambda a, b: _may_meet(alone[a], alone[b]),
        report,
    )
    for one, other, _ in meets:
        pairs.setdefault(min(one, other), []).append(max(one, other))
    vault = VaultWords(known.documents, known.frequency, known.is_word)
    taken: set[int] = set()
    for n, note in enumerate(alone):
        if n + 1 < len(alone):
            report(len(alone) + n + 1)
        alike = [(twin, _SAME_TEXT) for twin in twins.of(note)]
        against: list[tuple[MemoryNote, SaveVerdict]] = []
        for other in sorted(pairs.get(n, ())) if n not in taken else ():
            if other in taken:
                continue
            verdict = _verdict(note, alone[other], texts, vault)
            if verdict.action in (SaveAction.DEDUPLICATED, SaveAction.MERGED):
                taken.add(other)
                alike.append((alone[other], verdict))
            elif verdict.action is SaveAction.CONTESTED:
                against.append((alone[other], verdict))
                if len(against) == _SERIES:
                    taken.update(place[one.version.path] for one, _ in against)
                    break
        if alike or against:
            yield SimilarMemories(note, tuple(alike), tuple(against))
    report(2 * len(notes))


class _Twins(NamedTuple):
    """Memories whose text is that of one before them."""

    first: Mapping[str, tuple[MemoryNote, ...]]
    others: frozenset[int]

    def of(self, note: MemoryNote) -> tuple[MemoryNote, ...]:
        """The twins of a memory that stands for them."""
        return self.first.get(note.version.path, ())


def _twins(ordered: Sequence[MemoryNote]) -> _Twins:
    first: dict[tuple[str, bool, str], MemoryNote] = {}
    found: dict[str, tuple[MemoryNote, ...]] = {}
    others = set()
    for n, note in enumerate(ordered):
        own = str(note.scope) if note.scope.kind == "agent" else ""
        known = first.setdefault((note.same, note.private, own), note)
        if known is not note:
            path = known.version.path
            found[path] = (*found.get(path, ()), note)
            others.add(n)
    return _Twins(found, frozenset(others))


def _standing(note: MemoryNote) -> tuple[int, int, str, str]:
    inverted = "".join(chr(0x10FFFF - ord(char)) for char in note.changed)
    return (-note.used, -note.size, inverted or "\U0010ffff", note.version.path)


def _may_meet(one: MemoryNote, other: MemoryNote) -> bool:
    """An agent's own and private memories concern nobody else."""
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


def steps_of(near: SimilarMemories, texts: Texts, agent_type: str) -> Iterator[Step]:
    """What should be done about a group; ``agent_type`` is that of the projects."""
    if len(near.against) == _SERIES:
        yield _series(near)
    else:
        for other, verdict in near.against:
            yield from _against(near.note, other, verdict)
    if near.alike:
        yield _together(near, texts, agent_type)


def _series(near: SimilarMemories) -> Step:
    notes = (near.note, *(note for note, _ in near.against))
    ids = ", ".join(note.id for note in notes)
    said = f"{ids} read alike and differ in numbers or names: a series, or wrong?"
    return Step(LOOK, said, tuple(note.version for note in notes))


def _against(
    note: MemoryNote, other: MemoryNote, verdict: SaveVerdict
) -> Iterator[Step]:
    files = (note.version, other.version)
    differ = ", ".join(verdict.differing)
    said = f"{note.id} and {other.id} contradict each other ({differ})"
    if note.scope != other.scope:
        if is_narrower(note.scope, other.scope) or is_narrower(other.scope, note.scope):
            yield Step(LOOK, f"{said}; the narrower scope wins: is it meant so?", files)
    elif other.id in note.contested_with or note.id in other.contested_with:
        yield Step(LOOK, f"{said} and are linked: retire the one that is wrong", files)
    else:
        yield Step(CONTEST, said, files)


def _together(near: SimilarMemories, texts: Texts, agent_type: str) -> Step:
    notes = (near.note, *(note for note, _ in near.alike))
    least = min(verdict.similarity for _, verdict in near.alike)
    same = all(verdict.action is SaveAction.DEDUPLICATED for _, verdict in near.alike)
    how = "say the same" if same else f"are very similar ({least:.2f})"
    ids = ", ".join(note.id for note in notes[1:])
    said = f"{ids} and {notes[0].id} {how}"
    files = tuple(note.version for note in notes)
    scopes = tuple(dict.fromkeys(note.scope for note in notes))
    if not all(note.mergeable for note in notes):
        return Step(LOOK, f"{said}; not all can be changed by a program", files)
    merged = Merged("") if same else _union(notes, texts)
    if merged.clashes:
        said = f"{said}, with different versions of a list, table or code block"
        return Step(CONTEST if len(notes) == 2 else LOOK, said, files)
    if len(scopes) == 1:
        return Step(MERGE, said, files, merged.text)
    broad = next((s for s in scopes if _covers(s, scopes)), None)
    if broad is not None:
        return _narrower(notes, broad, said, same)
    target = _target(scopes, agent_type)
    where = ", ".join(map(str, scopes))
    if target is None:
        return Step(LOOK, f"{said} in {where}", files)
    said = f"known in {len(scopes)} places ({where}): {said}"
    return Step(PROMOTE, said, files, merged.text, str(target))


def _covers(broad: Scope, scopes: Iterable[Scope]) -> bool:
    """Whether whoever sees one of the scopes always sees the broad one, too."""
    return all(
        one == broad
        or broad == SYSTEM
        or (one.kind == "override" and is_narrower(one, broad))
        for one in scopes
    )


def _narrower(notes: Sequence[MemoryNote], broad: Scope, said: str, same: bool) -> Step:
    """What is said in a broader scope need not be said again."""
    stays = next(note for note in notes if note.scope == broad)
    others = tuple(note.version for note in notes if note is not stays)
    if same and all(_outlives(stays, note) for note in notes):
        return Step(RETIRE, f"{said}; {broad} says it for all ({stays.id})", others)
    files = (stays.version, *others)
    return Step(LOOK, f"{said}; {broad} may say it for all", files)


def _outlives(one: MemoryNote, other: MemoryNote) -> bool:
    """Whether a memory is there at least as long as another."""
    return not one.expires or bool(other.expires and other.expires <= one.expires)


def _target(scopes: Sequence[Scope], agent_type: str) -> Scope | None:
    """The scope for what is known in several projects or agent types."""
    projects = {one.name for one in scopes if one.kind in ("project", "override")}
    types = {one.name for one in scopes if one.kind == "agent-type"}
    types |= {one.sub for one in scopes if one.kind == "override"}
    if len(types) > 1:
        return SYSTEM
    if len(projects) > 1:
        name = next(iter(types), agent_type)
        if Scope("agent-type", name) in scopes:
            return None  # that one stays: which of the others may go is to be seen
        return Scope("agent-type", name) if name else SYSTEM
    return None


def _union(notes: Sequence[MemoryNote], texts: Texts) -> Merged:
    """Merge all texts, the newest first; the title is the first one's."""
    newest = sorted(notes, key=lambda note: note.changed, reverse=True)
    title = key(notes[0].title)
    text = ""
    clashes: list[str] = []
    for note in newest:
        body = texts(note)
        first, _, rest = body.partition("\n")
        if first.startswith("# "):
            named = first[2:].strip()
            body = rest if key(named) == title else f"{named}\n\n{rest}"
        merged = merge(text, body) if text else Merged(body)
        text, clashes = merged.text, [*clashes, *merged.clashes]
    return Merged(text.strip("\n") + "\n", tuple(clashes))
