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
from toolmem.store.files.layout import ARCHIVE, FACTS, PROFILE, STATE
from toolmem.store.git.diff import ChangedFile, History
from toolmem.store.git.merge import MergedEntry
from toolmem.store.git.repo import Repo

_BY_HAND = "merge it by hand: `git merge`"


class MergedTree(NamedTuple):
    """What our commit's files become (below the top), and the conflicts by path."""

    entries: tuple[MergedEntry, ...]
    conflicts: tuple[tuple[str, Conflict], ...]


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
    both = [path for path, one in right.items() if _differ(left.get(path), one)]
    blobs = history.contents(
        [
            name
            for path in both
            for name in (left[path].before, left[path].after, right[path].after)
        ]
    )
    entries = [
        MergedEntry(path, one.mode_after or "100644", one.after)
        for path, one in right.items()
        if path not in left
    ]
    conflicts: list[tuple[str, Conflict]] = []
    for path in both:
        moved = _moved_to(repo, path, left, right)
        if moved is not None:
            found, merged = _merged_move(repo, history, left[path], right[path], moved)
            entries += found
            conflicts += [(moved.path, conflict) for conflict in merged.conflicts]
            continue
        merged = _merge(repo, left[path], right[path], blobs)
        entries.append(
            MergedEntry(path, left[path].mode_after or "100644", "", merged.data)
        )
        conflicts += [(path, conflict) for conflict in merged.conflicts]
    return MergedTree(tuple(entries), tuple(conflicts))


def _moved_to(
    repo: Repo,
    path: str,
    left: Mapping[str, ChangedFile],
    right: Mapping[str, ChangedFile],
) -> ChangedFile | None:
    """Where one side moved a file that the other changed, if it did.

    Names of files do not change when they move. To the archive is no such move: that
    retires what the other side still works on.
    """
    ours, theirs = left[path], right[path]
    if bool(ours.after) == bool(theirs.after):
        return None
    name = path.rpartition("/")[2]
    if name in (FACTS, PROFILE):
        return None
    found = [
        one
        for one in (right if not theirs.after else left).values()
        if not one.before and one.path.rpartition("/")[2] == name
    ]
    if len(found) != 1:
        return None
    inside = _inside(repo, found[0].path)
    if inside is None or inside.startswith(f"{ARCHIVE}/"):
        return None
    taken = (left if not theirs.after else right).get(found[0].path)
    return found[0] if taken is None and found[0].is_plain else None


def _merged_move(
    repo: Repo,
    history: History,
    ours: ChangedFile,
    theirs: ChangedFile,
    moved: ChangedFile,
) -> tuple[list[MergedEntry], MergedFile]:
    """A file that one side moved, with what the other changed in it."""
    at_new = moved._replace(before=ours.before)
    at_old = (ours if ours.after else theirs)._replace(path=moved.path)
    sides = (at_old, at_new) if ours.after else (at_new, at_old)
    blobs = history.contents([ours.before, at_old.after, at_new.after])
    merged = _merge(repo, *sides, blobs)
    new = MergedEntry(moved.path, moved.mode_after, "", merged.data)
    return [MergedEntry(ours.path), new], merged


def require_ours(repo: Repo, touched: list[ChangedFile]) -> None:
    """Raise ``StorageError`` where a merge would change what is not the vault's.

    Nothing is written through links, into local state, or beside the vault.
    """
    for one in touched:
        inside = _inside(repo, one.path)
        if inside is None:
            raise StorageError(
                f"{one.path}: the other side changed a file beside the vault: {_PULL}"
            )
        if not one.is_plain:
            raise StorageError(f"{one.path}: is a link on one side: {_PULL}")
        if inside == STATE or inside.startswith(f"{STATE}/"):
            raise StorageError(f"{one.path}: local state has no place in git")


_PULL = "get it with `git pull`"


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
            kept, side = (other, "ours") if mine is None else (mine, "theirs")
            merged = keep_deleted(kind, base or b"", kept or b"", side, path)
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
