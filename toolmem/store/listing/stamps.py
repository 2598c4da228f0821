"""Stamps of files: numbers that change when a file does.

The stamps of several files are columns of numbers, as the kernel has them: all inodes,
then all sizes, and so on; of many files, blocks of such columns. They are compared as a
whole; only those of a folder that differs are looked at one by one.
"""

import os
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any

BLOCK = 512
"""Files of a block: their numbers fit into the processor's cache."""
_COLUMNS = 7
"""Inode, in two halves; size, of a folder the device; seconds and nanoseconds of ctime,
and of mtime. Of each number the low 32 bits."""
STAMP_BYTES = 4 * _COLUMNS
_LOW = 0xFFFF_FFFF
_BEFORE_1970 = 0xE000_0000
"""Seconds from here on, in the year 2089, are those of a time before 1970."""
_OF_FILE = attrgetter("st_ino", "st_size", "st_ctime_ns", "st_mtime_ns")
_OF_FOLDER = attrgetter("st_ino", "st_dev", "st_ctime_ns", "st_mtime_ns")
_SECOND = 10**9


def of_files(found: Iterable[os.stat_result]) -> bytes:
    """Return the stamps of files."""
    numbers = map(_OF_FILE, found)
    return b"".join(map(_block, iter(lambda: tuple(islice(numbers, BLOCK)), ())))


def of_folder(found: os.stat_result) -> bytes:
    """Return the stamp of a folder."""
    return _block([_OF_FOLDER(found)])


def _block(numbers: Iterable[tuple[Any, ...]]) -> bytes:
    inodes, sizes, renewed, changed = zip(*numbers, strict=True)
    columns = ([n & _LOW for n in inodes], [n >> 32 & _LOW for n in inodes])
    times = (*_seconds_and_rest(renewed), *_seconds_and_rest(changed))
    return of_columns(map(_array, (*columns, [n & _LOW for n in sizes], *times)))


def _seconds_and_rest(times: Sequence[int]) -> tuple[list[int], list[int]]:
    return [t // _SECOND & _LOW for t in times], [t % _SECOND for t in times]


def _array(numbers: Iterable[int]) -> "array[int]":
    return array("I", numbers)


def of_columns(columns: "Iterable[array[int]]") -> bytes:
    """Return a block made of seven columns of numbers; they are little-endian."""
    return b"".join(map(_swapped, columns))


def _swapped(numbers: "array[int]") -> "array[int]":
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _blocks(stamps: bytes) -> "Iterator[list[array[int]]]":
    """Yield the columns of each block, as they are stored."""
    for start in range(0, len(stamps), BLOCK * STAMP_BYTES):
        block = array("I", stamps[start : start + BLOCK * STAMP_BYTES])
        size = len(block) // _COLUMNS
        yield [block[at : at + size] for at in range(0, len(block), size)]


def count(stamps: bytes) -> int:
    """Return the number of files."""
    return len(stamps) // STAMP_BYTES


def split(stamps: bytes) -> list[bytes]:
    """Return the stamp of each file."""
    rows = b"".join(map(_rows, _blocks(stamps)))
    return [rows[at : at + STAMP_BYTES] for at in range(0, len(rows), STAMP_BYTES)]


def _rows(columns: "Sequence[array[int]]") -> "array[int]":
    rows = array("I", bytes(STAMP_BYTES * len(columns[0])))
    for at, column in enumerate(columns):
        rows[at::_COLUMNS] = column
    return rows


def join(each: Sequence[bytes]) -> bytes:
    """Return the stamps of files that have these stamps."""
    joined = []
    for start in range(0, len(each), BLOCK):
        rows = array("I", b"".join(each[start : start + BLOCK]))
        joined += [rows[at::_COLUMNS] for at in range(_COLUMNS)]
    return b"".join(joined)


def times(stamps: bytes) -> list[int]:
    """Return the time of the last change of each file, in ns."""
    found: list[int] = []
    for columns in _blocks(stamps):
        numbers = [*map(_swapped, columns[3:])]
        found += map(max, _times(*numbers[:2]), _times(*numbers[2:]))
    return found


def _times(seconds: Sequence[int], rest: Sequence[int]) -> list[int]:
    return [
        (s if s < _BEFORE_1970 else s - _LOW - 1) * _SECOND + ns
        for s, ns in zip(seconds, rest, strict=True)
    ]


def is_on(stamp: bytes, device: int) -> bool:
    """Return True if a folder is on a device; on none if that is negative."""
    here = int.from_bytes(stamp[8:12], "little")
    return device >= 0 and here == device & _LOW
