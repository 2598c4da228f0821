"""List the commits that touched files of a vault, newest first."""

from typing import NamedTuple

from toolmem.store.files import folders
from toolmem.store.git.diff import ChangedFile
from toolmem.store.git.raw import ALL_PARENTS, RawChange, records
from toolmem.store.git.repo import Commit, Repo, commits_of


class CommitStep(NamedTuple):
    """A commit and its files; for a merge, those that differ from every parent."""

    commit: Commit
    touched: tuple[ChangedFile, ...]


def steps(repo: Repo, limit: int | None = None) -> list[CommitStep]:
    """Return the newest commits of HEAD that touched the vault, with their files."""
    commits = commits_of(repo, "", limit)
    found: dict[str, list[ChangedFile]] = {}
    for one in records(repo, (commit.id for commit in commits), ALL_PARENTS):
        if all(map(folders.is_plain, one.path.split("/"))):
            found.setdefault(one.commit, []).append(_touched(one))
    return [CommitStep(commit, tuple(found.get(commit.id, ()))) for commit in commits]


def _touched(one: RawChange) -> ChangedFile:
    """Convert a record; the old side of a merge is the first parent's."""
    sides = one.ids[0], one.ids[-1], one.modes[0], one.modes[-1]
    return ChangedFile(one.path, *sides, one.ids[1:-1])
