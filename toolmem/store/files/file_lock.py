"""Lock open files; the system releases the locks when the process ends."""

import os
import sys
import time

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_FAR = 1 << 30
"""Offset of the byte locked on Windows, where a locked byte cannot be read."""
_PAUSE_SECONDS = 0.001


def try_lock(fd: int) -> bool:
    """Lock an open file without waiting; False if another descriptor has the lock.

    Raises ``OSError`` if the file system has no locks.
    """
    try:
        if sys.platform == "win32":
            os.lseek(fd, _FAR, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
            os.lseek(fd, 0, os.SEEK_SET)
        else:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def lock_within(fd: int, seconds: float) -> bool:
    """Lock an open file, waiting at most ``seconds`` for another holder."""
    deadline = time.monotonic() + seconds
    while not try_lock(fd):
        if time.monotonic() >= deadline:
            return False
        time.sleep(_PAUSE_SECONDS)
    return True
