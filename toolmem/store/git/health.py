"""Diagnose a repository by plumbing commands, without changing it."""

import os
import time
from pathlib import Path

from toolmem.store.git import run as gitrun
from toolmem.store.git.repo import Repo

_STALE_SECONDS = 3600
_SHOWN = 5


def knows_who(repo: Repo) -> bool:
    """Return True if git knows the committer."""
    return not gitrun.attempt(repo.top, "var", "GIT_COMMITTER_IDENT").returncode


def is_ignored(repo: Repo, path: str) -> bool:
    """Return True if the repository's ignore rules cover an untracked path."""
    args = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--")
    return bool(gitrun.run(repo.top, *args, repo.place(path)))


def tracked(repo: Repo, folder: str) -> list[str]:
    """Return the files below a folder of the vault that are in git's index."""
    place = repo.place(folder)
    return _names(gitrun.run(repo.top, "ls-files", "-z", "--", place))


def untracked(top: Path, places: tuple[str, ...]) -> tuple[str, ...]:
    """Return the files at these places that are not in git's index, nor ignored."""
    args = ("ls-files", "-z", "--others", "--exclude-standard", "--")
    return tuple(_names(gitrun.run(top, *args, *places)))


def unmerged(repo: Repo) -> list[str]:
    """Return the paths of the vault that a merge left with several versions."""
    args = ("ls-files", "--unmerged", "-z", "--", repo.place("") or ".")
    entries = _names(gitrun.run(repo.top, *args))
    places = dict.fromkeys(entry.partition("\t")[2] for entry in entries)
    prefix = f"{repo.prefix}/" if repo.prefix else ""
    return [place.removeprefix(prefix) for place in places]


def stale_lock(repo: Repo) -> Path | None:
    """Return the lock of git's index if it is too old to be in use."""
    named = gitrun.run(repo.top, "rev-parse", "--git-path", "index.lock")
    path = repo.top / os.fsdecode(named.rstrip(b"\n"))
    try:
        age = time.time() - path.lstat().st_mtime
    except OSError:
        return None
    return path if age > _STALE_SECONDS else None


def broken_objects(repo: Repo) -> list[str]:
    """Return the first lines of git's report on missing or damaged objects."""
    done = gitrun.attempt(repo.top, "fsck", "--connectivity-only", "--no-dangling")
    if not done.returncode:
        return []
    lines = (done.stdout + done.stderr).decode("utf-8", "backslashreplace").split("\n")
    return [line for line in lines if line.strip()][:_SHOWN]


def _names(output: bytes) -> list[str]:
    return [os.fsdecode(name) for name in output.split(b"\0") if name]
