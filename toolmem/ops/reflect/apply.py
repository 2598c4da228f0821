"""Carrying out a plan: exactly its steps, and none whose files have changed since.

Every file is read under the lock and compared with the id in the plan before it is
touched. A step that was broken off half-way is finished by applying the plan again:
what of it has happened is recognised. Nothing is deleted: what retires is moved to
``archive/`` with the reason.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.memories.memory_edit import edit_header
from toolmem.core.memories.memory_text import parse_memory
from toolmem.core.memories.retired import retired
from toolmem.core.model import Priority, Source
from toolmem.core.names import folder_key
from toolmem.core.reflect import plan
from toolmem.core.reflect.facts import settled_fact
from toolmem.core.reflect.plan import Plan, Step, Version
from toolmem.core.rules.compose import clean_line
from toolmem.core.rules.rule_file import parse_rule_file
from toolmem.core.scope import parse_scope
from toolmem.core.text.safetext import visible
from toolmem.core.times import rfc3339
from toolmem.errors import (
    ExistsError,
    InvalidFileError,
    NotFoundError,
    UsageError,
)
from toolmem.ops.memories.contradictions import (
    contested_by,
    settled_with,
    unlink_rivals,
)
from toolmem.ops.memories.fact_change import set_fact
from toolmem.ops.memories.restore import unmarked
from toolmem.ops.reflect.united import united_memory
from toolmem.ops.rules.listing import require_person
from toolmem.ops.rules.put import NewRule, put_rule
from toolmem.store.files import files, layout, lock
from toolmem.store.files.walk import kind_of
from toolmem.store.vault.fact_files import load_facts
from toolmem.store.vault.memory_writer import move_memory, set_aside
from toolmem.store.vault.rule_writer import archive_file
from toolmem.store.vault.vault import Vault, blob_id, decode

_REASON_CHARS = 500


class StepResult(NamedTuple):
    """A step and what became of it: ``done``, ``skipped`` (why) or ``looked``.

    ``paths`` are the files as they are now called.
    """

    step: Step
    action: str
    paths: tuple[str, ...] = ()
    why: str = ""


_Ours = dict[Version, str]
"""Files that this plan has changed itself, and the blob ids that they have since."""


class _PlannedFile(NamedTuple):
    """A file of a step, as it was when the plan was made."""

    path: str
    data: bytes
    text: str


def apply_plan(
    vault: Vault, wanted: Plan, new_id: Callable[[], str]
) -> list[StepResult]:
    """Carry out the steps of a plan, one after the other; what became of each.

    A step that cannot be done is skipped and says why; the others go on. Raises
    ``LockedError`` and ``StorageError``, and what makes the vault read only.
    """
    vault.require_writable()
    done: list[StepResult] = []
    ours: _Ours = {}
    for number, step in enumerate(wanted.steps, 1):
        done.append(_apply(vault.fresh(), step, new_id, ours))
        if vault.progress is not None:
            vault.progress("applying", number, len(wanted.steps))
    return done


def _apply(
    vault: Vault, step: Step, new_id: Callable[[], str], ours: _Ours
) -> StepResult:
    if step.action in (plan.LOOK, plan.COMPARE):
        return StepResult(step, "looked")
    try:
        if step.action == plan.FACT:
            return StepResult(step, "done", (_fact(vault, step, ours),))
        if step.action == plan.RULE:
            return StepResult(step, "done", (_rule(vault, step, new_id),))
        with lock.hold(vault.root):
            return StepResult(step, "done", _WAYS[step.action](vault, step, ours))
    except (ExistsError, InvalidFileError, NotFoundError, UsageError) as error:
        return StepResult(step, "skipped", (), str(error))


def _retire(vault: Vault, step: Step, ours: _Ours) -> tuple[str, ...]:
    """All files are looked at before the first one moves."""
    files = [
        (version, _unchanged(vault, version, ours, "memory", "rule"))
        for version in step.files
    ]
    return tuple(
        _archive(vault, version, read, step.reason, ours) for version, read in files
    )


def _contest(vault: Vault, step: Step, ours: _Ours) -> tuple[str, ...]:
    ids = [_id_of(version.path) for version in step.files]
    files = [
        _linked(vault, version, other) or _required(vault, version, ours)
        for version, other in zip(step.files, reversed(ids), strict=True)
    ]
    for version, read, other in zip(step.files, files, reversed(ids), strict=True):
        parsed = parse_memory(read.text, path=read.path)
        edited = edit_header(read.text, contested_by(parsed, other), path=read.path)
        ours[version] = _replace(vault, read, edited)
    return tuple(read.path for read in files)


def _linked(vault: Vault, version: Version, other: str) -> _PlannedFile | None:
    """A file that has its link already, by a step that was broken off after it."""
    _require_kind(version.path, ("memory",))
    read = _now(vault, version.path)
    if read is None or other not in parse_memory(read.text, path="").contested_with:
        return None
    return read


def _merge(vault: Vault, step: Step, ours: _Ours) -> tuple[str, ...]:
    """The first file takes in what the others say; then they retire."""
    return _united(vault, step, step.files[0].path, ours)


def _promote(vault: Vault, step: Step, ours: _Ours) -> tuple[str, ...]:
    """As a merge, and the first file moves to the wider scope."""
    source = step.files[0].path
    scope = layout.scope_of(source)
    if scope is None:
        raise UsageError(f"{source} is not in any scope")
    inside = source.removeprefix(f"{layout.scope_folder(scope)}/")
    target = f"{layout.scope_folder(parse_scope(step.scope))}/{inside}"
    return _united(vault, step, target, ours)


def _united(vault: Vault, step: Step, target: str, ours: _Ours) -> tuple[str, ...]:
    first, *rest = step.files
    others = [(version, _unchanged(vault, version, ours, "memory")) for version in rest]
    ids = [_id_of(version.path) for version in rest]
    reason = f"{step.reason}; now in {_id_of(first.path)}"
    before = _now(vault, first.path)
    if before is not None and _is_known(before, first, ours):
        _require_kind(first.path, ("memory",))
        known = [parse_memory(r.text, path=r.path) for _, r in others if r is not None]
        edited = united_memory(vault, before.text, before.path, known, ids, step.text)
        edited = set_aside(vault, before.path, edited)
        if target == first.path:
            ours[first] = _replace(vault, before, edited)
        else:  # never over another file
            move_memory(vault, first.path, target, before.data, edited)
    elif not _has_taken_in(_now(vault, target), ids):
        raise ExistsError(f"{first.path}: changed since the plan was made")
    successor = _id_of(first.path)
    archived = [
        _archive(vault, version, read, reason, ours, successor)
        for version, read in others
    ]
    return (target, *archived)


def _has_taken_in(read: _PlannedFile | None, ids: list[str]) -> bool:
    """Return whether this is the result of an interrupted step."""
    if read is None or not ids:
        return False
    return set(ids) <= set(parse_memory(read.text, path=read.path).supersedes)


def _archive(
    vault: Vault,
    version: Version,
    read: _PlannedFile | None,
    reason: str,
    ours: _Ours,
    successor: str = "",
) -> str:
    """Move one file to the archive; ``read`` is None if it is archived already.

    ``successor`` is the id of the memory that has taken it in.
    """
    target = layout.archived(version.path)
    if read is None:
        return target
    if _is_archived(vault, version):  # a step that was broken off left both
        files.delete(vault.root, version.path, expected=read.data)
        return target
    cleaned = clean_line(reason[:_REASON_CHARS], "reason")
    if kind_of(version.path) == "rule":
        marks = {"reason": cleaned, "archived_at": vault.now}
        return archive_file(vault, version.path, marks)
    edited = retired(
        read.text, cleaned, rfc3339(vault.now), path=version.path, successor=successor
    )
    target = layout.free_path(vault.tree, target)
    move_memory(vault, version.path, target, read.data, edited)
    gone = parse_memory(read.text, path=version.path)
    for path, before, after in unlink_rivals(vault, gone, successor):
        _note_edit(ours, path, blob_id(before), blob_id(after))
    return target


def _note_edit(ours: _Ours, path: str, before: str, after: str) -> None:
    """Keep the id of a file that a step has edited besides its own."""
    for version, now in [*ours.items(), (Version(path, before), before)]:
        if version.path == path and now == before:
            ours[version] = after


def _fact(vault: Vault, step: Step, ours: _Ours) -> str:
    """Set a fact; a memory that states it keeps that this has been settled."""
    for version in step.files:
        _required(vault, version, ours)
    scope = parse_scope(step.scope)
    for fact in load_facts(vault, scope)[0]:
        if fact.key == step.key and fact.value != step.value:
            value = visible(fact.value)
            raise ExistsError(
                f"{step.key} is {value} by now: this command did not set it"
            )
    changed = set_fact(vault, step.key, step.value, scope)
    with lock.hold(vault.root):
        for version in step.files:
            read = _required(vault, version, ours)
            parsed = parse_memory(read.text, path=read.path)
            settled = settled_with(parsed, settled_fact(step.key, step.value))
            edited = edit_header(read.text, settled, path=read.path)
            ours[version] = _replace(vault, read, edited)
    return changed.fact.path if changed.fact else ""


def _rule(vault: Vault, step: Step, new_id: Callable[[], str]) -> str:
    wanted = NewRule(
        step.tool,
        step.text,
        Priority(step.priority),
        Source.PROGRAMMATIC if vault.setting("agent") else Source.USER_EXPLICIT,
        evidence=step.reason[:_REASON_CHARS],
    )
    return put_rule(vault, wanted, parse_scope(step.scope), new_id).rule.path


def _required(vault: Vault, version: Version, ours: _Ours) -> _PlannedFile:
    read = _unchanged(vault, version, ours, "memory")
    if read is None:
        raise ExistsError(f"{version.path}: retired since the plan was made")
    return read


def _unchanged(
    vault: Vault, version: Version, ours: _Ours, *kinds: str
) -> _PlannedFile | None:
    """The file as it was, None where it has retired with that very content."""
    _require_kind(version.path, kinds)
    read = _now(vault, version.path)
    if read is None:
        if _is_archived(vault, version):
            return None
        raise ExistsError(f"{version.path}: gone since the plan was made")
    if not _is_known(read, version, ours):
        raise ExistsError(f"{version.path}: changed since the plan was made")
    if kind_of(version.path) == "rule":
        _require_may_retire(vault, read)
    return read


def _is_known(read: _PlannedFile, version: Version, ours: _Ours) -> bool:
    return blob_id(read.data) in (version.blob, ours.get(version))


def _require_may_retire(vault: Vault, read: _PlannedFile) -> None:
    scope = layout.scope_of(read.path)
    if scope is None:
        raise UsageError(f"{read.path} is not in any scope")
    tool = folder_key(read.path.split("/")[-2])
    file = parse_rule_file(read.text, path=read.path, scope=scope, folder_tool=tool)
    require_person(vault, file)


def _require_kind(path: str, kinds: tuple[str, ...]) -> None:
    if kind_of(path) not in kinds:
        raise UsageError(f"{path} is not a {' or '.join(kinds)} of this vault")


def _now(vault: Vault, path: str) -> _PlannedFile | None:
    try:
        data = vault.tree.read(path, limits.TEXT_FILE_BYTES)
    except FileNotFoundError:
        return None
    return _PlannedFile(path, data, decode(data, path))


def _is_archived(vault: Vault, version: Version) -> bool:
    """Return whether the archive has the content of this file, except archive marks."""
    read = _now(vault, layout.archived(version.path))
    if read is None:
        return False
    text = unmarked(read.text, version.path, kind_of(version.path))
    return blob_id(text.encode()) == version.blob


def _replace(vault: Vault, read: _PlannedFile, edited: str) -> str:
    """Write a changed file; the blob id that it has now."""
    data = edited.encode()
    if data != read.data:
        files.replace(vault.root, read.path, data, expected=read.data)
    return blob_id(data)


def _id_of(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


_WAYS: Mapping[str, Callable[[Vault, Step, _Ours], tuple[str, ...]]] = {
    plan.RETIRE: _retire,
    plan.MERGE: _merge,
    plan.PROMOTE: _promote,
    plan.CONTEST: _contest,
}
