"""When each file of a project was last changed, by the project's own git history."""

import os
from pathlib import Path
from typing import NamedTuple

from toolmem.errors import NotFoundError
from toolmem.store import gitrun
from toolmem.store.gitrepo import Repo

_LISTED = ("-r", "-m", "-z", "--root", "--no-renames", "--no-ext-diff", "--no-textconv")


class Changed(NamedTuple):
    """The newest commit that touched a file; ``when`` is in seconds since 1970."""

    commit: str
    when: int
    deleted: bool


class Project(NamedTuple):
    """The files of a project's last commit, and what was changed lately.

    ``changed`` holds files that are gone, too.
    """

    files: tuple[str, ...]
    changed: dict[str, Changed]


def project_history(folder: Path, since: int) -> Project:
    """The files below a folder, and those that commits since then changed.

    Paths are relative to the folder. Raises ``NotFoundError`` for a folder that is
    in no repository or has no commit, ``StorageError`` when git fails.
    """
    repo = Repo.find(folder) if folder.is_dir() else None
    if repo is None:
        raise NotFoundError(f"{folder} is not in a git repository")
    if gitrun.verify(repo.top, "HEAD^{commit}") is None:
        raise NotFoundError(f"{folder}: nothing has been committed there yet")
    place = (repo.prefix,) if repo.prefix else ()
    listed = gitrun.run(
        repo.top, "ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD", *place
    )
    files = [os.fsdecode(name) for name in listed.split(b"\0") if name]
    return Project(tuple(_inside(repo, f) for f in files), _changed(repo, since, place))


def _changed(repo: Repo, since: int, place: tuple[str, ...]) -> dict[str, Changed]:
    """Newest first, so that the first commit of a path is its last change."""
    args = (f"--max-age={max(since, 0)}", "--timestamp", "HEAD", "--", *place)
    listed = gitrun.run(repo.top, "rev-list", *args).decode().split("\n")
    times = {c: int(when) for when, _, c in (row.partition(" ") for row in listed) if c}
    if not times:
        return {}
    commits = "".join(f"{commit}\n" for commit in times).encode()
    args = ("--stdin", *_LISTED, "--", *place)
    output = gitrun.run(repo.top, "diff-tree", *args, stdin=commits)
    found: dict[str, Changed] = {}
    commit = ""
    fields = iter(output.split(b"\0"))
    for field in fields:
        if not field.startswith(b":"):
            commit = field.decode("ascii", "replace").strip() or commit
            continue
        path = _inside(repo, os.fsdecode(next(fields, b"")))
        gone = field.endswith(b"D")
        found.setdefault(path, Changed(commit, times.get(commit, 0), gone))
    return found


def _inside(repo: Repo, path: str) -> str:
    return path[len(repo.prefix) + 1 :] if repo.prefix else path
