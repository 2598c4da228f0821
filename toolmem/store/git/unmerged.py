"""Unmerged files in git's index: their three sides, and their resolution."""

import os
import tempfile
from pathlib import Path
from typing import NamedTuple

from toolmem.core import limits
from toolmem.errors import StorageError
from toolmem.store.git import commit as gitcommit
from toolmem.store.git import index as gitindex
from toolmem.store.git import run as gitrun
from toolmem.store.git.blobs import Blobs
from toolmem.store.git.repo import Repo


class UnmergedBlobs(NamedTuple):
    """Blobs of one file, "" where a side has none."""

    base: str = ""
    ours: str = ""
    theirs: str = ""

    @property
    def deleted(self) -> str:
        """Side that deleted what the other changed, if any."""
        if not self.base or bool(self.ours) == bool(self.theirs):
            return ""
        return "theirs" if self.ours else "ours"


def unmerged(repo: Repo) -> dict[str, UnmergedBlobs]:
    """Return the unmerged files of the vault, by path; raises ``StorageError``."""
    args = ("ls-files", "--unmerged", "--full-name", "-z", "--", *repo.places)
    found: dict[str, UnmergedBlobs] = {}
    for record in gitrun.run(repo.top, *args).split(b"\0"):
        about, _, name = record.partition(b"\t")
        if not name:
            continue
        _, blob, stage = about.decode().split(" ")
        path = os.fsdecode(name)
        inside = repo.inside(path)
        field = UnmergedBlobs._fields[int(stage) - 1]
        found[inside] = found.get(inside, UnmergedBlobs())._replace(**{field: blob})
    return found


def unfinished(repo: Repo) -> str:
    """Return why git cannot commit or share now; "" if it can."""
    busy = gitrun.operation(repo.top)
    if busy:
        return f"git is {busy}"
    if unmerged(repo):
        return "git has unmerged files: `toolmem resolve` shows them"
    return ""


def contents(repo: Repo, sides: UnmergedBlobs) -> tuple[bytes | None, bytes, bytes]:
    """Return base (None without one), ours and theirs of one file."""
    base, ours, theirs = _read(repo, sides)
    if ours is None:
        raise StorageError("git's index has no version of ours")
    if theirs is None:
        raise StorageError("git's index has no version of theirs")
    return base, ours, theirs


def base_of(repo: Repo, sides: UnmergedBlobs) -> bytes:
    """Return the common base of both sides of one file; empty without one."""
    return _read(repo, sides)[0] or b""


def _read(repo: Repo, sides: UnmergedBlobs) -> list[bytes | None]:
    blobs = Blobs(repo.top)
    try:
        wanted = [name for name in sides if name]
        read = dict(
            zip(wanted, blobs.read(wanted, limits.TEXT_FILE_BYTES), strict=True)
        )
    finally:
        blobs.close()
    found: list[bytes | None] = []
    for name in sides:
        data = read.get(name)
        if isinstance(data, str):
            raise StorageError(f"{name}: {data}")
        found.append(data)
    return found


def stage_merged(repo: Repo, path: str) -> None:
    """Put a file as it is on disk into the index, in place of its sides."""
    off = gitrun.hooks_off(repo.top)
    with tempfile.TemporaryDirectory(prefix="toolmem-") as private:
        entries = gitcommit.entries_of(repo.top, (repo.place(path),), Path(private))
        gitindex.stage(repo.top, entries, Path(private) / "staged", off)
