"""List the commits that touched files of a vault, past contents, and its growth."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from toolmem.core import limits
from toolmem.store.files import layout
from toolmem.store.files.walk import kind_of
from toolmem.store.git import run as gitrun
from toolmem.store.git.blobs import Blobs
from toolmem.store.git.diff import is_plain
from toolmem.store.git.raw import ALL_PARENTS, EACH_PARENT, ChangedFile, records
from toolmem.store.git.repo import Commit, Repo, commits_ahead, commits_of


class CommitStep(NamedTuple):
    """A commit and its files; for a merge, those that differ from every parent.

    The files can be iterated once, before the next step.
    """

    commit: Commit
    touched: Iterator[ChangedFile]


class OutgoingCommit(NamedTuple):
    """A commit to push, and its files outside the vault, by their paths from the top.

    Of a merge, those are the files that differ from every parent.
    """

    id: str
    subject: str
    outside: tuple[str, ...] = ()


def outgoing(repo: Repo, commit: str, known: Iterable[str]) -> list[OutgoingCommit]:
    """Return the commits that a push of ``commit`` publishes, newest first.

    ``known`` are commits that the remote already has.
    """
    commits = commits_ahead(repo, commit, known)
    outside: dict[str, list[str]] = {}
    if repo.prefix:
        whole = Repo(repo.top)
        for record in records(whole, (ahead.id for ahead in commits), ALL_PARENTS):
            if not record.path.startswith(f"{repo.prefix}/"):
                outside.setdefault(record.commit, []).append(record.path)
    return [
        OutgoingCommit(ahead.id, ahead.subject, tuple(outside.get(ahead.id, ())))
        for ahead in commits
    ]


def steps(repo: Repo, limit: int | None = None) -> Iterator[CommitStep]:
    """Yield the newest commits of HEAD that touched the vault, with their files."""
    commits = commits_of(repo, "", limit)
    listed = records(repo, (commit.id for commit in commits), ALL_PARENTS)
    by_commit = groupby(listed, attrgetter("commit"))
    name, files = next(by_commit, _NO_FILES)
    for commit in commits:
        if commit.id != name:
            yield CommitStep(commit, iter(()))
            continue
        yield CommitStep(commit, (file for file in files if is_plain(file.path)))
        name, files = next(by_commit, _NO_FILES)


_NO_FILES: tuple[str, Iterator[ChangedFile]] = ("", iter(()))


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


_AT_ONCE = 200


def old_files(repo: Repo) -> Iterator[tuple[str, str, bytes | None]]:
    """Yield each content once, after the first commit and path that had it, oldest
    first; None for one that is too large to read.

    Includes all branches and tags. Raises ``StorageError``.
    """
    listed = list(_first_places(repo))
    blobs = Blobs(repo.top)
    try:
        for start in range(0, len(listed), _AT_ONCE):
            part = listed[start : start + _AT_ONCE]
            contents = blobs.read([blob for _, _, blob in part], limits.TEXT_FILE_BYTES)
            for (commit, path, _), data in zip(part, contents, strict=True):
                yield commit, path, data if isinstance(data, bytes) else None
    finally:
        blobs.close()


def _first_places(repo: Repo) -> Iterator[tuple[str, str, str]]:
    """Yield commit, path in the vault and blob of each content's first occurrence."""
    args = ("--all", "--topo-order", "--reverse")
    commits = gitrun.run(repo.top, "rev-list", *args).decode().split()
    seen = set()
    for record in records(repo, commits, EACH_PARENT):
        mode, blob = record.mode_after, record.after
        if blob not in seen and mode in ("100644", "100755"):
            seen.add(blob)
            yield record.commit, record.path, blob
