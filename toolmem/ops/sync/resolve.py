"""Resolve what merges could not: conflicts in files, and git's conflict markers."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.formats.toml_text import parse_toml
from toolmem.core.merge.merge import merge_file
from toolmem.core.merge.open_conflicts import TAKES, conflicts_of, resolve_conflict
from toolmem.core.merge.result import DELETED, MOVED, Conflict
from toolmem.core.merge.stretches import sides_of
from toolmem.core.model import Problem
from toolmem.core.text.conflict_marks import conflict_line
from toolmem.errors import (
    ExistsError,
    InvalidFileError,
    NextStep,
    NotFoundError,
    UsageError,
)
from toolmem.ops.memories.restore import archived_files
from toolmem.ops.rules.move import require_kept
from toolmem.ops.sync.merge_file import MergedFile, merge_kind
from toolmem.ops.sync.places import is_archived
from toolmem.ops.sync.unmerged import ResolvedFile, merge_unmerged
from toolmem.store.files import files, layout, lock
from toolmem.store.files.walk import walk
from toolmem.store.git import run as gitrun
from toolmem.store.git import unmerged as gitunmerged
from toolmem.store.git.repo import Repo
from toolmem.store.vault.memory_writer import move_memory
from toolmem.store.vault.rule_files import load_rule_files
from toolmem.store.vault.vault import Vault, decode


class OpenConflict(NamedTuple):
    """An open conflict and its file."""

    path: str
    kind: str
    conflict: Conflict


class OpenConflicts(NamedTuple):
    """Open conflicts, and the files that cannot be read."""

    open: tuple[OpenConflict, ...]
    problems: tuple[Problem, ...]


def open_conflicts(vault: Vault) -> OpenConflicts:
    """Return every conflict in a file of the vault, by path and line."""
    conflicts: list[OpenConflict] = []
    problems: list[Problem] = []
    for path in _paths(vault):
        try:
            text = vault.text(path) or ""
            line = conflict_line(text)
            if line:
                raise InvalidFileError(path, line, "has git's conflict markers")
            if "conflict" in text:
                kind = merge_kind(path)
                conflicts += [
                    OpenConflict(path, kind, c) for c in conflicts_of(kind, text, path)
                ]
        except InvalidFileError as error:
            problems.append(Problem(path, error.line, "unreadable", error.reason))
    return OpenConflicts(tuple(conflicts), tuple(problems))


def merge_again(
    vault: Vault, names: Sequence[str] = ()
) -> Iterator[ResolvedFile | Problem]:
    """Merge again, by meaning, every file (of these) that git left unmerged.

    The three sides are taken from git's index where it still has them, else from
    between the marks. A file that cannot be merged stays and is reported. Raises
    ``NotFoundError`` for a name that no file has.
    """
    vault.require_writable()
    repo = Repo.find(vault.root)
    unmerged = gitunmerged.unmerged(repo) if repo else {}
    paths = [*_paths(vault)]
    for name in names:
        if not any(_is_named(path, name) for path in (*paths, *unmerged)):
            raise _no_conflict()
    if repo is not None and unmerged:
        yield from merge_unmerged(vault, repo, lambda path: is_named(path, names))
    for path in paths:
        if path in unmerged or not is_named(path, names):
            continue
        try:
            merged = _merge_marked(vault, path)
        except InvalidFileError as error:
            yield Problem(path, error.line, "unreadable", error.reason)
            continue
        if merged is not None:
            yield ResolvedFile(path, "merged", len(merged.conflicts))


def in_vault(vault: Vault, names: Iterable[str]) -> list[str]:
    """Return paths in the vault for those in its repository, as git prints them."""
    repo = Repo.find(vault.root)
    prefix = f"{repo.prefix}/" if repo and repo.prefix else ""
    return [name.removeprefix(prefix) for name in names]


def left_unmerged(vault: Vault) -> Iterator[Problem]:
    """Return the files that git has as unmerged although they contain no conflict.

    A side could not be read, or they are none that toolmem merges, or a person has
    put them right and not said so.
    """
    repo = Repo.find(vault.root)
    waiting = gitunmerged.unmerged(repo) if repo else {}
    if waiting:
        conflicts = open_conflicts(vault)
        reported = {conflict.path for conflict in conflicts.open} | {
            problem.path for problem in conflicts.problems
        }
        for path in waiting.keys() - reported:
            yield Problem(path, 0, "unmerged", _TWO_VERSIONS)


_TWO_VERSIONS = "git has two versions of it: edit it, then run `git add`"


def _merge_marked(vault: Vault, path: str) -> MergedFile | None:
    """Merge the sides between git's marks in a file, if it has any."""
    with lock.hold(vault.root):
        try:
            before = vault.fresh().tree.read(path, limits.TEXT_FILE_BYTES)
        except FileNotFoundError:
            return None
        text = before.decode("utf-8", "replace")
        if not conflict_line(text):
            return None
        sides = sides_of(text, path)
        merged = merge_file(merge_kind(path), *sides, path)
        made = MergedFile(merged.text.encode(), merged.conflicts)
        files.replace(vault.root, path, made.data, before)
        return made


def resolve_conflicts(
    vault: Vault, take: str, names: Sequence[str] = (), key: str = ""
) -> list[ResolvedFile]:
    """Settle the open conflicts of these files or ids, or of one key, for a side.

    Without a name all are meant. Raises ``NotFoundError`` if there is none, and
    ``UsageError`` where the side means nothing for a conflict; files before it are
    settled then.
    """
    vault.require_writable()
    if take not in TAKES:
        raise UsageError(f"no side {take!r}: {', '.join(TAKES)}")
    if vault.setting("agent"):
        raise UsageError("only a person can resolve conflicts")
    chosen = [
        conflict
        for conflict in open_conflicts(vault).open
        if is_meant(conflict, names, key)
    ]
    if not chosen:
        raise _no_conflict()
    return [
        _resolve_file(vault, path, take, key)
        for path in dict.fromkeys(conflict.path for conflict in chosen)
    ]


def _no_conflict() -> NotFoundError:
    return NotFoundError("no such conflict: ", NextStep("resolve"), " lists them")


def is_meant(conflict: OpenConflict, names: Iterable[str], key: str = "") -> bool:
    """Return whether a conflict is in one of these files (none: any), with the key."""
    return (not key or conflict.conflict.key == key) and is_named(conflict.path, names)


def is_named(path: str, names: Iterable[str]) -> bool:
    """Return whether a file has one of these paths or ids; no names match all."""
    listed = list(names)
    return not listed or any(_is_named(path, name) for name in listed)


def _is_named(path: str, name: str) -> bool:
    stem = path.rpartition("/")[2].rpartition(".")[0]
    if name in (path, stem):
        return True
    short = stem.rpartition("-")[2]  # what the name of a rule's file has of its id
    whole = len(short) == limits.ID_SHOWN and "/" not in name
    return (
        name == short
        or (whole and name.startswith(short))
        or (len(name) >= _SHORTEST and short.startswith(name))
    )


_SHORTEST = 4
"""Characters of an id that are enough to name its file."""


def _resolve_file(vault: Vault, path: str, take: str, key: str) -> ResolvedFile:
    """Settle a file's conflicts from the last to the first, so that lines stay."""
    repo = Repo.find(vault.root)
    with lock.hold(vault.root):
        before = vault.fresh().tree.read(path, limits.TEXT_FILE_BYTES)
        text: str | None = decode(before, path)
        kind, place = merge_kind(path), path
        while text is not None:
            conflicts = [
                c for c in conflicts_of(kind, text, path) if not key or c.key == key
            ]
            if not conflicts:
                break
            text = resolve_conflict(kind, text, conflicts[-1], take, path)
            if text is not None and conflicts[-1].key == DELETED:
                _drop_archived(vault, kind, path, text)
            if conflicts[-1].key == MOVED:
                place = str(
                    conflicts[-1].ours if take == "ours" else conflicts[-1].theirs
                )
        if text is None:
            files.delete(vault.root, path, before)
        elif place != path:
            _move(vault, path, place, before, text)
        else:
            files.replace(vault.root, path, text.encode(), before)
        left = len(conflicts_of(kind, text, path)) if text is not None else 0
        if not left:
            _stage(repo, dict.fromkeys((path, place)))
    return ResolvedFile(place, "deleted" if text is None else "settled", left)


def _drop_archived(vault: Vault, kind: str, path: str, text: str) -> None:
    """Delete the archived copies of a rule that a side retired and that stays."""
    if kind != "rule" or is_archived(path):
        return
    rule_id = parse_toml(text, path).get("id")
    for copy in [*archived_files(vault)]:
        if (copy.kind, copy.id) == (kind, rule_id):
            data = vault.tree.read(copy.path, limits.TEXT_FILE_BYTES)
            files.delete(vault.root, copy.path, data)


def _move(vault: Vault, path: str, target: str, before: bytes, text: str) -> None:
    """Move a file to the place of one side; raises as ``rule move`` does."""
    scope = layout.scope_of(target)
    if merge_kind(path) == "memory":
        move_memory(vault, path, target, before, text)
        return
    if merge_kind(path) == "rule" and scope is not None and not is_archived(target):
        loaded = load_rule_files(vault, layout.all_scopes(vault.tree)).files
        [file] = (rule for rule in loaded if rule.path == path)
        same = [rule for rule in loaded if rule.id == file.id and rule is not file]
        for rule in same:
            if rule.scope == scope:
                raise ExistsError(
                    f"{rule.path} has this id: archive or delete it first"
                )
        require_kept(file, same, scope)
    files.move(vault.root, path, target, expected=before, data=text.encode())


def _stage(repo: Repo | None, paths: Iterable[str]) -> None:
    """Put settled files into git's index, if git is in the middle of a merge."""
    if repo is not None:
        unmerged = gitunmerged.unmerged(repo)
        busy = bool(gitrun.operation(repo.top))
        for path in paths:
            if busy or path in unmerged:
                gitunmerged.stage_merged(repo, path)


def _paths(vault: Vault) -> Iterator[str]:
    """The files in which a merge can leave something, by path."""
    paths = [file.path for file in walk(vault.tree) if not isinstance(file, Problem)]
    for path in sorted({*paths, layout.SETTINGS}):
        if path.endswith((".toml", ".md")) and merge_kind(path) != "other":
            yield path
