"""Open folders and files inside a vault name by name, never through a link.

Each name is opened relative to the folder before it, so that a folder cannot be
replaced with a link between a check and its use. Where the platform cannot do that
(Windows), each name is checked first and compared with what was opened. The functions
raise plain ``OSError``.
"""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from toolmem.core import limits
from toolmem.errors import InvalidFileError, NoVaultError, StorageError

SHORTAGES = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)
"""Errors that concern this process rather than the file."""

if sys.platform == "win32":
    READ = os.O_RDONLY | os.O_BINARY
    CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_BINARY
    UPDATE = os.O_RDWR | os.O_BINARY
    _ROOT = _FOLDER = os.O_RDONLY
    _LINK_TAGS = (stat.IO_REPARSE_TAG_SYMLINK, stat.IO_REPARSE_TAG_MOUNT_POINT)
else:
    # Without O_NONBLOCK, opening a FIFO waits for a writer.
    _SAFE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
    READ = os.O_RDONLY | _SAFE
    CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFE
    UPDATE = os.O_RDWR | _SAFE
    _ROOT = os.O_RDONLY | os.O_DIRECTORY
    _FOLDER = _ROOT | _SAFE

USE_DESCRIPTORS = (
    sys.platform != "win32"
    and {os.open, os.stat, os.mkdir, os.link, os.unlink} <= os.supports_dir_fd
    and os.scandir in os.supports_fd
)
"""True if folders are used by descriptor, False for checked paths on Windows."""

_REASONS = {
    errno.ELOOP: "is a symbolic link, and links inside a vault are not followed",
    errno.EISDIR: "is a folder, not a file",
    errno.ENOTDIR: "is a file, not a folder",
    errno.ENXIO: "is not a regular file",
}
_PIECE = 1 << 24
_GIT_FOLDERS = (".git", "git~1")


class Folder(NamedTuple):
    """An open folder: a descriptor, or only its path where there are none."""

    path: str
    fd: int | None

    def at(self, name: str) -> str:
        """Return the path for a system call with ``dir_fd=fd``."""
        return name if self.fd is not None else f"{self.path}{os.sep}{name}"

    def close(self) -> None:
        """Close the descriptor, ignoring errors."""
        if self.fd is not None:
            with suppress(OSError):
                os.close(self.fd)


def split(path: str) -> tuple[str, ...]:
    """Return the names of a vault-relative path; the vault itself ("") has none.

    Raises ``InvalidFileError`` for a path that leaves the vault, reaches into git's own
    folder, or cannot be a path at all.
    """
    if not path:
        return ()
    if _has_plain_names(path) and path.count("/") < limits.PATH_DEPTH:
        return tuple(path.split("/"))
    folder, slash, name = path.rpartition("/")
    above = _names(folder) if slash else ()
    if above is not None and len(above) >= limits.PATH_DEPTH:
        raise InvalidFileError(path, 0, f"is more than {limits.PATH_DEPTH} levels deep")
    if above is None or not is_plain(name):
        raise InvalidFileError(path, 0, "is not a path inside the vault")
    return (*above, name)


@lru_cache(maxsize=1024)
def _names(folder: str) -> tuple[str, ...] | None:
    """Return the names of a folder's path; None for a path outside a vault."""
    names = tuple(folder.split("/"))
    deep = len(names) >= limits.PATH_DEPTH  # too deep, whatever the names are
    return names if deep or all(map(is_plain, names)) else None


def _has_plain_names(path: str) -> bool:
    """Return True if all names are plain by a look at the whole path.

    It says so of nearly all paths, in a fraction of the time that their names take, and
    of none that has a name that is not.
    """
    return (
        path.isascii()
        and path[0] not in "./"
        and path[-1] != "/"
        and "/." not in path
        and "//" not in path
        and "~" not in path
        and "\0" not in path
        and sys.platform != "win32"
    )


def is_plain(name: str) -> bool:
    """Return True for a valid name inside a vault, other than git's own folder."""
    if name in ("", ".", "..") or "\0" in name:
        return False
    if name.rstrip(". ").casefold() in _GIT_FOLDERS:
        return False
    if sys.platform != "win32" and name.isascii():
        return True
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        return False
    return sys.platform != "win32" or not set(name) & set("\\:")


def open_root(root: Path) -> Folder:
    """Open the vault's own folder, which may itself be reached through links.

    Raises ``NoVaultError`` if it does not exist, ``StorageError`` otherwise.
    """
    path = str(root)
    try:
        if USE_DESCRIPTORS:
            return Folder(path, os.open(path, _ROOT))
        if not stat.S_ISDIR(root.stat().st_mode):
            raise NotADirectoryError
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NoVaultError(f"{path}: no such folder") from error
    except OSError as error:
        raise StorageError(f"{path}: {reason(error)}") from error
    return Folder(path, None)


def scan(folder: Folder) -> AbstractContextManager[Iterator[os.DirEntry[str]]]:
    """List the folder, unordered."""
    return os.scandir(folder.path if folder.fd is None else folder.fd)


def open_child(parent: Folder, name: str) -> Folder:
    """Open the folder ``name``; ``ELOOP`` for a link, ``ENOTDIR`` for a file."""
    path = f"{parent.path}{os.sep}{name}"
    if parent.fd is None:
        status = os.lstat(path)
        if is_link(status) or not stat.S_ISDIR(status.st_mode):
            raise _error(errno.ELOOP if is_link(status) else errno.ENOTDIR)
        return Folder(path, None)
    try:
        return Folder(path, os.open(name, _FOLDER, dir_fd=parent.fd))
    except NotADirectoryError as error:
        # Linux also reports this for a link to a folder.
        if is_link(os.stat(name, dir_fd=parent.fd, follow_symlinks=False)):
            raise _error(errno.ELOOP) from error
        raise


def open_file(parent: Folder, name: str) -> tuple[int, os.stat_result]:
    """Open a regular file; ``ELOOP``, ``EISDIR`` or ``ENXIO`` for other kinds."""
    before = None
    if parent.fd is None:
        before = os.lstat(parent.at(name))
        require_regular(before)
    fd = os.open(parent.at(name), READ, dir_fd=parent.fd)
    try:
        status = os.fstat(fd)
        require_regular(status)
        if before is not None and not os.path.samestat(before, status):
            raise _error(errno.ELOOP)
    except BaseException:
        os.close(fd)
        raise
    return fd, status


def read_open(fd: int, size: int, limit: int) -> bytes:
    """Read a file that was ``size`` bytes long; ``EFBIG`` above the limit."""
    if size > limit:
        raise _error(errno.EFBIG)
    data = os.read(fd, size + 1)
    if len(data) == size:
        return data
    # It grew or shrank after it was opened, or the read was short.
    parts = [data]
    got = len(data)
    while data and got <= limit:
        data = os.read(fd, min(limit + 1 - got, _PIECE))
        parts.append(data)
        got += len(data)
    if got > limit:
        raise _error(errno.EFBIG)
    return b"".join(parts)


def require_regular(status: os.stat_result) -> None:
    """Raise ``ELOOP``, ``EISDIR`` or ``ENXIO`` for anything but a regular file."""
    if stat.S_ISREG(status.st_mode) and not is_link(status):
        return
    if is_link(status):
        raise _error(errno.ELOOP)
    raise _error(errno.EISDIR if stat.S_ISDIR(status.st_mode) else errno.ENXIO)


def is_link(status: os.stat_result) -> bool:
    """Return True for a link, or its equivalents on Windows."""
    if sys.platform == "win32":
        return status.st_reparse_tag in _LINK_TAGS
    return stat.S_ISLNK(status.st_mode)


def real_path(path: str) -> str:
    """Resolve the links of an absolute path, as far as it exists; other texts are
    returned unchanged."""
    try:
        return os.path.realpath(path) if Path(path).is_absolute() else path
    except (OSError, ValueError):
        return path


def reason(error: OSError) -> str:
    """Describe an error of the system in a few words."""
    if error.errno is None:
        return str(error) or type(error).__name__
    return why(error.errno)


def why(number: int) -> str:
    """Describe an error number for a name in a vault."""
    return _REASONS.get(number) or os.strerror(number)


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def read_text(path: Path, *, follow: bool) -> str:
    """Return the text of a file; its size is checked before it is read.

    Raises ``InvalidFileError`` for a file that is too large, not regular, not UTF-8 or
    not readable, and for a link unless ``follow``; ``StorageError`` if this process
    lacks the resources to read any file.
    """
    try:
        return _read(path.resolve() if follow else path).decode()
    except UnicodeDecodeError as error:
        raise InvalidFileError(str(path), 0, "is not UTF-8 text") from error
    except (OSError, RuntimeError, NoVaultError, StorageError) as error:
        refused = error if isinstance(error, OSError) else error.__cause__
        if isinstance(refused, OSError) and refused.errno in SHORTAGES:
            raise StorageError(f"{path}: {reason(refused)}") from error
        raise InvalidFileError(str(path), 0, f"cannot be read: {error}") from error


def _read(path: Path) -> bytes:
    folder = open_root(path.parent)
    try:
        fd, status = open_file(folder, path.name)
        try:
            return read_open(fd, status.st_size, limits.TEXT_FILE_BYTES)
        finally:
            os.close(fd)
    except OSError as error:
        why = reason(error)
        if error.errno == errno.EFBIG:
            why = f"is larger than {limits.TEXT_FILE_BYTES} bytes"
        raise StorageError(why) from error
    finally:
        folder.close()
