"""Resolve what merges could not: conflicts in files, and git's conflict markers."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.merge.merge import merge_file
from toolmem.core.merge.open_conflicts import TAKES, conflicts_of, resolve_conflict
from toolmem.core.merge.result import DELETED, Conflict
from toolmem.core.merge.stretches import sides_of
from toolmem.core.model import Problem
from toolmem.core.text.conflict_marks import conflict_line
from toolmem.errors import InvalidFileError, NotFoundError, UsageError
from toolmem.ops.memories.restore import files_in
from toolmem.ops.sync.merge_file import (
    MergedFile,
    keep_deleted,
    merge_bytes,
    merge_kind,
)
from toolmem.ops.sync.places import is_archived
from toolmem.store.files import files, layout, lock
from toolmem.store.files.walk import walk
from toolmem.store.git import unmerged as gitunmerged
from toolmem.store.git.repo import Repo
from toolmem.store.vault.vault import Vault, decode


class OpenConflict(NamedTuple):
    """An open conflict and its file."""

    path: str
    kind: str
    conflict: Conflict


class ResolvedFile(NamedTuple):
    """A file that was changed: ``merged``, ``settled`` or ``deleted``; what is left."""

    path: str
    action: str
    left: int


class OpenConflicts(NamedTuple):
    """Open conflicts, and the files that cannot be read."""

    open: tuple[OpenConflict, ...]
    problems: tuple[Problem, ...]


def open_conflicts(vault: Vault) -> OpenConflicts:
    """Return every conflict in a file of the vault, by path and line."""
    found: list[OpenConflict] = []
    problems: list[Problem] = []
    for path in _paths(vault):
        try:
            text = vault.text(path) or ""
            line = conflict_line(text)
            if line:
                raise InvalidFileError(path, line, "has git's conflict markers")
            if "conflict" in text:
                kind = merge_kind(path)
                found += [
                    OpenConflict(path, kind, c) for c in conflicts_of(kind, text, path)
                ]
        except InvalidFileError as error:
            problems.append(Problem(path, error.line, "unreadable", error.reason))
    return OpenConflicts(tuple(found), tuple(problems))


def merge_again(
    vault: Vault, names: Sequence[str] = ()
) -> Iterator[ResolvedFile | Problem]:
    """Merge again, by meaning, every file (of these) that git left unmerged.

    The three sides are taken from git's index where it still has them, else from
    between the marks. A file that cannot be merged stays and is reported. Raises
    ``NotFoundError`` for a name that no file has.
    """
    vault.require_writable()
    paths = list(_paths(vault))
    repo = Repo.find(vault.root)
    unmerged = gitunmerged.unmerged(repo) if repo else {}
    for name in names:
        if not any(_is_named(path, name) for path in (*paths, *unmerged)):
            raise _no_conflict()
    moved = list(both_moved(unmerged))
    for one in moved:
        if repo is not None and is_named(one.place, names):
            result = merge_moved(vault, repo, one, unmerged)
            yield ResolvedFile(one.place, "merged", len(result.conflicts))
    elsewhere = {path for one in moved for path in one}
    for path in paths:
        if path in elsewhere or (names and not is_named(path, names)):
            continue
        try:
            merged = _merge_again(vault, repo, unmerged.get(path), path)
        except InvalidFileError as error:
            yield Problem(path, error.line, "unreadable", error.reason)
            continue
        if merged is not None:
            yield ResolvedFile(path, "merged", len(merged.conflicts))


def left_unmerged(vault: Vault) -> Iterator[Problem]:
    """Return the files that git has as unmerged although they contain no conflict.

    A side could not be read, or they are none that toolmem merges, or a person has
    put them right and not said so.
    """
    repo = Repo.find(vault.root)
    waiting = gitunmerged.unmerged(repo) if repo else {}
    if waiting:
        found = open_conflicts(vault)
        reported = {one.path for one in found.open} | {
            one.path for one in found.problems
        }
        for path in waiting.keys() - reported:
            yield Problem(path, 0, "unmerged", _TWO_VERSIONS)


_TWO_VERSIONS = "git has two versions of it: edit it, then run `git add`"


def _merge_again(
    vault: Vault, repo: Repo | None, sides: gitunmerged.UnmergedBlobs | None, path: str
) -> MergedFile | None:
    with lock.hold(vault.root):
        try:
            before = vault.fresh().tree.read(path, limits.TEXT_FILE_BYTES)
        except FileNotFoundError:
            return None
        text = before.decode("utf-8", "replace")
        merged = (
            _merged_again(repo, sides, path, text)
            if conflict_line(text)
            else _merged_deletion(repo, sides, path, before)
        )
        if merged is None:
            return None
        files.replace(vault.root, path, merged.data, before)
        if not merged.conflicts:
            _stage(vault, repo, path, sides is not None)
        return merged


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
    chosen = [one for one in open_conflicts(vault).open if is_meant(one, names, key)]
    if not chosen:
        raise _no_conflict()
    return [
        _resolve_file(vault, path, take, key)
        for path in dict.fromkeys(one.path for one in chosen)
    ]


def _no_conflict() -> NotFoundError:
    return NotFoundError("no such conflict: `toolmem resolve` lists them")


def is_meant(one: OpenConflict, names: Iterable[str], key: str = "") -> bool:
    """Return whether a conflict is in one of these files (none: any), with the key."""
    return (not key or one.conflict.key == key) and is_named(one.path, names)


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
    is_unmerged = repo is not None and path in gitunmerged.unmerged(repo)
    with lock.hold(vault.root):
        before = vault.fresh().tree.read(path, limits.TEXT_FILE_BYTES)
        text: str | None = decode(before, path)
        kind = merge_kind(path)
        while text is not None:
            found = [
                c for c in conflicts_of(kind, text, path) if not key or c.key == key
            ]
            if not found:
                break
            text = resolve_conflict(kind, text, found[-1], take, path)
            stays = text is not None and not is_archived(path)
            if stays and found[-1].key == DELETED:
                _drop_archived(vault, path)
        if text is None:
            files.delete(vault.root, path, before)
            _stage(vault, repo, path, is_unmerged)
            return ResolvedFile(path, "deleted", 0)
        files.replace(vault.root, path, text.encode(), before)
        left = len(conflicts_of(kind, text, path))
        if not left:
            _stage(vault, repo, path, is_unmerged)
    return ResolvedFile(path, "settled", left)


def _drop_archived(vault: Vault, path: str) -> None:
    """Delete the archived copies of what a side retired and is to stay in use."""
    name = path.rpartition("/")[2]
    for copy in list(files_in(vault.tree, layout.ARCHIVE)):
        if copy.rpartition("/")[2] == name:
            data = vault.tree.read(copy, limits.TEXT_FILE_BYTES)
            files.delete(vault.root, copy, data)


def _stage(vault: Vault, repo: Repo | None, path: str, is_unmerged: bool) -> None:
    """Mark a file as merged in git's index, if it is unmerged there."""
    if repo is not None and is_unmerged:
        gitunmerged.stage_merged(repo, path)


def _merged_again(
    repo: Repo | None, sides: gitunmerged.UnmergedBlobs | None, path: str, text: str
) -> MergedFile:
    kind = merge_kind(path)
    if repo is not None and sides is not None and sides.ours and sides.theirs:
        base, ours, theirs = gitunmerged.contents(repo, sides)
        return merge_bytes(kind, base, ours, theirs, path)
    taken = sides_of(text, path)
    merged = merge_file(kind, taken.base, taken.ours, taken.theirs, path)
    return MergedFile(merged.text.encode(), merged.conflicts)


def _merged_deletion(
    repo: Repo | None,
    sides: gitunmerged.UnmergedBlobs | None,
    path: str,
    changed: bytes,
) -> MergedFile | None:
    """A file that one side deleted and the other changed: git calls no driver for it.

    None for any other, and for one that says so already.
    """
    if repo is None or sides is None or not sides.deleted:
        return None
    kind = merge_kind(path)
    if conflicts_of(kind, decode(changed, path), path):
        return None
    base = gitunmerged.base_of(repo, sides)
    return keep_deleted(kind, base, changed, sides.deleted, path)


def _paths(vault: Vault) -> Iterator[str]:
    """The files in which a merge can leave something, by path."""
    found = [one.path for one in walk(vault.tree) if not isinstance(one, Problem)]
    for path in sorted({*found, layout.SETTINGS}):
        if path.endswith((".toml", ".md")) and merge_kind(path) != "other":
            yield path
