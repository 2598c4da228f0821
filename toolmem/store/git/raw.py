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
COMPARED = ("-z", "--raw", "--no-abbrev", "--no-renames")
_RAW = ("-r", "--root", *COMPARED)
_ABSENT = {"0" * length: "" for length in (6, 40, 64)}
"""Mode and ids of a file that is not there."""
_SAFE = ("--no-ext-diff", "--no-textconv", "--ignore-submodules=none")


class ChangedFile(NamedTuple):
    """A file that differs; an id is "" on the side where there is no such file.

    The path is relative to the vault. Of a merge, the old side is the first parent's,
    and ``others`` are the ids in the further ones.
    """

    path: str
    before: str
    after: str
    mode_before: str
    mode_after: str
    others: tuple[str, ...] = ()
    commit: str = ""

    @property
    def is_plain(self) -> bool:
        """True if it is an ordinary file on each side where it exists."""
        return {self.mode_before, self.mode_after} <= {"", "100644", "100755"}


def records(repo: Repo, commits: Iterable[str], merges: str) -> Iterator[ChangedFile]:
    """Yield the records of these commits in order; raises ``StorageError``."""
    wanted = "".join(f"{commit}\n" for commit in commits).encode()
    args = ("--stdin", *_RAW, merges, *_SAFE, "--", *repo.places)
    if wanted:
        yield from parsed(
            repo, gitrun.stream(repo.top, "diff-tree", *args, stdin=wanted)
        )


def compared(repo: Repo, before: str, after: str) -> Iterator[ChangedFile]:
    """Yield the records of the files that differ between two trees."""
    args = (*_RAW, *_SAFE, before, after, "--", *repo.places)
    return parsed(repo, [gitrun.run(repo.top, "diff-tree", *args)])


def parsed(repo: Repo, output: Iterable[bytes]) -> Iterator[ChangedFile]:
    """Yield the records in the output, in pieces, of a command with ``--raw -z``."""
    commit = ""
    fields = _fields(output)
    for field in fields:
        if field[:1] != ":":
            commit = field.strip() or commit
            continue
        path = repo.inside(next(fields, ""))
        yield _change(commit, path, field)


def _fields(pieces: Iterable[bytes]) -> Iterator[str]:
    rest = b""
    for piece in pieces:
        whole, _, rest = (rest + piece).rpartition(b"\0")
        yield from os.fsdecode(whole).split("\0") if whole else ()
    yield os.fsdecode(rest)


def _change(commit: str, path: str, raw: str) -> ChangedFile:
    """Read modes and ids: of each parent (a colon for each), then of the commit."""
    words = raw.split(" ")
    sides = len(words) // 2
    words[0] = words[0].lstrip(":")
    fields = [_ABSENT.get(word, word) for word in words]
    modes, ids = fields[:sides], fields[sides : 2 * sides]
    return ChangedFile(
        path, ids[0], ids[-1], modes[0], modes[-1], tuple(ids[1:-1]), commit
    )
