"""Write files outside the vault: settings of other programs, with backups.

Other programs own them: a link is followed to its file, the mode stays, and a backup of
the previous content exists until it is restored.
"""

import hashlib
import json
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from toolmem.errors import InvalidFileError, StorageError
from toolmem.store.files import private
from toolmem.store.files.settings import state_folder

_NEW_FILE = 0o644
_NEW_FOLDER = _PROGRAM = 0o755
_BINARY = getattr(os, "O_BINARY", 0)
_OF_SYSTEM = (("dev",), ("proc",))


def read_text(path: Path) -> str | None:
    """Return the text of a file, or None."""
    try:
        return path.read_bytes().decode()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError as error:
        raise InvalidFileError(str(path), 0, "is not UTF-8 text") from error
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}") from error


def missing_folders(path: Path) -> tuple[str, ...]:
    """Return the folders that writing a file would make, innermost first."""
    return tuple(
        str(parent) for parent in path.resolve().parents if not parent.exists()
    )


def require_folder(path: Path) -> None:
    """Raise ``StorageError`` if the folder of a file that a user named is missing.

    That is more often a typo than a request for a new folder.
    """
    folder = path.resolve().parent
    if not folder.exists():
        raise StorageError(f"no such folder: {folder}; create it first")


def write_text(
    path: Path, text: str, *, secret: bool = False, program: bool = False
) -> None:
    """Write a file whole: a reader sees the old text or the new one.

    An existing file keeps its mode; a new one is writable by its owner only, and a
    ``secret`` one also readable by its owner only. Everybody can run a ``program``.
    Raises ``StorageError``.
    """
    write_bytes(path, text.encode(), secret=secret, program=program)


def write_bytes(
    path: Path, data: bytes, *, secret: bool = False, program: bool = False
) -> None:
    """Do the same with bytes; a device or pipe is written into, never replaced."""
    if is_stream(path):
        _write_into(path, data)
        return
    target = path.resolve()
    temp = target.with_name(f".{target.name}.toolmem-{os.getpid()}")
    try:
        _make_folders(target.parent)
        mode = target.stat().st_mode & 0o7777 if target.exists() else None
        # The temporary file must not be readable by more users than the old one.
        first = private.FILE_MODE if secret or mode is not None else _NEW_FILE
        fd = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, first)
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temp.chmod(mode & private.FILE_MODE if secret else mode)
        if program:
            temp.chmod(_PROGRAM)
        temp.replace(target)
    except OSError as error:
        with suppress(OSError):
            temp.unlink(missing_ok=True)
        raise StorageError(f"{path}: {error.strerror}") from error


def is_stream(path: Path) -> bool:
    """Return True for a device, a pipe, or a name of an open file (``/dev/stdout``)."""
    try:
        mode = path.stat().st_mode
        is_open = path.is_symlink() and path.parent.resolve().parts[1:2] in _OF_SYSTEM
    except (OSError, ValueError):
        return False
    return is_open or not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _write_into(path: Path, data: bytes) -> None:
    try:
        fd = os.open(path, os.O_WRONLY | os.O_APPEND | _BINARY)
        with os.fdopen(fd, "wb") as file:
            file.write(data)
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}") from error


def _make_folders(folder: Path) -> None:
    """Make missing folders, writable by their owner only, whatever the umask."""
    if folder.is_relative_to(state_folder()):
        private.make_folder(folder)
    for above in reversed((folder, *folder.parents)):
        if not above.exists():
            with suppress(FileExistsError):
                above.mkdir(_NEW_FOLDER)


def link(path: Path, target: Path) -> None:
    """Make a link to a program, in place of an older one, if the disk allows it."""
    temp = path.with_name(f".{path.name}.toolmem-{os.getpid()}")
    if path.absolute() != target:
        with suppress(OSError):
            _make_folders(path.parent)
            temp.unlink(missing_ok=True)
            temp.symlink_to(target)
            temp.replace(path)


def remove(path: Path, made: Iterable[str] = ()) -> None:
    """Delete a file, and those of the folders ``made`` for it that are empty.

    A link to it stays.
    """
    try:
        path.resolve().unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}") from error
    # Folders with other files stay.
    with suppress(OSError):
        for folder in made:
            Path(folder).rmdir()


class Backup(NamedTuple):
    """Content of a file ``before`` our change (None: no file) and ``after`` it, and the
    folders made for it."""

    before: str | None
    after: str
    made: tuple[str, ...] = ()


def keep_backup(path: Path, backup: Backup) -> None:
    """Store a backup of a file."""
    document = {"path": str(path), **backup._asdict()}
    # It may contain credentials of the other program.
    write_text(_backup(path), json.dumps(document, indent=1), secret=True)


def read_backup(path: Path) -> Backup | None:
    """Return the backup of a file, or None."""
    try:
        document = json.loads(_backup(path).read_text(encoding="utf-8"))
        before, after = document["before"], document["after"]
        made = tuple(map(str, document["made"]))
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    if not isinstance(after, str) or not isinstance(before, str | None):
        return None
    return Backup(before, after, made)


def drop_backup(path: Path) -> None:
    """Delete the backup of a file."""
    with suppress(OSError):
        _backup(path).unlink(missing_ok=True)


def _backup(path: Path) -> Path:
    name = hashlib.sha256(str(path.absolute()).encode("utf-8", "replace")).hexdigest()
    return state_folder() / "agents" / f"{name[:16]}.json"
