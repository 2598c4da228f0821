"""Steps of a durable write: a temporary file, its name, and what is flushed.

``files`` puts them in order. All raise plain ``OSError``. Temporary files that writers
left when they died are found here, too.
"""

import errno
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from toolmem.core import limits
from toolmem.store.files import folders
from toolmem.store.files.folders import Folder

if sys.platform == "darwin":
    import fcntl

TEMP_PREFIX = ".tmp-"
"""Temporary names begin so, followed by 16 hexadecimal digits."""

_RANDOM_BYTES = 8
_HEX = frozenset("0123456789abcdef")
_NO_HARD_LINKS = (errno.EPERM, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP)


def write_temp(folder: Folder, data: bytes, mode: int | None) -> str:
    """Write and flush a new temporary file; return its name. No mode: by the umask."""
    name = TEMP_PREFIX + os.urandom(_RANDOM_BYTES).hex()
    _write_new(folder, name, data, mode)
    return name


def _write_new(folder: Folder, name: str, data: bytes, mode: int | None) -> None:
    """Write and flush a file that must not exist; remove it on any error."""
    first_mode = 0o666 if mode is None else 0o600
    fd = os.open(folder.at(name), folders.CREATE, first_mode, dir_fd=folder.fd)
    try:
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(fd, rest) :]
            if sys.platform != "win32" and mode is not None:
                os.fchmod(fd, mode)
            _flush(fd)
        finally:
            os.close(fd)
    except BaseException:
        forget(folder, name)
        raise


def link(folder: Folder, temp: str, name: str, data: bytes) -> None:
    """Give the temporary file its name, which must be free.

    ``data`` is its content, for file systems without hard links.
    """
    try:
        os.link(
            folder.at(temp),
            folder.at(name),
            src_dir_fd=folder.fd,
            dst_dir_fd=folder.fd,
            follow_symlinks=os.link not in os.supports_follow_symlinks,
        )
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        # FAT and some network drives: a rename could overwrite.
        _write_new(folder, name, data, None)


def _flush(fd: int) -> None:
    if sys.platform == "darwin":
        try:  # fsync leaves the data in the drive's cache there
            fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
            return
        except OSError as error:
            if error.errno not in (errno.ENOTSUP, errno.EINVAL, errno.ENOTTY):
                raise
    os.fsync(fd)


def flush_folder(folder: Folder) -> None:
    """Make the names in the folder"""
    if folder.fd is None and sys.platform == "win32":
        return  # Windows cannot
    fd = folder.fd if folder.fd is not None else os.open(folder.path, os.O_RDONLY)
    try:
        _flush(fd)
    except OSError as error:
        if error.errno != errno.EINVAL:  # a file system that cannot flush folders
            raise
    finally:
        if folder.fd is None:
            os.close(fd)


def forget(folder: Folder, name: str) -> None:
    """Remove a file of ours if possible."""
    with suppress(OSError):
        os.unlink(folder.at(name), dir_fd=folder.fd)


def temps(folder: Folder) -> Iterator[tuple[str, os.stat_result]]:
    """Yield the temporary files in the folder, with their state."""
    with folders.scan(folder) as entries:
        names = [entry.name for entry in entries if is_temp(entry.name)]
    for name in names:
        with suppress(FileNotFoundError):
            state = os.stat(folder.at(name), dir_fd=folder.fd, follow_symlinks=False)
            if stat.S_ISREG(state.st_mode):
                yield name, state


def is_temp(name: str) -> bool:
    """Return True for the name of an unfinished file."""
    tail = name.removeprefix(TEMP_PREFIX)
    length = len(TEMP_PREFIX) + 2 * _RANDOM_BYTES
    return name.startswith(TEMP_PREFIX) and len(name) == length and set(tail) <= _HEX


class _TemporaryFile(NamedTuple):
    folder: Folder
    name: str
    path: str
    changed: float


def old_ones(root: Path) -> list[str]:
    """Return the paths of temporary files that are over an hour old."""
    oldest = time.time() - limits.TEMP_SECONDS
    base = folders.open_root(root)
    try:
        return sorted(file.path for file in _inside(base, "") if file.changed < oldest)
    finally:
        base.close()


def remove_temporary(root: Path) -> None:
    """Remove every temporary file of a vault that this process has locked.

    Local state is left out: it is written without the lock.
    """
    base = folders.open_root(root)
    try:
        with suppress(OSError):
            for file in _inside(base, ""):
                forget(file.folder, file.name)
    finally:
        base.close()


def _inside(folder: Folder, path: str) -> Iterator[_TemporaryFile]:
    for name, status in temps(folder):
        yield _TemporaryFile(folder, name, f"{path}{name}", status.st_mtime)
    with folders.scan(folder) as entries:
        names = [
            entry.name
            for entry in entries
            if entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")
        ]
    for name in names:
        try:
            child = folders.open_child(folder, name)
        except OSError:
            continue  # gone or unreadable: `check` reports it
        try:
            yield from _inside(child, f"{path}{name}/")
        finally:
            child.close()
