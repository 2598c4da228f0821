"""Stamps of files: bytes that change when a file does.

The stamp of a file has its inode, its size (of a folder the device), and the times of
its last changes of inode and content in ns. Those of several files follow each other.
"""

import os
from collections.abc import Iterable, Sequence
from struct import Struct

_STAMP = Struct("<QQQQ")
STAMP_BYTES = _STAMP.size
_LOW = (1 << 64) - 1
_BEFORE_1970 = 1 << 63
"""Times from here on, in the year 2262, are those of a time before 1970."""


def of_files(found: Iterable[os.stat_result]) -> bytes:
    """Return the stamps of files."""
    return b"".join(
        _stamp(one.st_ino, one.st_size, one.st_ctime_ns, one.st_mtime_ns)
        for one in found
    )


def of_folder(found: os.stat_result) -> bytes:
    """Return the stamp of a folder."""
    return _stamp(found.st_ino, found.st_dev, found.st_ctime_ns, found.st_mtime_ns)


def _stamp(inode: int, size: int, renewed: int, changed: int) -> bytes:
    return _STAMP.pack(inode & _LOW, size & _LOW, renewed & _LOW, changed & _LOW)


def count(stamps: bytes) -> int:
    """Return the number of files."""
    return len(stamps) // STAMP_BYTES


def split(stamps: bytes) -> list[bytes]:
    """Return the stamp of each file."""
    return [stamps[at : at + STAMP_BYTES] for at in range(0, len(stamps), STAMP_BYTES)]


def join(each: Sequence[bytes]) -> bytes:
    """Return the stamps of files that have these stamps."""
    return b"".join(each)


def times(stamps: bytes) -> list[int]:
    """Return the time of the last change of each file, in ns."""
    return [max(map(_signed, row[2:])) for row in _STAMP.iter_unpack(stamps)]


def _signed(time: int) -> int:
    return time if time < _BEFORE_1970 else time - _LOW - 1


def is_on(stamp: bytes, device: int) -> bool:
    """Return True if a folder is on a device; on none if that is negative."""
    return int(_STAMP.unpack(stamp)[1]) == device
