"""Propose cleanups of memories: duplicates, overlaps, contradictions and copies."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from toolmem.core.comparison.verdict import SaveAction, SaveVerdict
from toolmem.core.memories.merge import containing
from toolmem.core.model import SYSTEM, Scope
from toolmem.core.reflect.memories import MemoryNote, SimilarMemories, Texts
from toolmem.core.reflect.plan import (
    CONTEST,
    LOOK,
    MERGE,
    PROMOTE,
    RETIRE,
    Step,
)
from toolmem.core.scope import is_narrower

_VERSION = re.compile(r"v?\d+(?:\.\d+)+|\d{4}-\d\d(?:-\d\d)?", re.IGNORECASE)
"""A version or date: titles that differ in it alone are of a series."""
_OF_SERIES = "read alike and differ in numbers or names: a series, or wrong?"


def proposals(
    groups: Iterable[SimilarMemories], texts: Texts, agent_type: str
) -> Iterator[Step]:
    """Yield the proposals for groups of memories, and one for each series of them.

    ``agent_type`` is that of the projects.
    """
    series: list[tuple[MemoryNote, ...]] = []
    for similar in groups:
        for one, rival, verdict in similar.against:
            if similar.series or _is_series(one, rival):
                parts = [notes for notes in series if one in notes or rival in notes]
                series = [notes for notes in series if notes not in parts]
                series.append(tuple(dict.fromkeys(chain(*parts, (one, rival)))))
            else:
                yield from _against(one, rival, verdict)
        if similar.alike:
            step = _together(similar, texts, agent_type)
            if not similar.disputed or step.action == MERGE:
                yield step
    for notes in series:
        ids = ", ".join(note.id for note in notes)
        files = tuple(note.version for note in notes)
        yield Step(LOOK, f"{ids} {_OF_SERIES}", files)


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
    reason = f"{note.id} and {other.id} contradict each other ({differ})"
    if is_narrower(note.scope, other.scope) or is_narrower(other.scope, note.scope):
        reason = f"{reason}; the narrower scope wins: is it meant so?"
        yield Step(LOOK, reason, files)
    elif note.scope != other.scope:
        return
    elif other.id in note.contested_with or note.id in other.contested_with:
        reason = f"{reason} and are linked: retire the one that is wrong"
        yield Step(LOOK, reason, files)
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
        scope == broad
        or broad == SYSTEM
        or (scope.kind == "override" and is_narrower(scope, broad))
        for scope in scopes
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
    projects = {scope.name for scope in scopes if scope.kind in ("project", "override")}
    types = {scope.name for scope in scopes if scope.kind == "agent-type"}
    types |= {scope.sub for scope in scopes if scope.kind == "override"}
    if len(types) > 1:
        return SYSTEM
    if len(projects) > 1:
        name = next(iter(types), agent_type)
        if Scope("agent-type", name) in scopes:
            return None  # that one stays: the others need a review
        return Scope("agent-type", name) if name else SYSTEM
    return None
