"""List the commits that touched files of a vault, newest first."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from toolmem.store.files import folders
from toolmem.store.git.diff import ChangedFile
from toolmem.store.git.raw import ALL_PARENTS, RawChange, records
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
        for record in records(whole, (one.id for one in commits), ALL_PARENTS):
            if not record.path.startswith(f"{repo.prefix}/"):
                outside.setdefault(record.commit, []).append(record.path)
    return [
        OutgoingCommit(one.id, one.subject, tuple(outside.get(one.id, ())))
        for one in commits
    ]


def steps(repo: Repo, limit: int | None = None) -> Iterator[CommitStep]:
    """Yield the newest commits of HEAD that touched the vault, with their files."""
    commits = commits_of(repo, "", limit)
    listed = records(repo, (commit.id for commit in commits), ALL_PARENTS)
    found = groupby(listed, attrgetter("commit"))
    name, files = next(found, _NO_FILES)
    for commit in commits:
        if commit.id != name:
            yield CommitStep(commit, iter(()))
            continue
        yield CommitStep(
            commit, (_touched(file) for file in files if _is_plain(file.path))
        )
        name, files = next(found, _NO_FILES)


_NO_FILES: tuple[str, Iterator[RawChange]] = ("", iter(()))


def _is_plain(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    return folders.is_plain(name) and _is_plain_folder(folder)


@lru_cache(maxsize=1024)
def _is_plain_folder(folder: str) -> bool:
    return not folder or all(map(folders.is_plain, folder.split("/")))


def _touched(one: RawChange) -> ChangedFile:
    """Convert a record; the old side of a merge is the first parent's."""
    sides = one.ids[0], one.ids[-1], one.modes[0], one.modes[-1]
    return ChangedFile(one.path, *sides, one.ids[1:-1])
