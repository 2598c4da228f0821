"""Two commits of a vault made one: which files change, and what is in conflict."""

from collections.abc import Mapping
from typing import NamedTuple

from toolmem.core.merge.result import Conflict
from toolmem.errors import InvalidFileError, StorageError
from toolmem.ops.sync.merge_item import BY_HAND, ItemMerger, MergedItem
from toolmem.store.files.layout import STATE
from toolmem.store.git.diff import ChangedFile, History
from toolmem.store.git.merge import MergedEntry
from toolmem.store.git.repo import Repo


class MergedTree(NamedTuple):
    """Merged files of our commit (below the top), and the conflicts by vault path."""

    entries: tuple[MergedEntry, ...]
    conflicts: tuple[tuple[str, Conflict], ...]


def merge_trees(
    repo: Repo, history: History, base: str, ours: str, theirs: str
) -> MergedTree:
    """Merge two trees that were made from a third.

    ``history`` is that of the whole repository. Raises ``StorageError`` for what
    cannot be merged by meaning: links, files outside the vault changed on both
    sides, files that cannot be read.
    """
    left, right = (
        {one.path: one for one in history.touched(base, side)}
        for side in (ours, theirs)
    )
    entries = [*_outside(repo, left, right)]
    conflicts: list[tuple[str, Conflict]] = []
    merger = ItemMerger(_in_vault(repo, left), _in_vault(repo, right), history.contents)
    try:
        merged = [merger.merge(item) for item in merger.items]
    except InvalidFileError as error:
        raise StorageError(f"{error}: merge by hand with `git merge`") from error
    for one in merged:
        if one.item.ours is not None and one.item.ours.path in one.gone:
            entries.append(MergedEntry(repo.place(one.item.ours.path)))
    for one in merged:
        entries += _entries(repo, one)
        if one.file is not None:
            conflicts += [(one.file.path, conflict) for conflict in one.conflicts]
    return MergedTree(tuple(entries), tuple(conflicts))


def _entries(repo: Repo, one: MergedItem) -> list[MergedEntry]:
    """Return the files of a merged item that differ from ours."""
    return [
        MergedEntry(repo.place(file.path), file.mode, file.blob, data)
        for file, data in ((one.file, one.data), (one.copy, None))
        if file is not None and file != one.item.ours
    ]


def _outside(
    repo: Repo, left: Mapping[str, ChangedFile], right: Mapping[str, ChangedFile]
) -> list[MergedEntry]:
    """Return the entries of files outside the vault that the other side changed."""
    found = []
    for path, one in right.items():
        if _inside(repo, path) is not None:
            continue
        ours = left.get(path)
        if ours is None:
            found.append(MergedEntry(path, one.mode_after or "100644", one.after))
        elif (ours.after, ours.mode_after) != (one.after, one.mode_after):
            raise StorageError(f"{path}: {BY_HAND}")
    return found


def _in_vault(repo: Repo, side: Mapping[str, ChangedFile]) -> dict[str, ChangedFile]:
    found = ((_inside(repo, path), one) for path, one in side.items())
    return {path: one._replace(path=path) for path, one in found if path is not None}


def require_ours(repo: Repo, touched: list[ChangedFile]) -> None:
    """Raise ``StorageError`` where a merge would change what is not the vault's.

    Nothing is written through links, into local state, or outside the vault.
    """
    for one in touched:
        inside = _inside(repo, one.path)
        if inside is None:
            raise StorageError(
                f"{one.path}: the other side changed a file outside the vault: {_PULL}"
            )
        if not one.is_plain:
            raise StorageError(f"{one.path}: is a link on one side: {_PULL}")
        if inside == STATE or inside.startswith(f"{STATE}/"):
            raise StorageError(
                f"{one.path}: local state must not be in git: run `git rm -r "
                "--cached .toolmem`"
            )


_PULL = "run `git pull`"


def _inside(repo: Repo, path: str) -> str | None:
    if not repo.prefix:
        return path
    head = f"{repo.prefix}/"
    return path[len(head) :] if path.startswith(head) else None
