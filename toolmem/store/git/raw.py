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
_ABSENT = {"0" * length: "" for length in (6, 40, 64)}
"""Mode and ids of a file that is not there."""
_SAFE = ("--no-ext-diff", "--no-textconv", "--ignore-submodules=none")


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
    if wanted:
        yield from parsed(
            repo, gitrun.stream(repo.top, "diff-tree", *args, stdin=wanted)
        )


def parsed(repo: Repo, output: Iterable[bytes]) -> Iterator[RawChange]:
    """Yield the records in the output, in pieces, of a command with ``--raw -z``."""
    commit = ""
    fields = _fields(output)
    for field in fields:
        if field[:1] != ":":
            commit = field.strip() or commit
            continue
        path = repo.inside(next(fields, ""))
        yield RawChange(commit, path, *_sides(field))


def _fields(pieces: Iterable[bytes]) -> Iterator[str]:
    rest = b""
    for piece in pieces:
        whole, _, rest = (rest + piece).rpartition(b"\0")
        yield from os.fsdecode(whole).split("\0") if whole else ()
    yield os.fsdecode(rest)


def _sides(raw: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return modes and ids: of each parent (a colon for each), then of the commit."""
    words = raw.split(" ")
    sides = len(words) // 2
    words[0] = words[0].lstrip(":")
    fields = tuple([_ABSENT.get(word, word) for word in words])
    return fields[:sides], fields[sides : 2 * sides]
