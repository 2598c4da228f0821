"""List the files that many commits touched, with one ``git diff-tree``."""

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from toolmem.store.git import run as gitrun
from toolmem.store.git.repo import Repo

EACH_PARENT = "-m"
"""A merge has the records of each of its parents."""
ALL_PARENTS = "-c"
"""A merge has only records of files that differ from every parent."""
_RAW = ("-r", "-z", "--root", "--raw", "--no-abbrev", "--no-renames")
_SAFE = ("--no-ext-diff", "--no-textconv")


class RawChange(NamedTuple):
    """A file that a commit touched: modes and ids of the parents, and its own last.

    Both are "" where there is no such file. The path is relative to the vault.
    """

    commit: str
    path: str
    modes: tuple[str, ...]
    ids: tuple[str, ...]


def records(repo: Repo, commits: Iterable[str], merges: str) -> Iterator[RawChange]:
    """Yield the records of these commits in order; raises ``StorageError``."""
    wanted = "".join(f"{commit}\n" for commit in commits).encode()
    args = ("--stdin", *_RAW, merges, *_SAFE, "--", *repo.places)
    output = gitrun.run(repo.top, "diff-tree", *args, stdin=wanted) if wanted else b""
    return parsed(repo, output)


def parsed(repo: Repo, output: bytes) -> Iterator[RawChange]:
    """Yield the records of a command with ``--raw -z``."""
    commit = ""
    fields = iter(output.split(b"\0"))
    for field in fields:
        if not field.startswith(b":"):
            commit = field.decode("ascii", "replace").strip() or commit
            continue
        path = repo.inside(os.fsdecode(next(fields, b"")))
        yield RawChange(commit, path, *_sides(field.decode("ascii", "replace")))


def _sides(raw: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return modes and ids: of each parent (a colon for each), then of the commit."""
    sides = len(raw) - len(raw.lstrip(":")) + 1
    words = [w if w.strip("0") else "" for w in raw.lstrip(":").split(" ")]
    return tuple(words[:sides]), tuple(words[sides : 2 * sides])
