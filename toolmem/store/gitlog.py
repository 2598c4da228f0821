"""Which commits touched which files of a vault, newest first."""

import os
from collections.abc import Iterator
from typing import NamedTuple

from toolmem.store import folders, gitrun
from toolmem.store.gitdiff import Touched
from toolmem.store.gitrepo import Commit, Repo, commits_of

_RAW = ("-r", "-c", "-z", "--root", "--raw", "--no-abbrev", "--no-renames")
_SAFE = ("--no-ext-diff", "--no-textconv")


class Step(NamedTuple):
    """A commit and the files that it touched; of a merge, those like no parent's."""

    commit: Commit
    touched: tuple[Touched, ...]


def steps(repo: Repo, limit: int | None = None) -> list[Step]:
    """The newest commits of HEAD that touched the vault, with what they touched."""
    commits = commits_of(repo, "", limit)
    if not commits:
        return []
    place = (repo.prefix,) if repo.prefix else ()
    wanted = "".join(f"{commit.id}\n" for commit in commits).encode()
    args = ("--stdin", *_RAW, *_SAFE, "--", *place)
    output = gitrun.run(repo.top, "diff-tree", *args, stdin=wanted)
    found: dict[str, list[Touched]] = {}
    for commit, touched in _records(repo, output):
        found.setdefault(commit, []).append(touched)
    return [Step(commit, tuple(found.get(commit.id, ()))) for commit in commits]


def _records(repo: Repo, output: bytes) -> Iterator[tuple[str, Touched]]:
    commit = ""
    fields = iter(output.split(b"\0"))
    for field in fields:
        if not field.startswith(b":"):
            commit = field.decode("ascii", "replace").strip() or commit
            continue
        path = os.fsdecode(next(fields, b""))
        inside = path[len(repo.prefix) + 1 :] if repo.prefix else path
        if all(map(folders.is_plain, inside.split("/"))):
            yield commit, _touched(inside, field.decode("ascii", "replace"))


def _touched(path: str, raw: str) -> Touched:
    """A record of ``diff-tree``: modes, ids and a letter for each parent.

    Of a merge the first parent's side is what was before.
    """
    parents = len(raw) - len(raw.lstrip(":"))
    words = raw[parents:].split(" ")
    modes, ids = words[: parents + 1], words[parents + 1 : 2 * parents + 2]
    sides = _id(ids[0]), _id(ids[-1]), _mode(modes[0]), _mode(modes[-1])
    return Touched(path, *sides, tuple(map(_id, ids[1:-1])))


def _id(name: str) -> str:
    return name if name.strip("0") else ""


def _mode(mode: str) -> str:
    return mode if mode.strip("0") else ""
