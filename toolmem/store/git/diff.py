"""Compare two commits by git's objects, to find the files of a vault that differ.

One ``git cat-file --batch`` answers everything: only folders whose ids differ are read.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from toolmem.core import limits
from toolmem.errors import NotFoundError, StorageError
from toolmem.store.files import folders
from toolmem.store.git import raw
from toolmem.store.git import run as gitrun
from toolmem.store.git.blobs import Blobs
from toolmem.store.git.raw import EACH_PARENT, records
from toolmem.store.git.repo import Repo, is_moment, moment_of

_ENTRY = {20: re.compile(rb"(\d+) ([^\0]+)\0(.{20})", re.DOTALL)}
_ENTRY[32] = re.compile(rb"(\d+) ([^\0]+)\0(.{32})", re.DOTALL)
_WHEN = re.compile(rb"^committer .* (\d+) [-+]\d{4}$", re.MULTILINE)
_TREE = re.compile(rb"tree ([0-9a-f]+)\n")
_FOLDER = b"40000"

Entry = tuple[bytes, bytes, bytes]
"""Mode, name and raw id of an entry of a folder."""
Node = tuple[bytes, str]
"""Mode and id."""


class Snapshot(NamedTuple):
    """A commit: its id, its folder's id and the time of the commit, in UTC."""

    id: str
    tree: str
    when: datetime


class ChangedFile(NamedTuple):
    """A file that differs; an id is "" on the side where there is no such file.

    ``others`` are its ids in further parents of a merge.
    """

    path: str
    before: str
    after: str
    mode_before: str
    mode_after: str
    others: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """True if it is an ordinary file on each side where it exists."""
        return {self.mode_before, self.mode_after} <= {"", "100644", "100755"}


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
        name = self.repo.resolve(revision) if is_moment(revision) else revision
        [commit] = self._blobs.find([f"{name}^{{commit}}"], limits.OBJECT_BYTES)
        if commit is None or not isinstance(commit.data, bytes):
            raise NotFoundError(f"{revision!r} is neither a commit nor a date")
        head = commit.data.partition(b"\n\n")[0]
        tree, when = _TREE.match(head), _WHEN.search(head)
        if tree is None:
            raise StorageError(f"{commit.id}: not a readable commit")
        return Snapshot(
            commit.id, tree[1].decode(), moment_of(when[1] if when else b"0")
        )

    def touched(self, before: str, after: str) -> list[ChangedFile]:
        """Return the files of the vault that differ between two trees, by path.

        "" is an empty tree.
        """
        folders_left = [("", self._vault(before), self._vault(after))]
        files: list[ChangedFile] = []
        while folders_left:
            trees = self._trees(
                [side for folder in folders_left for side in folder[1:]]
            )
            folders_left = [
                inner
                for path, old, new in folders_left
                for inner in _compared(path, trees[old], trees[new], files)
            ]
        return sorted(files)

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

    def _vault(self, tree: str) -> str:
        """Return the tree of the vault's own folder."""
        for name in self.repo.prefix.split("/") if self.repo.prefix else ():
            wanted = os.fsencode(name)
            entries = (
                entry for entry in self._trees([tree])[tree] if entry[1] == wanted
            )
            mode, _, raw = next(entries, (b"", wanted, b""))
            tree = raw.hex() if mode == _FOLDER else ""
        return tree

    def _trees(self, ids: Sequence[str]) -> dict[str, frozenset[Entry]]:
        """Return the entries of each of these folders; "" is an empty one."""
        wanted = [name for name in dict.fromkeys(ids) if name]
        trees: dict[str, frozenset[Entry]] = {"": frozenset()}
        answers = self._blobs.find(wanted, limits.OBJECT_BYTES)
        for name, answer in zip(wanted, answers, strict=True):
            if answer is None or answer.kind != "tree" or isinstance(answer.data, str):
                raise StorageError(f"{name}: is not in this clone: run `git fetch`")
            trees[name] = frozenset(_ENTRY[len(name) // 2].findall(answer.data))
        return trees


_NONE: Node = (b"", "")


def _compared(
    folder: str,
    before: frozenset[Entry],
    after: frozenset[Entry],
    changed: list[ChangedFile],
) -> Iterator[tuple[str, str, str]]:
    """Yield the folders below that differ; add files that differ to ``found``."""
    old, new = _nodes(before - after), _nodes(after - before)
    for name in old.keys() | new.keys():
        was, now = old.get(name, _NONE), new.get(name, _NONE)
        text = name.decode("utf-8", "surrogateescape")
        # A name that no disk allows is not a file of the vault.
        if was == now or not folders.is_plain(text):
            continue
        path = f"{folder}/{text}" if folder else text
        trees = [side[1] if side[0] == _FOLDER else "" for side in (was, now)]
        if trees[0] != trees[1]:
            yield path, trees[0], trees[1]
        files = [_NONE if side[0] == _FOLDER else side for side in (was, now)]
        if files[0] != files[1]:
            modes = files[0][0].decode(), files[1][0].decode()
            changed.append(ChangedFile(path, files[0][1], files[1][1], *modes))


def _nodes(entries: frozenset[Entry]) -> dict[bytes, Node]:
    return {name: (mode, raw.hex()) for mode, name, raw in entries}


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
        gone = not record.modes[-1]
        changed = LastChange(record.commit, times.get(record.commit, 0), gone)
        changes.setdefault(record.path, changed)
    return changes


_RAW = ("--raw", "-z", "--no-abbrev", "--no-renames", "--ignore-submodules=all")
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
            known[change.path] = change.modes[0], change.ids[0]
    else:
        listed = gitrun.run(repo.top, "ls-files", "-z", "--full-name", *places)
        known = {repo.inside(name): ("", "") for name in _names(listed)}
    files = _looked_up(repo.top, "diff-files", *_RAW, *places)
    for change in raw.parsed(repo, [files]):
        known.setdefault(change.path, (change.modes[0], change.ids[0]))
    args = ("--others", "--exclude-standard", "--full-name", "-z", *places)
    untracked = _names(_looked_up(repo.top, "ls-files", *args))
    return MaybeChanged(known, tuple(map(repo.inside, untracked)))


def _looked_up(top: Path, *args: str) -> bytes:
    """Run a command that looks at files.

    Raises ``StorageError`` for one that it cannot look at, which git only mentions.
    """
    done = gitrun.attempt(top, *args, extra=gitrun.exact_status(top))
    for line in done.stderr.splitlines():
        if _UNREAD in line or not line.startswith(_REMARKS):
            raise gitrun.failure(args[0], line)
    if done.returncode:
        raise gitrun.failure(args[0], done.stderr)
    return done.stdout


def _names(output: bytes) -> list[str]:
    return [os.fsdecode(name) for name in output.split(b"\0") if name]
