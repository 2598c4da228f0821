"""Count the rules and memories of a vault, commit by commit."""

import os
from collections import Counter
from datetime import UTC, datetime
from typing import NamedTuple

from toolmem.store.files import layout
from toolmem.store.files.walk import kind_of
from toolmem.store.git import run as gitrun
from toolmem.store.git.repo import Repo

_MOST = 40
"""Maximum number of commits to count, evenly spaced: more do not improve a chart."""


class Size(NamedTuple):
    """Number of files of each kind in a vault at one time."""

    when: datetime
    rules: int
    memories: int
    archived: int


def growth(repo: Repo) -> tuple[Size, ...]:
    """Return the sizes along the main line of history, oldest first; empty without any.

    Raises ``StorageError``.
    """
    if gitrun.verify(repo.top, "HEAD^{commit}") is None:
        return ()
    args = ("--first-parent", "--timestamp", "HEAD", "--")
    rows = gitrun.run(repo.top, "rev-list", *args, *repo.places).decode().split("\n")
    commits = [row.partition(" ") for row in reversed(rows) if row]
    return tuple(_size(repo, commit, int(when)) for when, _, commit in _spread(commits))


def _spread(
    commits: list[tuple[str, str, str]],
) -> list[tuple[str, str, str]]:
    """Choose some of many, evenly spaced, with the first and the last."""
    if len(commits) <= _MOST:
        return commits
    last = len(commits) - 1
    return [commits[round(n * last / (_MOST - 1))] for n in range(_MOST)]


def _size(repo: Repo, commit: str, when: int) -> Size:
    args = ("-r", "-z", "--name-only", "--full-tree", commit)
    listed = gitrun.run(repo.top, "ls-tree", *args, *repo.places).split(b"\0")
    counts: Counter[str] = Counter()
    for name in listed:
        path = repo.inside(os.fsdecode(name))
        archived = path.startswith(f"{layout.ARCHIVE}/")
        counts["archived" if archived else kind_of(path)] += 1
    moment = datetime.fromtimestamp(max(when, 0), UTC)
    return Size(moment, counts["rule"], counts["memory"], counts["archived"])
