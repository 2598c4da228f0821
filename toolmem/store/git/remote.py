"""Fetch and push without trusting the repository's configuration.

The commands run in a private, empty repository that uses the vault's objects. Of the
clone's own configuration only the address of the remote is taken, as data. The user's
own settings (credentials, ssh, proxies) apply as usual. Hooks of the clone do not run,
those of the remote do. A remote inside the vault's own repository came with it and is
refused.
"""

import os
import re
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self

from toolmem.core import limits
from toolmem.errors import NotFoundError, StorageError, UsageError
from toolmem.store.git import run as gitrun
from toolmem.store.git.repo import Repo

_PROTOCOLS = "file:git:http:https:ssh"
# The user's own settings; git passes none of them on to a remote.
_USER_VARIABLES = (
    *("GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS"),
    *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"),
    *("GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_SSL_NO_VERIFY"),
)
_OPTIONS = (
    *("-c", "gc.auto=0", "-c", "maintenance.auto=false"),
    *("-c", "submodule.recurse=false", "-c", "push.recurseSubmodules=no"),
    *("-c", "push.followTags=false", "-c", "fetch.writeCommitGraph=false"),
)
_FETCHED = "refs/heads/"
_LATE = re.compile(
    r"fetch first|non-fast-forward|stale info|failed to update ref|cannot lock|"
    r"failed to lock|incorrect old value|reference already exists|needs force",
    re.IGNORECASE,
)
_REFUSED = re.compile(r"^!\t.*?\t\[.*?\] \((.*)\)$", re.MULTILINE)
"""Line of ``push --porcelain`` about a branch that was not updated, and why."""
_REMOTE = "remote:"
_SERVER_LINES = 20
_LINE_CHARS = 300
_SCP = re.compile(r"[^/\\]{2,}:")
"""``host:path``; a single letter is a drive of Windows."""
_TRANSPORT = re.compile(r"[A-Za-z0-9+.-]+::")


_PROMISOR = r"^remote\..*\.promisor$"


class Remote(NamedTuple):
    """Shared branch: the remote's name and addresses, the branch there and here."""

    name: str
    url: str
    push_url: str
    branch: str
    local: str

    @property
    def label(self) -> str:
        """Short name, such as ``origin/main``."""
        return f"{self.name}/{self.branch}"

    @property
    def tracking(self) -> str:
        """Ref of the last fetched commit."""
        return f"refs/remotes/{self.name}/{self.branch}"


class Rejection(NamedTuple):
    """Reason why a remote refused a push, and the lines of its own programs."""

    reason: str
    lines: tuple[str, ...] = ()

    @property
    def is_late(self) -> bool:
        """True if someone else pushed first."""
        return bool(_LATE.search(self.reason))


def current_branch(repo: Repo) -> str:
    """Return the branch that is checked out; raise ``UsageError`` without one."""
    stdout = gitrun.attempt(repo.top, "symbolic-ref", "--quiet", "HEAD").stdout
    name = os.fsdecode(stdout.strip())
    if not name.startswith(_FETCHED):
        raise UsageError("no branch is checked out: `git switch BRANCH` first")
    return name.removeprefix(_FETCHED)


def remote_of(repo: Repo, branch: str, wanted: str = "") -> Remote:
    """Return the remote that a branch is shared through.

    That is the one asked for, else the branch's own, else ``origin``, else the only
    one. Raises ``NotFoundError`` without a remote.
    """
    names = _names(repo)
    own = _get(repo, f"branch.{branch}.remote")
    candidates = [wanted] if wanted else [own, "origin", *names[: len(names) == 1]]
    name = next((candidate for candidate in candidates if candidate in names), "")
    if not name:
        raise NotFoundError(
            f"no remote {wanted!r}: `git remote -v` lists them"
            if wanted
            else "this repository has no remote: `git remote add origin ADDRESS`"
        )
    url = _get(repo, f"remote.{name}.url")
    merged = _get(repo, f"branch.{branch}.merge") if own == name else ""
    shared = merged.removeprefix(_FETCHED) or branch
    push = _get(repo, f"remote.{name}.pushurl") or url
    return Remote(name, _address(repo, url), _address(repo, push), shared, branch)


def known_commits(repo: Repo, remote: Remote) -> list[str]:
    """Return the commits of the remote's branches when they were last fetched."""
    args = ("--format=%(objectname)", f"refs/remotes/{remote.name}/")
    return gitrun.run(repo.top, "for-each-ref", *args).decode().split()


def promisor_of(repo: Repo) -> "Remote | None":
    """Return the remote that has what a partial clone left out; None for another."""
    args = ("--null", "--name-only", "--get-regexp", _PROMISOR, "true")
    stdout = gitrun.attempt(repo.top, "config", *args).stdout
    key = os.fsdecode(stdout.partition(b"\0")[0])
    name = key.removeprefix("remote.").removesuffix(".promisor")
    with suppress(StorageError):  # an address that nothing is fetched from
        return remote_of(repo, "", name) if name else None
    return None


def _names(repo: Repo) -> list[str]:
    args = ("config", "--null", "--name-only", "--get-regexp", r"^remote\..*\.url$")
    output = gitrun.attempt(repo.top, *args).stdout
    keys = (os.fsdecode(key) for key in output.split(b"\0") if key)
    return list(dict.fromkeys(key[len("remote.") : -len(".url")] for key in keys))


def _get(repo: Repo, key: str) -> str:
    stdout = gitrun.attempt(repo.top, "config", "--null", "--get", key).stdout
    return os.fsdecode(stdout.partition(b"\0")[0])


def _address(repo: Repo, url: str) -> str:
    if not url or url.startswith("-") or _TRANSPORT.match(url):
        raise StorageError(f"{url!r} is not an address that toolmem can fetch from")
    if not is_local(url) or url.startswith("file://"):
        return _require_outside(repo, url)
    return _require_outside(repo, str(repo.top / Path(url).expanduser()))


def _require_outside(repo: Repo, address: str) -> str:
    """Raise ``StorageError`` for a remote whose hooks may have come with the vault."""
    place = Path(address.removeprefix("file://"))
    if is_local(address) and place.resolve().is_relative_to(repo.top.resolve()):
        raise StorageError(
            f"the remote {address} lies inside the repository that it is a remote of:"
            " move it out, then run `git remote set-url`"
        )
    return address


def is_local(url: str) -> bool:
    """Return True for the address of a folder on this machine."""
    if "://" in url:
        return url.startswith("file://")
    return not _SCP.match(url)


class Transport:
    """A temporary private repository on the vault's objects; a context manager."""

    def __init__(self, repo: Repo, remote: Remote) -> None:
        self._repo = repo
        self._remote = remote
        configured = _get(repo, f"remote.{remote.name}.partialclonefilter")
        self._filter = (f"--filter={configured}",) if configured else ()
        self._folder = tempfile.TemporaryDirectory(prefix="toolmem-")
        self._top = Path(self._folder.name)
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Delete the private repository."""
        with suppress(OSError):
            self._folder.cleanup()

    def fetch(self) -> str | None:
        """Fetch the shared branch; return its commit, None if it does not exist yet.

        Raises ``StorageError`` if the remote cannot be reached.
        """
        # A pattern does not fail for a branch that does not exist yet.
        spec = f"+{_FETCHED}{self._remote.branch}*:{_FETCHED}{self._remote.branch}*"
        self._have()
        args = ("--quiet", "--no-tags", "--no-write-fetch-head", "--prune")
        self._git("fetch", *args, *self._filter, "--", self._remote.url, spec)
        return self._verify(f"{_FETCHED}{self._remote.branch}")

    def fetch_missing(self, ids: Iterable[str]) -> None:
        """Fetch those of some objects that a partial clone left out.

        Raises ``StorageError`` if the remote cannot be reached.
        """
        # Here no remote is configured to fetch a missing object from by itself.
        names = "".join(f"{name}\n" for name in ids).encode()
        listed = self._git("cat-file", "--batch-check", stdin=names).decode()
        rows = (row.split(" ") for row in listed.splitlines())
        missing = [words[0] for words in rows if words[-1] == "missing"]
        if missing:
            args = ("--quiet", "--no-tags", "--no-write-fetch-head")
            self._git("fetch", *args, "--", self._remote.url, *missing)

    def push(self, commit: str) -> "Rejection | None":
        """Push a commit; return why the remote refused it, None if it did not.

        Raises ``StorageError`` if the remote cannot be reached.
        """
        spec = f"{commit}:{_FETCHED}{self._remote.branch}"
        args = ("--porcelain", "--no-verify", "--no-signed", "--no-progress")
        done = self._attempt("push", *args, "--", self._remote.push_url, spec)
        if not done.returncode:
            return None
        match = _REFUSED.search(done.stdout.decode("utf-8", "backslashreplace"))
        if match is None:
            raise gitrun.failure("push", done.stderr)
        return Rejection(match[1], _server_lines(done.stderr))

    def _prepare(self) -> None:
        objects = gitrun.run(self._repo.top, "rev-parse", "--git-path", "objects")
        place = self._repo.top / os.fsdecode(objects.rstrip(b"\n"))
        head = gitrun.verify(self._repo.top, "HEAD") or ""
        form = "sha256" if len(head) == 64 else "sha1"
        self._own = {"GIT_ALLOW_PROTOCOL": _PROTOCOLS, **_users()}
        args = ("init", "--quiet", "--bare", "--template=", f"--object-format={form}")
        gitrun.run(self._top, *args, extra=self._own)
        # Set explicitly, it is used without searching the folders around it.
        self._own["GIT_DIR"] = str(self._top)
        self._own["GIT_OBJECT_DIRECTORY"] = str(place.resolve())

    def _have(self) -> None:
        """Announce the objects that are here, so that only the rest is sent."""
        for number, name in enumerate(("HEAD", self._remote.tracking)):
            commit = gitrun.verify(self._repo.top, f"{name}^{{commit}}")
            if commit:
                self._git("update-ref", f"refs/have/{number}", commit)

    def _verify(self, name: str) -> str | None:
        done = self._attempt("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        commit = done.stdout.decode("ascii", "replace").strip()
        return commit if gitrun.ID.fullmatch(commit) else None

    def _git(self, *args: str, stdin: bytes = b"") -> bytes:
        done = self._attempt(*args, stdin=stdin)
        if done.returncode:
            raise gitrun.failure(args[0], done.stderr)
        return done.stdout

    def _attempt(self, *args: str, stdin: bytes = b"") -> "gitrun.Done":
        return gitrun.attempt(
            self._top,
            *(*_OPTIONS, *args),
            stdin=stdin,
            extra=self._own,
            seconds=limits.REMOTE_SECONDS,
        )


def _server_lines(stderr: bytes) -> tuple[str, ...]:
    """Return the first lines that the remote's own programs wrote."""
    lines = stderr.decode("utf-8", "backslashreplace").splitlines()
    own = (
        line.removeprefix(_REMOTE).strip() for line in lines if line.startswith(_REMOTE)
    )
    return tuple(line[:_LINE_CHARS] for line in own if line)[:_SERVER_LINES]


def _users() -> dict[str, str]:
    return {name: os.environ[name] for name in _USER_VARIABLES if name in os.environ}
