"""Fetch and push without trusting the repository's configuration.

The commands run in a private, empty repository that uses the vault's objects. Of the
clone's own configuration only the address of the remote is taken, as data. The user's
own settings (credentials, ssh, proxies) apply as usual. A remote in a folder on this
machine probably came with the vault: its hooks and helpers are disabled as well.
"""

import os
import re
import shlex
import tempfile
from collections.abc import Mapping
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
_SCP = re.compile(r"[^/\\]{2,}:")
"""``host:path``; a single letter is a drive of Windows."""
_TRANSPORT = re.compile(r"[A-Za-z0-9+.-]+::")


class Remote(NamedTuple):
    """Shared branch: the remote's name, its addresses, and the branch there."""

    name: str
    url: str
    push_url: str
    branch: str

    @property
    def label(self) -> str:
        """Short name, such as ``origin/main``."""
        return f"{self.name}/{self.branch}"

    @property
    def tracking(self) -> str:
        """Ref of the last fetched commit."""
        return f"refs/remotes/{self.name}/{self.branch}"


def current_branch(repo: Repo) -> str:
    """Return the branch that is checked out; raise ``UsageError`` without one."""
    found = gitrun.attempt(repo.top, "symbolic-ref", "--quiet", "HEAD").stdout
    name = os.fsdecode(found.strip())
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
    name = next((one for one in candidates if one in names), "")
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
    return Remote(name, _address(repo, url), _address(repo, push), shared)


def _names(repo: Repo) -> list[str]:
    args = ("config", "--null", "--name-only", "--get-regexp", r"^remote\..*\.url$")
    output = gitrun.attempt(repo.top, *args).stdout
    keys = (os.fsdecode(key) for key in output.split(b"\0") if key)
    return list(dict.fromkeys(key[len("remote.") : -len(".url")] for key in keys))


def _get(repo: Repo, key: str) -> str:
    found = gitrun.attempt(repo.top, "config", "--null", "--get", key).stdout
    return os.fsdecode(found.partition(b"\0")[0])


def _address(repo: Repo, url: str) -> str:
    if not url or url.startswith("-") or _TRANSPORT.match(url):
        raise StorageError(f"{url!r} is not an address that toolmem can fetch from")
    if not is_local(url) or url.startswith("file://"):
        return url
    return str(repo.top / Path(url).expanduser())


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
        self._folder = tempfile.TemporaryDirectory(prefix="toolmem-")
        self._top = Path(self._folder.name)

    def __enter__(self) -> Self:
        try:
            self._prepare()
        except BaseException:
            self._folder.cleanup()
            raise
        return self

    def __exit__(self, *_: object) -> None:
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
        pack = self._local(self._remote.url, "upload-pack")
        self._git("fetch", *args, *pack, "--", self._remote.url, spec)
        return self._verify(f"{_FETCHED}{self._remote.branch}")

    def push(self, commit: str) -> bool:
        """Push a commit; False if someone else pushed first.

        Raises ``StorageError`` if the remote refuses it for another reason.
        """
        spec = f"{commit}:{_FETCHED}{self._remote.branch}"
        pack = self._local(self._remote.push_url, "receive-pack")
        args = ("--porcelain", "--no-verify", "--no-signed", *pack)
        done = self._attempt("push", *args, "--", self._remote.push_url, spec)
        if not done.returncode:
            return True
        output = (done.stdout + done.stderr).decode("utf-8", "backslashreplace")
        if _LATE.search(output):
            return False
        rejections = [line for line in output.splitlines() if line[:1] == "!"]
        raise gitrun.failure(
            "push", rejections[0].encode() if rejections else done.stderr
        )

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
        found = done.stdout.decode("ascii", "replace").strip()
        return found if gitrun.ID.fullmatch(found) else None

    def _git(self, *args: str) -> bytes:
        done = self._attempt(*args)
        if done.returncode:
            raise gitrun.failure(args[0], done.stderr)
        return done.stdout

    def _attempt(self, *args: str) -> "gitrun.Done":
        return gitrun.attempt(
            self._top, *_OPTIONS, *args, extra=self._own, seconds=limits.REMOTE_SECONDS
        )

    def _local(self, url: str, program: str) -> tuple[str, ...]:
        """Return the option that starts a local remote's side, restricted."""
        if not is_local(url):
            return ()
        switches = {
            "core.hooksPath": "/dev/null",
            "core.fsmonitor": "false",
            "core.alternateRefsCommand": "exit 0;",
            "receive.denyCurrentBranch": "refuse",
            "receive.autogc": "false",
            "gc.auto": "0",
            **_named_hooks(url),
        }
        words = [
            f"-c {shlex.quote(f'{key}={value}')}" for key, value in switches.items()
        ]
        own = "GIT_ALLOW_PROTOCOL=none GIT_NO_LAZY_FETCH=1"
        return (f"--{program}={own} git {' '.join(words)} {program}",)


def _named_hooks(url: str) -> Mapping[str, str]:
    """Return the switches that disable hooks in a local remote's configuration."""
    place = Path(url.removeprefix("file://"))
    for folder in (place, place / ".git", place.with_name(f"{place.name}.git")):
        config = folder / "config"
        if config.is_file():
            args = ("config", "--file", str(config), "--null", "--name-only")
            listed = gitrun.attempt(folder, *args, "--get-regexp", r"^hook\.").stdout
            keys = [os.fsdecode(key) for key in listed.split(b"\0") if key]
            names = {k[len("hook.") : k.rindex(".")] for k in keys if k.count(".") > 1}
            return {f"hook.{name}.enabled": "false" for name in sorted(names)}
    return {}


def _users() -> dict[str, str]:
    return {name: os.environ[name] for name in _USER_VARIABLES if name in os.environ}
