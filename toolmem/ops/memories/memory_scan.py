"""Every memory of a vault looked at once: what is said of it alone, and its words.

Texts are not kept: ten thousand of them are looked at, and few are compared.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.language.language import Language
from toolmem.core.memories.memory_text import (
    ParsedMemory,
    compared_text,
    parse_memory,
)
from toolmem.core.memories.naming import without_title
from toolmem.core.model import Fact, Scope
from toolmem.core.reflect.cited import cited_files
from toolmem.core.reflect.facts import facts_in, settled_fact, states_only
from toolmem.core.reflect.memories import MemoryNote, moment_text
from toolmem.core.reflect.noise import noise_in
from toolmem.core.reflect.plan import FACT, LOOK, RETIRE, Step, Version
from toolmem.core.reflect.word_table import WordTable
from toolmem.core.text.safetext import visible
from toolmem.core.times import as_moment, last_day, local_date
from toolmem.errors import InvalidFileError
from toolmem.store.files.tree import Tree
from toolmem.store.git.diff import Project
from toolmem.store.index.dictionary import dictionary
from toolmem.store.state.retrieval_counts import RetrievalCount
from toolmem.store.vault.memory_files import MemoryPath
from toolmem.store.vault.vault import blob_id, decode

_READ_AHEAD = 256
"""Texts that are kept while their groups are compared."""


class Usage(NamedTuple):
    """Retrieval counts of memories, and the time since they are counted."""

    found: Mapping[str, RetrievalCount]
    since: str


class ScanContext(NamedTuple):
    """Context for the scan of a memory: the time, its use, facts, the project.

    ``names`` leads from the last name of a path to the project's paths.
    """

    now: datetime
    usage: Usage
    facts: Mapping[tuple[Scope, str], Fact]
    project: Project | None
    names: Mapping[str, Sequence[str]]
    language: Language


class ScanResult(NamedTuple):
    """The memories that may be compared, and what should be done about each.

    ``looked_at`` is the number of all files.
    """

    notes: Sequence[MemoryNote]
    steps: tuple[Step, ...]
    words: WordTable
    looked_at: int


def scan_memories(
    tree: Tree,
    paths: Sequence[MemoryPath],
    around: ScanContext,
    report: Callable[[int], None],
) -> ScanResult:
    """Look at each memory; those that cannot be read are passed over (``check``)."""
    notes: list[MemoryNote] = []
    steps: list[Step] = []
    words = WordTable(dictionary(around.language.code), around.language)
    for number, where in enumerate(paths, 1):
        read = read_whole(tree, where.path)
        if read is not None:
            parsed, version = read
            alone = list(_alone(parsed, version, where.scope, around))
            steps += alone
            if all(step.action != RETIRE for step in alone):
                notes.append(_note(parsed, version, where.scope, around, words))
        report(number)
    return ScanResult(notes, tuple(steps), words, len(paths))


def read_whole(tree: Tree, path: str) -> tuple[ParsedMemory, Version] | None:
    """A memory and the version of its file; None where it cannot be read."""
    try:
        data = tree.read(path, limits.TEXT_FILE_BYTES)
        parsed = parse_memory(decode(data, path), path=path)
    except (FileNotFoundError, InvalidFileError):
        return None
    return parsed, Version(path, blob_id(data))


def texts_of(tree: Tree) -> Callable[[MemoryNote], str]:
    """Gives the text that memories are compared by, read again when it is asked for."""

    @lru_cache(maxsize=_READ_AHEAD)
    def text(path: str) -> str:
        read = read_whole(tree, path)
        return "" if read is None else compared_text(read[0])

    return lambda note: text(note.path)


def _note(
    parsed: ParsedMemory,
    version: Version,
    scope: Scope,
    around: ScanContext,
    words: WordTable,
) -> MemoryNote:
    text = compared_text(parsed)
    number = words.add(text)
    used = around.usage.found.get(parsed.id)
    return MemoryNote(
        path=version.path,
        blob=bytes.fromhex(version.blob),
        title=parsed.title,
        scope=scope,
        private=parsed.private,
        text=number,
        likeness=words.likeness(number),
        size=len(text),
        changed=moment_text(parsed.updated or parsed.created),
        used=used.times if used else 0,
        contested_with=parsed.contested_with,
        mergeable=not (parsed.original_path or _is_broken(parsed)),
        expires=moment_text(as_moment(parsed.expires_at)),
        settled=parsed.settled,
    )


def _is_broken(parsed: ParsedMemory) -> bool:
    """Return whether a person must decide something before a program changes it."""
    wrong = any(problem.severity == "error" for problem in parsed.problems)
    return wrong or "conflict" in parsed.extra


def _alone(
    parsed: ParsedMemory, version: Version, scope: Scope, around: ScanContext
) -> Iterator[Step]:
    """Yield the steps for a single memory; ``check`` reports broken ones."""
    if _is_broken(parsed):
        return
    over = as_moment(parsed.expires_at)
    if parsed.expires_at and over is not None and over <= around.now:
        reason = f"{parsed.id} expired on {last_day(parsed.expires_at)}"
        yield Step(RETIRE, reason, (version,))
        return
    noise = noise_in(parsed.title, parsed.original or parsed.body)
    if noise and parsed.importance <= limits.IMPORTANCE and not parsed.original_path:
        yield Step(RETIRE, f"{parsed.id} is {noise}", (version,))
        return
    yield from _hidden(parsed, version, scope, around)
    yield from _stale(parsed, version, around)
    yield from _unused(parsed, version, around)


def _hidden(
    parsed: ParsedMemory, version: Version, scope: Scope, around: ScanContext
) -> Iterator[Step]:
    if parsed.private:
        return  # facts are in every prompt
    body = without_title(parsed.original or parsed.body)
    facts = facts_in(body)
    is_alone = states_only(body, facts)
    for fact in facts:
        if settled_fact(fact.key, fact.value) in parsed.settled:
            continue
        known = around.facts.get((scope, fact.key))
        reason = f"{parsed.id} hides a fact: {fact.key} is {visible(fact.value)}"
        if known is None and not is_alone:
            reason += "; does it hold? The text says more about it"
            yield Step(LOOK, reason, (version,))
        elif known is None:
            yield Step(FACT, reason, (version,), "", str(scope), fact.key, fact.value)
        elif known.value != fact.value:
            reason = f"{parsed.id} says that {fact.key} is {visible(fact.value)}"
            there = f"{known.path} says {visible(known.value)}"
            yield Step(LOOK, f"{reason}, {there}: which one holds?", (version,))


def _stale(
    parsed: ParsedMemory, version: Version, around: ScanContext
) -> Iterator[Step]:
    if around.project is None:
        return
    since = as_moment(parsed.updated or parsed.created)
    for path in cited_files(parsed.original or parsed.body, around.names):
        changed = around.project.changed.get(path)
        if changed is None or (since and changed.when <= _end_of(since)):
            continue
        day = local_date(datetime.fromtimestamp(changed.when, UTC))
        what = "was deleted" if changed.deleted else "has changed"
        reason = f"{parsed.id} mentions {visible(path)}, which {what} since"
        yield Step(LOOK, f"{reason} ({day}, {changed.commit[:7]})", (version,))


def _end_of(when: datetime) -> float:
    """A day counts to its end: what was written that day knew of it."""
    whole = when.time() == time()
    return (when + timedelta(days=1) if whole else when).timestamp()


def _unused(
    parsed: ParsedMemory, version: Version, around: ScanContext
) -> Iterator[Step]:
    oldest = _unused_from(around.usage.since, around.now)
    since = as_moment(parsed.updated or parsed.created) if oldest else None
    if not oldest or not since or since > oldest or parsed.id in around.usage.found:
        return
    reason = f"{parsed.id} was never found here in {limits.UNUSED_DAYS} days"
    yield Step(LOOK, f"{reason}: retire it if it is not needed", (version,))


@lru_cache(maxsize=1)
def _unused_from(counted: str, now: datetime) -> datetime | None:
    """Return the newest time of a memory that may be unused; None if uses have not been
    counted for so long."""
    oldest = now - timedelta(days=limits.UNUSED_DAYS)
    return oldest if counted and datetime.fromisoformat(counted) <= oldest else None
