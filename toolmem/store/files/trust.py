"""Recognise folders that the user trusts.

A path is not enough: another clone may be at the same path tomorrow. So a trusted
folder gets a mark, a random word in a place that no clone, branch or pull can write:
git's own folder or, without git, the folder's local state. The user's settings have the
path and the mark. All worktrees of a repository share its mark and count as its main
one.
"""

import os
import re
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from toolmem.errors import InvalidFileError, StorageError
from toolmem.store.files.layout import STATE

TRUST = "trust"
"""Key of the user's settings with a table for each trusted folder."""
_MARK_FILE = "toolmem-trust"
_MARK_BYTES = 16
_MOST_BYTES = 4096
_MARK = re.compile(rf"[0-9a-f]{{{2 * _MARK_BYTES}}}")


class TrustedFolder(NamedTuple):
    """A folder that the user trusts, and the mark by which it is recognised."""

    folder: str
    mark: str


def trusted_folders(table: dict[str, Any], origin: str) -> tuple[TrustedFolder, ...]:
    """Remove the ``[[trust]]`` tables from the user's settings and return them.

    Raises ``InvalidFileError`` for tables of another shape.
    """
    value = table.pop(TRUST, [])
    keys = set(TrustedFolder._fields)
    for entry in value if isinstance(value, list) else [value]:
        is_table = isinstance(entry, dict) and entry.keys() == keys
        if not is_table or not all(isinstance(entry[key], str) for key in keys):
            raise InvalidFileError(
                origin, 0, f"[[{TRUST}]]: expected the texts folder and mark"
            )
    return tuple(TrustedFolder(each["folder"], each["mark"]) for each in value)


class Identity(NamedTuple):
    """The path that represents a folder, and the file that has its mark."""

    folder: str
    mark_file: Path


def identity_of(folder: Path) -> Identity:
    """Return the identity of a folder, in the main worktree if it is in another one.

    Links on the way to the folder are followed; ``.git`` itself must not be one.
    """
    real = folder.resolve()
    checkout = checkout_of(real)
    if checkout is None:
        return Identity(str(real), real / STATE / _MARK_FILE)
    place = checkout.main / real.relative_to(checkout.top)
    return Identity(str(place), checkout.common / _MARK_FILE)


class Checkout(NamedTuple):
    """A repository as it is checked out around a folder.

    ``top`` is the worktree, ``main`` the main one (or the bare repository) and
    ``common`` the repository's own folder.
    """

    top: Path
    main: Path
    common: Path


def checkout_of(real: Path) -> Checkout | None:
    """Return the checkout that a folder without links is in, without running git."""
    for top in (real, *real.parents):
        git = top / ".git"
        try:
            mode = git.lstat().st_mode
        except OSError:
            continue
        if stat.S_ISDIR(mode) and (git / "HEAD").is_file():
            return Checkout(top, top, git)
        if stat.S_ISREG(mode):
            common = _common_folder(git)
            if common is None:
                return None
            main = common.parent if common.name == ".git" else common
            return Checkout(top, main, common)
    return None


def _common_folder(git: Path) -> Path | None:
    """Return the repository's own folder for the ``.git`` file of a linked worktree.

    Anyone can write such a file, so the repository must name the worktree, too.
    """
    administration = _path_in(git, "gitdir:")
    if administration is None:
        return None
    common = _path_in(administration / "commondir")
    back = _path_in(administration / "gitdir")
    if common is None or administration.parent != common / "worktrees":
        return None
    return common if back == git.resolve() else None


def _path_in(file: Path, key: str = "") -> Path | None:
    """Return the path in a file of git, relative to the file's folder."""
    text = _text(file)
    if not text.startswith(key) or not text.removeprefix(key).strip():
        return None
    try:
        return (file.parent / text.removeprefix(key).strip()).resolve()
    except (OSError, ValueError, RuntimeError):
        return None


def _text(file: Path) -> str:
    """Return the beginning of a small regular file; empty if it cannot be read."""
    with suppress(OSError, UnicodeDecodeError):
        if stat.S_ISREG(file.lstat().st_mode):
            with file.open("rb") as opened:
                return opened.read(_MOST_BYTES).decode()
    return ""


def is_trusted(folder: Path, trusted: Sequence[TrustedFolder]) -> bool:
    """Return True if the user trusts exactly this folder."""
    if not trusted:
        return False
    identity = identity_of(folder)
    marks = [entry.mark for entry in trusted if entry.folder == identity.folder]
    return bool(marks) and read_mark(identity) in marks


def read_mark(identity: Identity) -> str:
    """Return the current mark of a folder, or an empty text."""
    mark = _text(identity.mark_file).strip()
    return mark if _MARK.fullmatch(mark) else ""


def write_mark(identity: Identity, known: Iterable[str]) -> str:
    """Mark a folder; an existing one of the ``known`` marks stays.

    Raises ``StorageError`` if the folder cannot be written.
    """
    mark = read_mark(identity)
    if mark and mark in known:
        return mark
    mark, file = os.urandom(_MARK_BYTES).hex(), identity.mark_file
    try:
        if file.parent.name == STATE:
            file.parent.mkdir(0o700, exist_ok=True)
            ignore = file.parent / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n", encoding="ascii")
        with suppress(FileNotFoundError):
            file.unlink()
        fd = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(fd, "w", encoding="ascii") as opened:
            opened.write(mark + "\n")
    except OSError as error:
        raise StorageError(
            f"{file}: {error.strerror}; a folder that cannot be marked cannot be "
            "trusted"
        ) from error
    return mark
