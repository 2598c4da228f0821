"""Git repository of a vault: revisions, a path's history, commits of given paths.

It uses only plumbing commands that neither filter nor convert what they read;
``gitrun`` runs them. A vault without git has no ``Repo``.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from toolmem.core.times import local_day, parse_moment
from toolmem.errors import NotFoundError
from toolmem.store.files import folders
from toolmem.store.git import commit as gitcommit
from toolmem.store.git import run as gitrun

_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}.*")
_FIELDS = "%H%x00%an%x00%ae%x00%ct%x00%s"


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit; ``when`` is the time of the commit, in UTC."""

    id: str
    author: str
    email: str
    when: datetime
    subject: str


@dataclass(frozen=True, slots=True)
class Repo:
    """A git repository and the place of a vault in it.

    ``top`` is the folder that contains ``.git``; ``prefix`` is the path from there to
    the vault ("" if they are the same). Paths in arguments are relative to the vault.
    Every method raises ``StorageError`` if git is missing or fails.
    """

    top: Path
    prefix: str = ""

    @classmethod
    def find(cls, folder: Path) -> "Repo | None":
        """Return the repository that the folder is in, without running git."""
        start = folder.resolve()
        for top in (start, *start.parents):
            git = top / ".git"
            if git.is_file() or (git / "HEAD").is_file():
                inside = start.relative_to(top).as_posix()
                return cls(top, "" if inside == "." else inside)
        return None

    def resolve(self, text: str) -> str:
        """Return the commit id of a revision, or of the last commit up to a date.

        A date (``2026-04-07``) means the end of that local day and a time without a
        zone is UTC; both follow HEAD's first parents, the states of the vault. Raises
        ``NotFoundError`` naming what was not found.
        """
        seconds = _seconds(text)
        if seconds is None:
            object_id = gitrun.verify(self.top, text)
            commit = object_id and gitrun.verify(self.top, f"{object_id}^{{commit}}")
            if not commit:
                raise NotFoundError(f"{text!r} is neither a commit nor a date")
            return commit
        head = gitrun.verify(self.top, "HEAD^{commit}")
        if head is None:
            raise NotFoundError("nothing has been committed yet")
        args = ("--max-count=1", "--first-parent", f"--min-age={seconds}", head, "--")
        object_id = gitrun.run(self.top, "rev-list", *args).decode().strip()
        if not object_id:
            raise NotFoundError(f"nothing was committed up to {text}")
        return object_id

    def commit_time(self, commit: str) -> datetime:
        """Return the time of a commit, in UTC; the id is one from ``resolve``."""
        if not gitrun.ID.fullmatch(commit):
            raise NotFoundError(f"{commit!r} is not the id of a commit")
        args = ("--no-walk", "--format=%ct", commit, "--")
        lines = gitrun.run(self.top, "rev-list", *args).decode().splitlines()
        return _when(lines[-1])

    def log(self, path: str, limit: int) -> tuple[Commit, ...]:
        """Return the newest commits that changed the path ("" is the whole vault).

        Renames are not followed.
        """
        return commits_of(self, path, limit)

    def commit_paths(self, paths: tuple[str, ...], message: str) -> str | None:
        """Commit exactly these files as they are on disk; missing ones are removed.

        Other staged or changed files stay as they are. Returns the new id, None if the
        last commit has the same content. Raises ``InvalidFileError`` for a path that is
        not a regular file, ``LockedError`` if another git has locked the index,
        ``ExistsError`` in the middle of a merge, ``StorageError`` if git does not know
        its user's name.
        """
        if not paths:
            return None
        return gitcommit.commit(self.top, tuple(map(self.place, paths)), message)

    def place(self, path: str) -> str:
        """Return the path below ``top`` of a path in the vault."""
        return "/".join(part for part in (self.prefix, path) if part)

    def inside(self, path: str) -> str:
        """Return the path in the vault of one below ``top``."""
        return path[len(self.prefix) + 1 :] if self.prefix else path

    @property
    def places(self) -> tuple[str, ...]:
        """Arguments that limit a command of git to the vault."""
        return (self.prefix,) if self.prefix else ()


def commits_of(repo: Repo, path: str, limit: int | None) -> tuple[Commit, ...]:
    """Return the commits as ``Repo.log``; without a limit all of them."""
    folders.split(path)
    if gitrun.verify(repo.top, "HEAD^{commit}") is None:
        return ()
    most = () if limit is None else (f"--max-count={limit}",)
    place = repo.place(path)
    return _listed(repo, *most, "HEAD", "--", *((place,) if place else ()))


def commits_ahead(repo: Repo, commit: str, of: Iterable[str]) -> tuple[Commit, ...]:
    """Return the commits that are in the history of one and of none of the others."""
    return _listed(repo, commit, *(f"^{other}" for other in of), "--")


def _listed(repo: Repo, *args: str) -> tuple[Commit, ...]:
    form = ("--encoding=UTF-8", f"--format={_FIELDS}")
    output = gitrun.run(repo.top, "rev-list", *form, *args)
    # git prints its own line before each line of our fields.
    lines = output.decode("utf-8", "replace").split("\n")[1::2]
    return tuple(_commit(*line.split("\0", 4)) for line in lines)


def init(folder: Path) -> Repo:
    """Make the folder a separate repository, without templates or hooks.

    An existing one stays unchanged. Raises ``StorageError``.
    """
    repo = Repo.find(folder)
    if repo is not None and not repo.prefix:
        return repo
    top = folder.resolve()
    gitrun.run(top, "init", "--quiet", "--template=")
    return Repo(top)


def moment_of(seconds: str | bytes) -> datetime:
    """Parse a time as git writes it, in UTC; an invalid one is the start of 1970."""
    return _when(
        seconds.decode("ascii", "replace") if isinstance(seconds, bytes) else seconds
    )


def last_moment(text: str) -> datetime | None:
    """Return the last moment of a date or a time, in UTC; None for other texts."""
    day = local_day(text)
    if day is not None:
        return day[1]
    return parse_moment(text.upper()) if _TIME.fullmatch(text) else None


def is_moment(text: str) -> bool:
    """Return True for a date or time, which no revision is."""
    return _seconds(text) is not None


def _seconds(text: str) -> int | None:
    """Return the last second of a date or a time; None for other texts."""
    when = last_moment(text)
    # There are no commits before 1970; at 0 git finds none, or a broken one.
    return None if when is None else max(0, int(when.timestamp()))


def _commit(name: str, author: str, email: str, when: str, subject: str) -> Commit:
    return Commit(name, author, email, _when(when), subject)


def _when(seconds: str) -> datetime:
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)  # as git reads a broken date
