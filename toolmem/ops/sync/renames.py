"""Settle a file that both sides of a merge moved, each to another place.

git holds its base at the old place, and each side at its own new one.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from toolmem.core import limits
from toolmem.ops.sync.merge_file import MergedFile, merge_bytes, merge_kind
from toolmem.ops.sync.moves import is_archived, place_of
from toolmem.store.files import files, lock
from toolmem.store.git import unmerged as gitunmerged
from toolmem.store.git.repo import Repo
from toolmem.store.git.unmerged import UnmergedBlobs
from toolmem.store.vault.vault import Vault


class DoubleMove(NamedTuple):
    """The old path of a file, and where each side has it now."""

    source: str
    ours: str
    theirs: str

    @property
    def place(self) -> str:
        """Where the merge keeps it: in the archive, or in the broadest scope."""
        return place_of(self.source, (self.ours, self.theirs))


def both_moved(unmerged: Mapping[str, UnmergedBlobs]) -> Iterator[DoubleMove]:
    """The files that each side moved to a place of its own, name and kind the same.

    A rule that one side retired is not among them: a person decides on that.
    """
    for source, sides in sorted(unmerged.items()):
        if not sides.base or sides.ours or sides.theirs:
            continue
        if not source.endswith((".md", ".toml")) or merge_kind(source) == "other":
            continue
        name = source.rpartition("/")[2]
        ours, theirs = (
            [path for path, one in unmerged.items() if _is_only(one, side, path, name)]
            for side in ("ours", "theirs")
        )
        if len(ours) != 1 or len(theirs) != 1:
            continue
        retired = is_archived(ours[0]) != is_archived(theirs[0])
        if not (retired and merge_kind(source) != "memory"):
            yield DoubleMove(source, ours[0], theirs[0])


def merge_moved(
    vault: Vault, repo: Repo, moved: DoubleMove, unmerged: Mapping[str, UnmergedBlobs]
) -> MergedFile:
    """Merge both versions into one file, and delete the other."""
    sides = UnmergedBlobs(
        unmerged[moved.source].base,
        unmerged[moved.ours].ours,
        unmerged[moved.theirs].theirs,
    )
    base, ours, theirs = gitunmerged.contents(repo, sides)
    with lock.hold(vault.root):
        place = moved.place
        merged = merge_bytes(merge_kind(moved.source), base, ours, theirs, place)
        tree = vault.fresh().tree
        for path in (moved.ours, moved.theirs):
            try:
                before = tree.read(path, limits.TEXT_FILE_BYTES)
            except FileNotFoundError:
                before = None
            if path != place and before is not None:
                files.delete(vault.root, path, before)
            elif path == place and before is not None:
                files.replace(vault.root, path, merged.data, before)
            elif path == place:
                files.create(vault.root, path, merged.data)
        done = {moved.source, moved.ours, moved.theirs} - (
            {place} if merged.conflicts else set()
        )
        for path in sorted(done):
            gitunmerged.stage_merged(repo, path)
    return merged


def _is_only(sides: UnmergedBlobs, side: str, path: str, name: str) -> bool:
    held = [field for field in UnmergedBlobs._fields if getattr(sides, field)]
    return held == [side] and path.rpartition("/")[2] == name
