"""Unmerged files in git's index: their three sides, and their resolution."""

import os
import tempfile
from pathlib import Path
from typing import NamedTuple

from toolmem.store.git import commit as gitcommit
from toolmem.store.git import index as gitindex
from toolmem.store.git import merge as gitmerge
from toolmem.store.git import run as gitrun
from toolmem.store.git.repo import Repo


class UnmergedBlobs(NamedTuple):
    """Blobs of one file, "" where a side has none."""

    base: str = ""
    ours: str = ""
    theirs: str = ""


def unmerged(repo: Repo) -> dict[str, UnmergedBlobs]:
    """Return the unmerged files of the vault, by path; raises ``StorageError``."""
    args = ("ls-files", "--unmerged", "--full-name", "-z", "--", *repo.places)
    by_path: dict[str, UnmergedBlobs] = {}
    for record in gitrun.run(repo.top, *args).split(b"\0"):
        about, _, name = record.partition(b"\t")
        if not name:
            continue
        _, blob, stage = about.decode().split(" ")
        path = os.fsdecode(name)
        inside = repo.inside(path)
        field = UnmergedBlobs._fields[int(stage) - 1]
        by_path[inside] = by_path.get(inside, UnmergedBlobs())._replace(**{field: blob})
    return by_path


def unfinished(repo: Repo) -> str:
    """Return why git cannot commit or share now; "" if it can."""
    busy = gitrun.operation(repo.top)
    if busy:
        return f"git is {busy}"
    if unmerged(repo):
        return "git has unmerged files: `toolmem resolve` shows them"
    return ""


def operation_trees(repo: Repo) -> tuple[str, str, str] | None:
    """Return base, ours and theirs of the operation that git is in the middle of.

    None if they are not known; an empty base is "".
    """
    ours = gitrun.verify(repo.top, "HEAD^{tree}")
    for name, (base, theirs) in _TREES.items():
        commit = gitrun.verify(repo.top, name)
        if commit is None or ours is None or not gitrun.operation(repo.top):
            continue
        if name == "MERGE_HEAD":
            base = next(iter(gitmerge.merge_bases(repo, "HEAD", commit)), "")
        elif gitrun.verify(repo.top, f"{name}^2"):
            return None  # a merge is picked: which parent is the base is not known
        trees = (gitrun.verify(repo.top, f"{side}^{{tree}}") for side in (base, theirs))
        return next(trees) or "", ours, next(trees) or ""
    return None


_TREES = {
    "MERGE_HEAD": ("", "MERGE_HEAD"),
    "CHERRY_PICK_HEAD": ("CHERRY_PICK_HEAD^", "CHERRY_PICK_HEAD"),
    "REVERT_HEAD": ("REVERT_HEAD", "REVERT_HEAD^"),
    "REBASE_HEAD": ("REBASE_HEAD^", "REBASE_HEAD"),
}
"""Name of the commit that an operation merges → its base and its other side."""


def stage_merged(repo: Repo, path: str) -> None:
    """Put a file as it is on disk into the index, in place of its sides."""
    with tempfile.TemporaryDirectory(prefix="toolmem-") as private:
        entries = gitcommit.entries_of(repo.top, (repo.place(path),), Path(private))
    gitindex.stage(repo.top, entries)
