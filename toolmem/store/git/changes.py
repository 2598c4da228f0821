"""Last change of each file of a project, by the project's git history."""

import os
from pathlib import Path
from typing import NamedTuple

from toolmem.errors import NotFoundError
from toolmem.store.git import run as gitrun
from toolmem.store.git.raw import EACH_PARENT, records
from toolmem.store.git.repo import Repo


class LastChange(NamedTuple):
    """The newest commit that touched a file; ``when`` is in seconds since 1970."""

    commit: str
    when: int
    deleted: bool


class Project(NamedTuple):
    """Files of a project's last commit, and recent changes.

    ``changed`` also contains deleted files.
    """

    files: tuple[str, ...]
    changed: dict[str, LastChange]


def project_history(folder: Path, since: int) -> Project:
    """Return the files below a folder, and those that commits since then changed.

    Paths are relative to the folder. Raises ``NotFoundError`` for a folder that is in
    no repository or has no commit, ``StorageError`` if git fails.
    """
    repo = Repo.find(folder) if folder.is_dir() else None
    if repo is None:
        raise NotFoundError(f"{folder} is not in a git repository")
    if gitrun.verify(repo.top, "HEAD^{commit}") is None:
        raise NotFoundError(f"{folder}: nothing has been committed there yet")
    args = ("-r", "-z", "--name-only", "--full-tree", "HEAD", *repo.places)
    listed = gitrun.run(repo.top, "ls-tree", *args).split(b"\0")
    files = (repo.inside(os.fsdecode(name)) for name in listed if name)
    return Project(tuple(files), _changed(repo, since))


def _changed(repo: Repo, since: int) -> dict[str, LastChange]:
    """Return the last change of each path, from commits newest first."""
    args = (f"--max-age={max(since, 0)}", "--timestamp", "HEAD", "--", *repo.places)
    listed = gitrun.run(repo.top, "rev-list", *args).decode().split("\n")
    times = {c: int(when) for when, _, c in (row.partition(" ") for row in listed) if c}
    changes: dict[str, LastChange] = {}
    for record in records(repo, times, EACH_PARENT):
        gone = not record.modes[-1]
        changed = LastChange(record.commit, times.get(record.commit, 0), gone)
        changes.setdefault(record.path, changed)
    return changes
