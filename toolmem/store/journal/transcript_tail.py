"""Read the end of a transcript that an agent is still writing."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from toolmem.store.files.folders import READ

_MOST_BYTES = 4 * 1024 * 1024
"""A hook has little time; a compaction or a turn's calls are close to the end."""


def size_of(path: str) -> int:
    """Return the size of a regular file in bytes; 0 without one."""
    with _opened(path) as (_, size):
        return size


def read_after(path: str, start: int) -> bytes:
    """Return a regular file's content from byte ``start``, at most its last 4 MiB.

    Empty without such a file; all of it if it became shorter than ``start``.
    """
    with _opened(path) as (fd, size):
        if not size:
            return b""
        begin = start if 0 <= start <= size else 0
        begin = max(begin, size - _MOST_BYTES)
        with os.fdopen(os.dup(fd), "rb") as file:
            file.seek(begin)
            return file.read(size - begin)


@contextmanager
def _opened(path: str) -> Iterator[tuple[int, int]]:
    """Yield a file and its size, which is 0 for anything but a readable file."""
    try:
        fd = os.open(path, os.O_RDONLY | READ) if path else -1
    except (OSError, ValueError):
        fd = -1
    try:
        status = os.fstat(fd) if fd >= 0 else None
        regular = status is not None and stat.S_ISREG(status.st_mode)
        yield fd, status.st_size if status and regular else 0
    finally:
        if fd >= 0:
            os.close(fd)
