"""Merge again what git left unmerged, as ``sync`` would have merged it.

git guesses moves by content and by folder. The trees of its operation say what each
side did; where they are not known, as after ``git stash pop``, its index has the sides.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.model import Problem
from toolmem.core.text.conflict_marks import conflict_line
from toolmem.errors import InvalidFileError, StorageError
from toolmem.ops.sync.items import Changes, MergeItem, SideFile
from toolmem.ops.sync.merge_item import ItemMerger, MergedItem
from toolmem.store.files import files, lock
from toolmem.store.git import unmerged as gitunmerged
from toolmem.store.git.diff import History
from toolmem.store.git.raw import ChangedFile
from toolmem.store.git.repo import Repo
from toolmem.store.git.unmerged import UnmergedBlobs
from toolmem.store.vault.vault import Vault
from toolmem.store.vault.worktree import is_same


class ResolvedFile(NamedTuple):
    """A file that was changed: ``merged``, ``settled`` or ``deleted``; what is left."""

    path: str
    action: str
    left: int


def merge_unmerged(
    vault: Vault, repo: Repo, is_meant: Callable[[str], bool]
) -> Iterator[ResolvedFile | Problem]:
    """Merge the files that git left unmerged; those that cannot be are reported."""
    unmerged = gitunmerged.unmerged(repo)
    with History(repo) as history, lock.hold(vault.root):
        ours, theirs = _changes(repo, history, unmerged)
        merger = ItemMerger(ours, theirs, history.contents)
        guessed = _guessed(merger.items, unmerged)
        for item in merger.items:
            paths = item.paths | {p for p, of in guessed.items() if of is item}
            waiting = {path: unmerged[path] for path in paths & unmerged.keys()}
            if not waiting or not any(map(is_meant, paths)):
                continue
            at = min(paths)
            try:
                merged = merger.merge(item)
                if _is_open(vault, merged, waiting):
                    paths -= merger.created - guessed.keys()
                    written = dict(_contents(history, merged))
                    _put(vault, written, paths - written.keys())
                    paths |= written.keys()
                    if merged.conflicts and merged.file:
                        paths -= waiting.keys() & {merged.file.path}
                    for path in sorted(paths):
                        gitunmerged.stage_merged(repo, path)
                    yield _resolved(merged, at)
            except InvalidFileError as error:
                yield Problem(error.path or at, error.line, "unreadable", error.reason)
            except StorageError:
                continue  # a person merges it: git still has it as unmerged


def _changes(
    repo: Repo, history: History, unmerged: Mapping[str, UnmergedBlobs]
) -> tuple[Changes, Changes]:
    """Return what each side changed, by paths in the vault."""
    trees = gitunmerged.operation_trees(repo)
    if trees is not None:
        base, *sides = trees
        ours, theirs = (
            {file.path: file for file in history.touched(base, side)} for side in sides
        )
        return ours, theirs
    ours, theirs = (
        {
            path: _changed(path, blobs.base, blobs[at])
            for path, blobs in unmerged.items()
            if blobs[at] != blobs.base
        }
        for at in (1, 2)
    )
    return ours, theirs


def _changed(path: str, before: str, after: str) -> ChangedFile:
    modes = ("100644" if blob else "" for blob in (before, after))
    return ChangedFile(path, before, after, next(modes), next(modes))


def _guessed(
    items: Iterable[MergeItem], unmerged: Mapping[str, UnmergedBlobs]
) -> dict[str, MergeItem]:
    """Return the files whose unmerged paths no side has: git guessed their folders."""
    known: set[str] = set()
    sides: dict[tuple[str, str], MergeItem] = {}
    for item in items:
        known |= item.paths
        for side in item[1:3]:
            if isinstance(side, SideFile):
                sides[(_name(side.path), side.blob)] = item
                sides.setdefault((_name(side.path), ""), item)
    guessed = {
        path: sides.get((_name(path), blobs.ours or blobs.theirs))
        or sides.get((_name(path), ""))
        for path, blobs in unmerged.items()
        if path not in known
    }
    return {path: item for path, item in guessed.items() if item is not None}


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _is_open(
    vault: Vault, merged: MergedItem, waiting: Mapping[str, UnmergedBlobs]
) -> bool:
    """Return whether git's state of a file is not yet the merged one.

    A file that a person or the merge driver has merged stays.
    """
    place = merged.file.path if merged.file else ""
    data = _read(vault, place) if waiting.keys() == {place} else None
    if data is None or conflict_line(data.decode("utf-8", "replace")):
        return True
    return any(is_same(data, blob) for blob in waiting[place] if blob)


def _contents(history: History, merged: MergedItem) -> Iterator[tuple[str, bytes]]:
    """Yield the paths and contents that a merged file has."""
    for file, data in ((merged.file, merged.data), (merged.copy, None)):
        if file is not None:
            known = data or history.contents([file.blob]).get(file.blob, b"")
            if isinstance(known, str):
                raise StorageError(f"{file.path}: {known}")
            yield file.path, known


def _put(vault: Vault, written: Mapping[str, bytes], gone: set[str]) -> None:
    """Write files, then delete those that are gone."""
    for path, data in (*written.items(), *((path, None) for path in sorted(gone))):
        before = _read(vault, path)
        if data is None:
            if before is not None:
                files.delete(vault.root, path, before)
        elif before is None:
            files.create(vault.root, path, data)
        elif before != data:
            files.replace(vault.root, path, data, before)


def _resolved(merged: MergedItem, at: str) -> ResolvedFile:
    if merged.file is None:
        return ResolvedFile(at, "deleted", 0)
    return ResolvedFile(merged.file.path, "merged", len(merged.conflicts))


def _read(vault: Vault, path: str) -> bytes | None:
    try:
        return vault.fresh().tree.read(path, limits.TEXT_FILE_BYTES)
    except FileNotFoundError:
        return None
