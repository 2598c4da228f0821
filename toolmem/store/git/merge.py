"""Create merge commits from objects only, without touching files or the index."""

import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from toolmem.errors import StorageError
from toolmem.store.git import commit as gitcommit
from toolmem.store.git import index as gitindex
from toolmem.store.git import raw, working_tree
from toolmem.store.git import run as gitrun
from toolmem.store.git.repo import Repo

INTERRUPTED = "refs/worktree/toolmem/sync/"
"""Refs of one worktree to a commit that is being checked out, until that is done.

The rest of the name is the branch.
"""


class MergedEntry(NamedTuple):
    """A file of a merged folder: new ``data``, or a known blob; neither: deleted."""

    path: str
    mode: str = "100644"
    blob: str = ""
    data: bytes | None = None


def merge_bases(repo: Repo, ours: str, other: str) -> list[str]:
    """Return the best common ancestors of two commits; none for unrelated ones."""
    done = gitrun.attempt(repo.top, "merge-base", "--all", ours, other)
    if done.returncode > 1:
        raise gitrun.failure("merge-base", done.stderr)
    return done.stdout.decode().split()


def is_shallow(repo: Repo) -> bool:
    """Return True if the clone lacks older history."""
    answer = gitrun.run(repo.top, "rev-parse", "--is-shallow-repository")
    return answer.strip() == b"true"


def write_merge(
    repo: Repo, parents: Sequence[str], entries: Iterable[MergedEntry], message: str
) -> str:
    """Write a commit of the first parent's files with these entries set.

    Paths are below the top. Raises ``StorageError`` if git does not know its user's
    name, or refuses such a file.
    """
    gitcommit.require_identity(repo.top)
    with tempfile.TemporaryDirectory(prefix="toolmem-") as folder:
        private = Path(folder)
        index = {"GIT_INDEX_FILE": str(private / "index"), **gitrun.hooks_off(repo.top)}
        lines = _lines(_stored(repo, list(entries), private), len(parents[0]))
        gitrun.run(repo.top, "read-tree", parents[0], extra=index)
        safe = ("-c", "core.protectHFS=true", "-c", "core.protectNTFS=true")
        args = (*safe, "update-index", "-z", "--index-info")
        gitrun.run(repo.top, *args, stdin=lines, extra=index)
        tree = gitrun.run(repo.top, "write-tree", extra=index).decode().strip()
    return gitcommit.write(repo.top, tree, parents, message)


def _stored(repo: Repo, entries: list[MergedEntry], private: Path) -> list[MergedEntry]:
    """Return the entries with new content stored as blobs, unfiltered."""
    names = []
    for number, entry in enumerate(entries):
        if entry.data is not None:
            path = private / str(number)
            path.write_bytes(entry.data)
            names.append(f"{path}\n")
    if not names:
        return entries
    args = ("hash-object", "-w", "--no-filters", "--stdin-paths")
    output = gitrun.run(repo.top, *args, stdin="".join(names).encode())
    ids = iter(output.decode().split())
    return [
        entry if entry.data is None else entry._replace(blob=next(ids), data=None)
        for entry in entries
    ]


def _lines(entries: Iterable[MergedEntry], length: int) -> bytes:
    none = "0" * length
    lines = (
        f"{entry.mode if entry.blob else '0'} {entry.blob or none}\t{entry.path}\0"
        for entry in entries
    )
    return os.fsencode("".join(lines))


def stage(repo: Repo, entries: Iterable[MergedEntry], length: int) -> None:
    """Put entries into the user's own index (see ``gitindex.stage``)."""
    gitindex.stage(repo.top, _lines(entries, length))


def stage_again(repo: Repo, entries: Sequence[MergedEntry]) -> None:
    """Set the entries of these files in the user's index if they differ.

    Unmerged entries are not touched.
    """
    args = ("ls-files", "--stage", "-z", "--", *(entry.path for entry in entries))
    staged_entries: dict[str, MergedEntry | None] = {}
    for record in gitrun.run(repo.top, *args).split(b"\0"):
        about, _, name = record.partition(b"\t")
        if name:
            mode, blob, step = about.decode("ascii").split(" ")
            path = os.fsdecode(name)
            staged_entries[path] = (
                MergedEntry(path, mode, blob) if step == "0" else None
            )
    now = {
        entry.path: staged_entries.get(entry.path, MergedEntry(entry.path))
        for entry in entries
    }
    other = [entry for entry in entries if now[entry.path] not in (None, entry)]
    if other:
        ids = [
            entry.blob
            for entry in (*staged_entries.values(), *other)
            if entry and entry.blob
        ]
        stage(repo, other, len(ids[0]))


def staged(repo: Repo) -> dict[str, str]:
    """Return the staged changes to HEAD: the path below the top, and its blob or ""."""
    whole = Repo(repo.top)
    args = ("diff-index", "--cached", *raw.COMPARED, "HEAD")
    changes = raw.parsed(whole, [gitrun.run(repo.top, *args)])
    return {change.path: change.after for change in changes}


def move_ref(
    repo: Repo, name: str, new: str, old: str | None = None, note: str = ""
) -> bool:
    """Point a ref to a commit ("": delete it); False if it is not at ``old``."""
    off = gitrun.hooks_off(repo.top)
    words = ("-d", name) if not new else ("-m", note or "toolmem sync", name, new)
    args = (*words, old) if old is not None else words
    done = gitrun.attempt(repo.top, "update-ref", *args, extra=off)
    if done.returncode and old is not None and gitrun.verify(repo.top, name) == old:
        raise gitrun.failure("update-ref", done.stderr)
    return not done.returncode


def require_unfiltered(repo: Repo, commit: str, places: Sequence[str]) -> None:
    """Raise ``StorageError`` if a commit's attributes name a filter for a file.

    The filter would have to be run for the file on disk. Paths are below the top.
    """
    if not places:
        return
    with tempfile.TemporaryDirectory(prefix="toolmem-") as private:
        index = {"GIT_INDEX_FILE": str(Path(private) / "index")}
        gitrun.run(repo.top, "read-tree", commit, extra=index)
        filters = working_tree.filters(repo.top, places, index)
    for place, driver in filters.items():
        raise StorageError(
            f"{place}: it has the attribute filter={driver}, and toolmem runs no"
            " filter: run `git pull --no-rebase`"
        )


def mark_interrupted(repo: Repo, branch: str, commit: str) -> None:
    """Note that a commit of this branch is being checked out; "": no more."""
    if not move_ref(repo, INTERRUPTED + branch, commit):
        raise StorageError(f"git update-ref: {INTERRUPTED}{branch} cannot be written")


def interrupted(repo: Repo) -> list[tuple[str, str]]:
    """Return branch and commit of what was not checked out to its end here."""
    args = ("--format=%(refname) %(objectname)", INTERRUPTED)
    listed = gitrun.run(repo.top, "for-each-ref", *args)
    rows = (row.rpartition(" ") for row in os.fsdecode(listed).splitlines())
    return [(name.removeprefix(INTERRUPTED), commit) for name, _, commit in rows]


def require_whole(repo: Repo) -> None:
    """Raise ``StorageError`` for a clone without its history."""
    if is_shallow(repo):
        raise StorageError("the clone is shallow: run `git fetch --unshallow` first")
