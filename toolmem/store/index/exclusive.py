"""Read and write cache files: one writer at a time, old or new, never half.

Nothing here must survive a power cut: lost data is rebuilt.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from toolmem.errors import LockedError
from toolmem.store.files.file_lock import lock_within
from toolmem.store.files.folders import Folder, open_file


def make_folders(*folders: Path) -> None:
    """Make each folder, for its owner only; raise ``OSError`` also for a link."""
    for folder in folders:
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        if not stat.S_ISDIR(folder.lstat().st_mode):
            raise NotADirectoryError(f"{folder} is not a folder")


@contextmanager
def locked(path: Path, seconds: float, doing: str) -> Iterator[int]:
    """Lock for writing; yields the file system's current time, in ns.

    Raises ``LockedError``, with what the other writer is ``doing``, after ``seconds``.
    """
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    fd = os.open(path, flags, 0o600)
    try:
        if not lock_within(fd, seconds):
            raise LockedError(f"another toolmem is {doing}")
        os.utime(fd if os.utime in os.supports_fd else path)
        yield os.fstat(fd).st_mtime_ns
    finally:
        os.close(fd)


def opened(path: Path) -> BinaryIO:
    """Open a file to read it; raise ``OSError`` also for a link or a device.

    Links may come with a cloned vault: one to a device has no end.
    """
    fd, _ = open_file(Folder(str(path.parent), None), path.name)
    return os.fdopen(fd, "rb")


def replace(path: Path, *pieces: bytes) -> None:
    """Replace a file as a whole; for the holder of a lock."""
    temp = path.with_name(f"{path.name}.tmp")
    # A link there, which may have come with the vault, is not followed.
    temp.unlink(missing_ok=True)
    with temp.open("xb") as file:
        file.writelines(pieces)
    temp.replace(path)
