"""Two commits of a vault made one: which files change, and what is in conflict."""

from collections.abc import Mapping
from typing import NamedTuple

from toolmem.core.merge.result import Conflict
from toolmem.errors import InvalidFileError, StorageError
from toolmem.ops.sync.merge_file import (
    MergedFile,
    keep_deleted,
    merge_bytes,
    merge_kind,
)
from toolmem.ops.sync.moves import MovedFile, moved_files
from toolmem.store.files.layout import STATE
from toolmem.store.git.diff import ChangedFile, History
from toolmem.store.git.merge import MergedEntry
from toolmem.store.git.repo import Repo

_BY_HAND = "merge by hand with `git merge`"


class MergedTree(NamedTuple):
    """Merged files of our commit (below the top), and the conflicts by path."""

    entries: tuple[MergedEntry, ...]
    conflicts: tuple[tuple[str, Conflict], ...]


class _Sides(NamedTuple):
    """Two sides of a merge: what each changed, by the path below the top."""

    repo: Repo
    history: History
    ours: Mapping[str, ChangedFile]
    theirs: Mapping[str, ChangedFile]


def merge_trees(
    repo: Repo, history: History, base: str, ours: str, theirs: str
) -> MergedTree:
    """Merge two trees that were made from a third; paths are below the top.

    ``history`` is that of the whole repository. Raises ``StorageError`` for what
    cannot be merged by meaning: links, files outside the vault changed on both
    sides, files that cannot be read.
    """
    left = {one.path: one for one in history.touched(base, ours)}
    right = {one.path: one for one in history.touched(base, theirs)}
    sides = _Sides(repo, history, left, right)
    moves = list(moved_files(_in_vault(repo, left), _in_vault(repo, right)))
    done = {repo.place(path) for move in moves for path in _paths(move)}
    entries = [
        MergedEntry(path, one.mode_after or "100644", one.after)
        for path, one in right.items()
        if path not in left and path not in done
    ]
    conflicts: list[tuple[str, Conflict]] = []
    for move in moves:
        found, merged = _merged_move(sides, move)
        entries += found
        place = repo.place(move.place)
        conflicts += [(place, conflict) for conflict in merged.conflicts]
    both = [path for path, one in right.items() if _differ(left.get(path), one)]
    for path in (path for path in both if path not in done):
        one, other = left[path], right[path]
        blobs = history.contents([one.before, one.after, other.after])
        merged = _merge(repo, one, other, blobs)
        entries.append(MergedEntry(path, one.mode_after or "100644", "", merged.data))
        conflicts += [(path, conflict) for conflict in merged.conflicts]
    return MergedTree(tuple(entries), tuple(conflicts))


def _paths(move: MovedFile) -> set[str]:
    """The paths that a move decides on; a retired rule's archived copy is kept."""
    return {move.source, move.place, *move.dropped}


def _in_vault(repo: Repo, side: Mapping[str, ChangedFile]) -> dict[str, ChangedFile]:
    found = ((_inside(repo, path), one) for path, one in side.items())
    return {path: one._replace(path=path) for path, one in found if path is not None}


def _merged_move(
    sides: _Sides, move: MovedFile
) -> tuple[list[MergedEntry], MergedFile]:
    """A file that moved, with what both sides changed in it."""
    before = sides.ours[sides.repo.place(move.source)].before
    names = [one.after if one else "" for one in (move.ours, move.theirs)]
    blobs = sides.history.contents([before, *names])
    place = sides.repo.place(move.place)
    empty = ChangedFile(place, before, "", "100644", "")
    one, other = (
        empty if side is None else side._replace(path=place, before=before)
        for side in (move.ours, move.theirs)
    )
    if move.deleted == "ours" and move.ours:
        one = empty  # retired here: in the archive as it was retired
    elif move.deleted == "theirs" and move.theirs:
        other = empty
    merged = _merge(sides.repo, one, other, blobs)
    mode = one.mode_after or other.mode_after or "100644"
    gone = {move.source, *move.dropped} - {move.place}
    entries = [
        MergedEntry(path)
        for path in sorted(map(sides.repo.place, gone))
        if path not in sides.ours or sides.ours[path].after
    ]
    return [*entries, MergedEntry(place, mode, "", merged.data)], merged


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


def _differ(ours: ChangedFile | None, theirs: ChangedFile) -> bool:
    return ours is not None and (ours.after, ours.mode_after) != (
        theirs.after,
        theirs.mode_after,
    )


def _inside(repo: Repo, path: str) -> str | None:
    if not repo.prefix:
        return path
    head = f"{repo.prefix}/"
    return path[len(head) :] if path.startswith(head) else None


def _merge(
    repo: Repo, ours: ChangedFile, theirs: ChangedFile, blobs: Mapping[str, bytes | str]
) -> MergedFile:
    path = _inside(repo, ours.path)
    if path is None or not (ours.is_plain and theirs.is_plain):
        raise StorageError(f"{ours.path}: was changed on both sides: {_BY_HAND}")
    sides = [_data(blobs, name, ours.path) for name in (ours.before, ours.after)]
    base, mine, other = *sides, _data(blobs, theirs.after, ours.path)
    kind = merge_kind(path)
    try:
        if mine is None or other is None:
            changed, side = (other, "ours") if mine is None else (mine, "theirs")
            merged = MergedFile(changed or b"")
            if kind != "other" or changed != base:
                merged = keep_deleted(kind, base or b"", changed or b"", side, path)
        else:
            merged = merge_bytes(kind, base, mine, other, path)
    except InvalidFileError as error:
        raise StorageError(f"{error}: {_BY_HAND}") from error
    if kind == "other" and merged.conflicts:
        raise StorageError(f"{ours.path}: was changed on both sides: {_BY_HAND}")
    return merged


def _data(blobs: Mapping[str, bytes | str], name: str, path: str) -> bytes | None:
    data = blobs[name] if name else None
    if isinstance(data, str):
        raise StorageError(f"{path}: {data}")
    return data
