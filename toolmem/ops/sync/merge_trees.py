"""Two commits of a vault made one: which files change, and what is in conflict."""

from collections.abc import Mapping

from toolmem.core.merge.result import Conflict
from toolmem.errors import InvalidFileError, StorageError
from toolmem.ops.sync.merge_item import BY_HAND, ItemMerger, MergedItem
from toolmem.store.files.layout import STATE
from toolmem.store.git.diff import History
from toolmem.store.git.merge import MergedEntry
from toolmem.store.git.raw import ChangedFile
from toolmem.store.git.repo import Repo


def merge_trees(
    repo: Repo, history: History, base: str, ours: str, theirs: str
) -> tuple[list[MergedEntry], list[tuple[str, Conflict]]]:
    """Merge two trees that were made from a third.

    Returns the merged files of our commit (below the top), and the conflicts by vault
    path. ``history`` is that of the whole repository. Raises ``StorageError`` for what
    cannot be merged by meaning: links, files outside the vault changed on both
    sides, files that cannot be read.
    """
    left, right = (
        {file.path: file for file in history.touched(base, side)}
        for side in (ours, theirs)
    )
    entries = [*_outside(repo, left, right)]
    conflicts: list[tuple[str, Conflict]] = []
    merger = ItemMerger(_in_vault(repo, left), _in_vault(repo, right), history.contents)
    try:
        merged = [merger.merge(item) for item in merger.items]
    except InvalidFileError as error:
        raise StorageError(f"{error}: merge by hand with `git merge`") from error
    for result in merged:
        if result.item.ours is not None and result.item.ours.path in result.gone:
            entries.append(MergedEntry(repo.place(result.item.ours.path)))
    for result in merged:
        entries += _entries(repo, result)
        if result.file is not None:
            conflicts += [(result.file.path, conflict) for conflict in result.conflicts]
    return entries, conflicts


def _entries(repo: Repo, item: MergedItem) -> list[MergedEntry]:
    """Return the files of a merged item that differ from ours."""
    return [
        MergedEntry(repo.place(file.path), file.mode, file.blob, data)
        for file, data in ((item.file, item.data), (item.copy, None))
        if file is not None and file != item.item.ours
    ]


def _outside(
    repo: Repo, left: Mapping[str, ChangedFile], right: Mapping[str, ChangedFile]
) -> list[MergedEntry]:
    """Return the entries of files outside the vault that the other side changed."""
    entries = []
    for path, file in right.items():
        if _inside(repo, path) is not None:
            continue
        ours = left.get(path)
        if ours is None:
            entries.append(MergedEntry(path, file.mode_after or "100644", file.after))
        elif (ours.after, ours.mode_after) != (file.after, file.mode_after):
            raise StorageError(f"{path}: {BY_HAND}")
    return entries


def _in_vault(repo: Repo, side: Mapping[str, ChangedFile]) -> dict[str, ChangedFile]:
    placed = ((_inside(repo, path), file) for path, file in side.items())
    return {path: file._replace(path=path) for path, file in placed if path is not None}


def require_ours(repo: Repo, touched: list[ChangedFile]) -> None:
    """Raise ``StorageError`` where a merge would change what is not the vault's.

    Nothing is written through links, into local state, or outside the vault.
    """
    for file in touched:
        inside = _inside(repo, file.path)
        if inside is None:
            raise StorageError(
                f"{file.path}: the other side changed a file outside the vault: {_PULL}"
            )
        if not file.is_plain:
            raise StorageError(f"{file.path}: is a link on one side: {_PULL}")
        if inside == STATE or inside.startswith(f"{STATE}/"):
            raise StorageError(
                f"{file.path}: local state must not be in git: run `git rm -r "
                "--cached .toolmem`"
            )


_PULL = "run `git pull`"


def _inside(repo: Repo, path: str) -> str | None:
    if not repo.prefix:
        return path
    head = f"{repo.prefix}/"
    return path[len(head) :] if path.startswith(head) else None
