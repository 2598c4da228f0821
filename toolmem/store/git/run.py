"""Run git so that nothing in a repository can start a program.

A repository's own configuration is data that came with the vault. Monitors and hooks
are disabled for every command; hooks named in the configuration (git 2.54 and later)
one by one where a command could run them. Lazy fetching is forbidden, and of ``GIT_*``
only author and committer are inherited: inside a hook of another repository those
variables refer to that one. Callers must use plumbing commands only, and no filter or
text conversion.
"""

import os
import re
import select
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import IO

from toolmem.core import limits
from toolmem.errors import StorageError

ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
"""Full id of an object."""

_OPTIONS = (
    "--no-pager",
    "--literal-pathspecs",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "safe.bareRepository=explicit",
    "-c",
    "i18n.commitEncoding=UTF-8",
    # A name derived from the host's would be committed and pushed.
    "-c",
    "user.useConfigOnly=true",
)
_ENVIRONMENT = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    # A missing object of a partial clone would be fetched with the program that the
    # repository's configuration names; older git knows only the second variable.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
}
_IDENTITY = frozenset(
    f"GIT_{who}_{what}"
    for who in ("AUTHOR", "COMMITTER")
    for what in ("NAME", "EMAIL", "DATE")
)
_MESSAGE_CHARS = 300
_PIECE = 1 << 16
_OPERATIONS = {
    "MERGE_HEAD": ("merge", "git commit"),
    "rebase-merge": ("rebase", "git rebase --continue"),
    "rebase-apply": ("rebase", "git rebase --continue"),
    "CHERRY_PICK_HEAD": ("cherry-pick", "git cherry-pick --continue"),
    "REVERT_HEAD": ("revert", "git revert --continue"),
}
"""Files in git's folder that show an operation in progress, and how to end it."""

_SIGNERS = {
    "gpg.openpgp.program": "gpg",
    "gpg.x509.program": "gpgsm",
    "gpg.ssh.program": "ssh-keygen",
    "gpg.ssh.defaultKeyCommand": "false",
}
"""Programs that make signatures, and git's defaults; the last one finds no key."""

Done = subprocess.CompletedProcess[bytes]
"""Exit code and output of a git command."""


def command(top: Path, *args: str) -> list[str]:
    """Return the argument list of one git command in the repository at ``top``.

    Raises ``StorageError`` if git is not installed.
    """
    return [_program(), *_OPTIONS, "-C", str(top), *args]


def environment(top: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a git command: ours with the switches, and of ``GIT_*``
    only author, committer and dates."""
    variables = {
        name: value
        for name, value in os.environ.items()
        if not name.upper().startswith("GIT_") or name in _IDENTITY
    }
    # A broken .git must not lead git to a repository further up.
    ceiling = {"GIT_CEILING_DIRECTORIES": str(top.parent)}
    return variables | _ENVIRONMENT | ceiling | dict(extra or {})


def run(
    top: Path,
    *args: str,
    stdin: bytes = b"",
    extra: Mapping[str, str] | None = None,
) -> bytes:
    """Run one git command and return its output.

    Raises ``StorageError`` with git's first line if it fails.
    """
    done = attempt(top, *args, stdin=stdin, extra=extra)
    if done.returncode:
        raise failure(args[0], done.stderr)
    return done.stdout


def attempt(
    top: Path,
    *args: str,
    stdin: bytes = b"",
    extra: Mapping[str, str] | None = None,
    seconds: float = limits.GIT_SECONDS,
) -> Done:
    """Run one git command that may fail; the caller reads the exit code.

    Raises ``StorageError`` if git cannot be run or exceeds the time limit.
    """
    try:
        return subprocess.run(
            command(top, *args),
            env=environment(top, extra),
            input=stdin or None,
            stdin=None if stdin else subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise StorageError(f"git {args[0]}: no answer within {seconds:g} s") from error
    except (OSError, ValueError) as error:
        raise StorageError(f"git {args[0]}: cannot be run: {error}") from error


def stream(top: Path, *args: str, stdin: bytes = b"") -> Iterator[bytes]:
    """Run one git command and yield its output in pieces, which may be a lot.

    Raises ``StorageError`` as ``run`` does.
    """
    process = _started(top, args)
    errors: list[bytes] = []
    # Neither pipe may fill up while the output is read.
    others = (
        Thread(target=_write, args=(process.stdin, stdin), daemon=True),
        Thread(target=_read, args=(process.stderr, errors), daemon=True),
    )
    with process:
        for thread in others:
            thread.start()
        try:
            while process.stdout and (piece := _piece(process.stdout, args[0])):
                yield piece
        except BaseException:  # also that no more is asked for
            process.kill()
            raise
        finally:
            for thread in others:
                thread.join()
    if process.returncode:
        raise failure(args[0], b"".join(errors))


def _started(top: Path, args: Sequence[str]) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(
            command(top, *args),
            env=environment(top),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except (OSError, ValueError) as error:
        raise StorageError(f"git {args[0]}: cannot be run: {error}") from error


def _write(stream: IO[bytes] | None, data: bytes) -> None:
    with suppress(OSError):  # git ended before it had read all
        if stream is not None:
            with stream:
                stream.write(data)


def _read(stream: IO[bytes] | None, chunks: list[bytes]) -> None:
    if stream is not None:
        chunks.append(stream.read())


def _piece(output: IO[bytes], name: str) -> bytes:
    if not is_ready(output.fileno()):
        raise StorageError(f"git {name}: no answer within {limits.GIT_SECONDS:g} s")
    return os.read(output.fileno(), _PIECE)


def is_ready(fd: int) -> bool:
    """Wait until a pipe can be read; return False if that takes too long."""
    if sys.platform == "win32":  # Windows cannot poll a pipe
        return True
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(limits.GIT_SECONDS * 1000))


def verify(top: Path, name: str) -> str | None:
    """Return the id of the object that the name refers to, None without one.

    Raises ``StorageError`` if git refuses the repository itself.
    """
    if "\0" in name:
        return None
    args = ("--verify", "--quiet", "--end-of-options", name)
    done = attempt(top, "rev-parse", *args)
    if done.returncode > 1:
        run(top, "rev-parse", "--git-dir")
    object_id = done.stdout.decode("ascii", "replace").strip()
    return object_id if ID.fullmatch(object_id) else None


def operation(top: Path) -> str:
    """Describe the operation in progress and the command that ends it; "" if none.

    For example ``in the middle of a merge: end it with `git commit```.
    """
    args = [word for name in _OPERATIONS for word in ("--git-path", name)]
    places = run(top, "rev-parse", *args).split(b"\n")
    for (name, end), place in zip(_OPERATIONS.values(), places, strict=False):
        if place and (top / os.fsdecode(place)).exists():
            return f"in the middle of a {name}: finish it with `{end}`"
    return ""


def user_setting(key: str) -> str | None:
    """Return a setting of the user or the system, never one of a repository."""
    for place in ("--global", "--system"):
        done = attempt(Path.home(), "config", place, "--null", "--get", key)
        if not done.returncode:
            return os.fsdecode(done.stdout.partition(b"\0")[0])
    return None


def is_set(top: Path, key: str, *, default: bool = False) -> bool:
    """Return a truth value of the configuration."""
    answer = attempt(top, "config", "--type=bool", "--get", key).stdout.strip()
    return answer == b"true" if answer else default


def signing(top: Path) -> dict[str, str]:
    """Return the variables with which git signs with programs of the user alone."""
    programs = {key: _own(top, key) or own for key, own in _SIGNERS.items()}
    other = _own(top, "gpg.program")
    if other and not _own(top, "gpg.openpgp.program"):
        programs["gpg.openpgp.program"] = other
    return _settings([*programs.items()])


def _own(top: Path, key: str) -> str:
    """Return a setting of the user or the system that applies to a repository."""
    args = ("config", "--show-scope", "--null", "--get-all", key)
    fields = iter(os.fsdecode(attempt(top, *args).stdout).split("\0"))
    pairs = zip(fields, fields, strict=False)
    values = [value for scope, value in pairs if scope in ("global", "system")]
    return values[-1] if values else ""


def hooks_off(top: Path) -> dict[str, str]:
    """Return the variables that disable every hook in the configuration."""
    names = _named(top, "hook")
    return _settings([(f"hook.{name}.enabled", "false") for name in names])


def exact_status(top: Path) -> dict[str, str]:
    """Return the variables for commands that compare files with git's index.

    They run no filter, and no setting of the vault makes them overlook a change.
    """
    off = (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
    filters = _named(top, "filter")
    pairs = [(f"filter.{name}.{key}", v) for name in filters for key, v in off]
    strict = [("core.checkStat", "default"), ("core.trustctime", "true")]
    return {"GIT_WORK_TREE": str(top), **_settings([*pairs, *strict])}


def _named(top: Path, section: str) -> list[str]:
    """Return the names in the configuration's sections of this kind."""
    args = ("config", "--null", "--name-only", "--get-regexp", rf"^{section}\.")
    keys = [os.fsdecode(key) for key in attempt(top, *args).stdout.split(b"\0") if key]
    return sorted(
        {k[len(section) + 1 : k.rindex(".")] for k in keys if k.count(".") > 1}
    )


def _settings(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the variables that set these keys for one command."""
    keys = {f"GIT_CONFIG_KEY_{i}": key for i, (key, _) in enumerate(pairs)}
    values = {f"GIT_CONFIG_VALUE_{i}": value for i, (_, value) in enumerate(pairs)}
    return {"GIT_CONFIG_COUNT": str(len(pairs)), **keys, **values}


def failure(name: str, stderr: bytes) -> StorageError:
    """Return the error for a failed git command, with the first line of its message."""
    lines = stderr.decode("utf-8", "backslashreplace").splitlines()
    text = next((line for line in lines if line.strip()), "failed without a message")
    text = text.removeprefix("fatal: ").removeprefix("error: ")
    return StorageError(f"git {name}: {text[:_MESSAGE_CHARS]}")


def is_installed() -> bool:
    """Return True if git is installed."""
    return _find_program() is not None


def _program() -> str:
    program = _find_program()
    if program is None:
        raise StorageError("git is not installed: install it to use a vault's history")
    return program


def _find_program() -> str | None:
    """Return the full path of git on PATH, never one in the working folder."""
    name = "git.exe" if os.name == "nt" else "git"
    for folder in os.get_exec_path():
        path = Path(folder) / name
        if path.is_absolute() and os.access(path, os.X_OK) and path.is_file():
            return str(path)
    return None
