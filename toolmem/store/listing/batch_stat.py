"""Read the stamps of many files at once with statx(2), on Linux.

``os.stat`` makes an object of twenty numbers for each file, which takes as long as the
kernel does. Here the C library writes them into one buffer, whose layout is the
kernel's on every machine, and whole columns of it are copied.
"""

import _thread
import ctypes
import sys
from array import array
from collections.abc import Callable
from itertools import repeat, starmap

from toolmem.store.listing import stamps

_BYTES = 128
"""Distance of two files: a half of ``struct statx``. The other half has none of these
numbers, and the file that comes next overwrites it."""
_WORDS = _BYTES // 4
_PLACES = (8, 9, 10, 24, 26, 28, 30)
"""Columns of stamps in ``struct statx``, in words of 32 bits."""
_NOT_FOLLOWED = 0x100
_BASIC_STATS = 0x7FF


def open_batch() -> "BatchStat | None":
    """Return a reader of stamps, if there can be one here."""
    names = sys.getfilesystemencoding()
    if (sys.platform, sys.byteorder, names) != ("linux", "little", "utf-8"):
        return None
    # A process without other threads keeps the interpreter's lock, which is faster.
    library = ctypes.CDLL if _thread._count() else ctypes.PyDLL
    try:
        return BatchStat(library(None).statx)
    except (OSError, AttributeError):
        return None


class BatchStat:
    """Reads stamps into a buffer that is used again."""

    def __init__(self, statx: Callable[..., int]) -> None:
        """Take the function of the C library."""
        self._statx = statx
        size = _BYTES * (stamps.BLOCK + 1)
        self._words = array("I", bytes(size))
        buffer = (ctypes.c_char * size).from_buffer(self._words)
        places = range(0, _BYTES * stamps.BLOCK, _BYTES)
        self._places = [ctypes.byref(buffer, at) for at in places]

    def stamps(self, folder: int, names: list[bytes]) -> bytes | None:
        """Return the stamps of files in a folder that is open; None if one is gone."""
        blocks: list[bytes] = []
        for at in range(0, len(names), stamps.BLOCK):
            some = names[at : at + stamps.BLOCK]
            flags = repeat(_NOT_FOLLOWED), repeat(_BASIC_STATS)
            # ``zip`` and ``starmap`` use one tuple again; ``map`` makes one each time.
            asked = zip(repeat(folder), some, *flags, self._places, strict=False)
            if any(starmap(self._statx, asked)):
                return None
            end = _WORDS * len(some)
            columns = [self._words[place:end:_WORDS] for place in _PLACES]
            blocks.append(stamps.of_columns(columns))
        return b"".join(blocks)
