"""Compare two commits, to find the files of a vault that differ, and read them."""

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from toolmem.core import limits
from toolmem.errors import NotFoundError
from toolmem.store.files import folders
from toolmem.store.git import raw
from toolmem.store.git import run as gitrun
from toolmem.store.git.blobs import Blobs
from toolmem.store.git.raw import EACH_PARENT, ChangedFile, records
from toolmem.store.git.repo import Repo, is_moment, moment_of

_EMPTY = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
"""Id of a tree without files, by the length of ids; git has it everywhere."""


class Snapshot(NamedTuple):
    """A commit: its id, its folder's id and the time of the commit, in UTC."""

    id: str
    tree: str
    when: datetime


class History:
    """Objects of a repository, read by a git process that runs until ``close``."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self._blobs = Blobs(repo.top)

    def __enter__(self) -> "History":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the git process."""
        self._blobs.close()

    def snapshot(self, revision: str) -> Snapshot:
        """Return the commit of a revision or a date.

        Raises ``NotFoundError`` naming what was not found.
        """
        top, is_date = self.repo.top, is_moment(revision)
        name = self.repo.resolve(revision) if is_date else gitrun.verify(top, revision)
        args = ("--no-walk", "--format=%H %T %ct", name or "", "--")
        listed = gitrun.run(top, "rev-list", *args).decode().split("\n") if name else []
        if len(listed) < 2:
            raise NotFoundError(f"{revision!r} is neither a commit nor a date")
        commit, tree, when = listed[1].split(" ")
        return Snapshot(commit, tree, moment_of(when))

    def touched(self, before: str, after: str) -> list[ChangedFile]:
        """Return the files of the vault that differ between two trees, by path.

        "" is an empty tree.
        """
        if before == after:
            return []
        none = _EMPTY[len(before or after)]
        changes = raw.compared(self.repo, before or none, after or none)
        return sorted(change for change in changes if is_plain(change.path))

    def contents(
        self, ids: Sequence[str], limit: int = limits.TEXT_FILE_BYTES
    ) -> Mapping[str, bytes | str]:
        """Return the content of each blob, or a few words on why it cannot be read."""
        wanted = [name for name in dict.fromkeys(ids) if name]
        texts = self._blobs.read(wanted, limit)
        return dict(zip(wanted, texts, strict=True))

    def copy(self, blob: str, target: Path) -> None:
        """Write a blob of any size to a file; raises ``StorageError``."""
        with target.open("wb") as file:
            for piece in gitrun.stream(self.repo.top, "cat-file", "blob", blob):
                file.write(piece)


def is_plain(path: str) -> bool:
    """Return whether a disk allows each name of a path; others are no vault files."""
    folder, _, name = path.rpartition("/")
    return folders.is_plain(name) and _is_plain_folder(folder)


@lru_cache(maxsize=1024)
def _is_plain_folder(folder: str) -> bool:
    return not folder or all(map(folders.is_plain, folder.split("/")))


class LastChange(NamedTuple):
    """The newest commit that touched a file; ``when`` is in seconds since 1970."""

    commit: str
    when: int
    deleted: bool


class Project(NamedTuple):
    """Files of a project's last commit, and recent changes.

    ``changed`` also contains deleted files.
    """

    files: tuple[str, ...]
    changed: dict[str, LastChange]


def project_history(folder: Path, since: int) -> Project:
    """Return the files below a folder, and those that commits since then changed.

    Paths are relative to the folder. Raises ``NotFoundError`` for a folder that is in
    no repository or has no commit, ``StorageError`` if git fails.
    """
    repo = Repo.find(folder) if folder.is_dir() else None
    if repo is None:
        raise NotFoundError(f"{folder} is not in a git repository")
    if gitrun.verify(repo.top, "HEAD^{commit}") is None:
        raise NotFoundError(f"{folder}: nothing has been committed there yet")
    args = ("-r", "-z", "--name-only", "--full-tree", "HEAD", *repo.places)
    listed = gitrun.run(repo.top, "ls-tree", *args).split(b"\0")
    files = (repo.inside(os.fsdecode(name)) for name in listed if name)
    return Project(tuple(files), _changed(repo, since))


def _changed(repo: Repo, since: int) -> dict[str, LastChange]:
    """Return the last change of each path, from commits newest first."""
    args = (f"--max-age={max(since, 0)}", "--timestamp", "HEAD", "--", *repo.places)
    listed = gitrun.run(repo.top, "rev-list", *args).decode().split("\n")
    times = {c: int(when) for when, _, c in (row.partition(" ") for row in listed) if c}
    changes: dict[str, LastChange] = {}
    for record in records(repo, times, EACH_PARENT):
        gone = not record.mode_after
        changed = LastChange(record.commit, times.get(record.commit, 0), gone)
        changes.setdefault(record.path, changed)
    return changes


_RAW = (*raw.COMPARED, "--ignore-submodules=all")
_REMARKS = (b"warning: ", b"hint: ")
_UNREAD = b"could not open directory"


class MaybeChanged(NamedTuple):
    """Files that may differ from a tree; every other file of the vault is the same.

    ``known`` has mode and id in the tree of each path, both "" for a file that is only
    in git's index. ``untracked`` are paths that are in neither and not ignored; one of
    a folder with a repository of its own ends in a slash.
    """

    known: Mapping[str, tuple[str, str]]
    untracked: tuple[str, ...]


def maybe_changed(repo: Repo, tree: str) -> MaybeChanged:
    """Compare a tree with git's index, and the index with the times of the files.

    "" is an empty tree. Git reads only files that are as young as the index.
    """
    places = ("--", *repo.places)
    known: dict[str, tuple[str, str]] = {}
    if tree:
        args = ("diff-index", "--cached", *_RAW, tree, *places)
        for change in raw.parsed(repo, [gitrun.run(repo.top, *args)]):
            known[change.path] = change.mode_before, change.before
    else:
        listed = gitrun.run(repo.top, "ls-files", "-z", "--full-name", *places)
        known = {repo.inside(name): ("", "") for name in _names(listed)}
    exact = gitrun.exact_status(repo.top)
    files = _looked_up(repo.top, exact, "diff-files", *_RAW, *places)
    for change in raw.parsed(repo, [files]):
        known.setdefault(change.path, (change.mode_before, change.before))
    args = ("--others", "--exclude-standard", "--full-name", "-z", *places)
    untracked = _names(_looked_up(repo.top, exact, "ls-files", *args))
    return MaybeChanged(known, tuple(map(repo.inside, untracked)))


def _looked_up(top: Path, exact: Mapping[str, str], *args: str) -> bytes:
    """Run a command that looks at files.

    Raises ``StorageError`` for one that it cannot look at, which git only mentions.
    """
    done = gitrun.attempt(top, *args, extra=exact)
    for line in done.stderr.splitlines():
        if _UNREAD in line or not line.startswith(_REMARKS):
            raise gitrun.failure(args[0], line)
    if done.returncode:
        raise gitrun.failure(args[0], done.stderr)
    return done.stdout


def _names(output: bytes) -> list[str]:
    return [os.fsdecode(name) for name in output.split(b"\0") if name]
