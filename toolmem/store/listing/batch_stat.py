"""Read the stamps of many files at once, on Linux.

``os.stat`` makes an object of twenty numbers for each file, which takes as long as the
kernel does. Here the C library writes them into one buffer, whose layout is the same on
these machines, and whole columns of it are copied.
"""

import _thread
import ctypes
import os
import sys
from array import array
from collections.abc import Callable
from contextlib import suppress
from itertools import repeat, starmap

from toolmem.store.listing import stamps

_MACHINES = "x86_64", "aarch64"
_BYTES = 120
"""Distance of two files: of the ``struct stat`` of one, up to 144 bytes long, the next
overwrites only what is reserved."""
_WORDS = _BYTES // 4
_PLACES = (2, 3, 12, 26, 28, 22, 24)
"""Columns of stamps in ``struct stat``, in words of 32 bits."""
_NOT_FOLLOWED = 0x100
_FOLDER_FLAGS = getattr(os, "O_PATH", 0) | getattr(os, "O_DIRECTORY", 0)


def open_batch() -> "BatchStat | None":
    """Return a reader of stamps, if there can be one here."""
    names = sys.getfilesystemencoding()
    if (sys.platform, sys.byteorder, names) != ("linux", "little", "utf-8"):
        return None
    if os.uname().machine not in _MACHINES or sys.maxsize >> 32 == 0:
        return None
    try:
        # A process without other threads keeps the interpreter's lock, and may change
        # its working folder: each saves a twentieth of the time.
        if _thread._count():
            return BatchStat(ctypes.CDLL(None).fstatat)
        return BatchStatInside(ctypes.PyDLL(None).lstat)
    except (OSError, AttributeError):
        return None


class BatchStat:
    """Reads stamps into a buffer that is used again."""

    def __init__(self, function: Callable[..., int]) -> None:
        """Take the function of the C library."""
        self._function = function
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
            if not self._read(folder, some):
                return None
            end = _WORDS * len(some)
            columns = [self._words[place:end:_WORDS] for place in _PLACES]
            blocks.append(stamps.of_columns(columns))
        return b"".join(blocks)

    def _read(self, folder: int, names: list[bytes]) -> bool:
        # ``zip`` and ``starmap`` use one tuple again; ``map`` makes one each time.
        flags = repeat(_NOT_FOLLOWED)
        asked = zip(repeat(folder), names, self._places, flags, strict=False)
        return not any(starmap(self._function, asked))


class BatchStatInside(BatchStat):
    """Reads stamps from inside each folder, for a process without other threads."""

    def _read(self, folder: int, names: list[bytes]) -> bool:
        try:
            home = os.open(os.curdir, _FOLDER_FLAGS)
        except OSError:
            return False
        try:
            os.fchdir(home)  # fails, before anything else, if there is no way back
            os.fchdir(folder)
            asked = zip(names, self._places, strict=False)
            return not any(starmap(self._function, asked))
        except OSError:
            return False
        finally:
            with suppress(OSError):
                os.fchdir(home)
            os.close(home)
