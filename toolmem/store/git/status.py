"""List the files that may differ from a commit, by git's index and their times."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from toolmem.store.git import raw
from toolmem.store.git import run as gitrun
from toolmem.store.git.repo import Repo

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
        for one in raw.parsed(repo, [gitrun.run(repo.top, *args)]):
            known[one.path] = one.modes[0], one.ids[0]
    else:
        listed = gitrun.run(repo.top, "ls-files", "-z", "--full-name", *places)
        known = {repo.inside(name): ("", "") for name in _names(listed)}
    files = _looked_up(repo.top, "diff-files", *_RAW, *places)
    for one in raw.parsed(repo, [files]):
        known.setdefault(one.path, (one.modes[0], one.ids[0]))
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
