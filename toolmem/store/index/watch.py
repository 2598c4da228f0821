"""Let the kernel say which folders have changed.

inotify queues an event before the call that made the change returns: events that are
read at the beginning of a question show everything done before it. A library that
delivers events in a thread of its own cannot promise that. Not reported are writes of
other machines to a network drive, so that only file systems of this one are watched;
and writes through a memory map or through a hard link outside of the folders.
"""

import os
import re
from pathlib import Path

from toolmem.store.files.folders import real_path

_LOCAL = frozenset(
    "bcachefs btrfs ext2 ext3 ext4 f2fs jfs overlay ramfs tmpfs xfs zfs".split()
)
_MOUNTS = Path("/proc/self/mountinfo")
_ESCAPED = re.compile(rb"\\([0-7]{3})")


class NoWatchError(Exception):
    """Changes here are not reported."""


class FolderWatch:
    """A watch of folders below a root, added one by one."""

    def __init__(self, root: Path) -> None:
        """Raises ``NoWatchError`` if none is possible, ``OSError`` at a limit."""
        self._root = root
        self._place = real_path(str(root.absolute()))
        self._identity = _identity(self._place)
        if not is_local(self._place):
            raise NoWatchError("a file system of another machine")
        try:
            from inotify_simple import INotify, flags
        except ImportError as error:
            raise NoWatchError("no inotify") from error
        self._inotify = INotify(nonblocking=True)
        self._flags = flags
        self._paths: dict[int, str] = {}
        self._watched: set[str] = set()

    def __contains__(self, path: str) -> bool:
        return path in self._watched

    def close(self) -> None:
        """End the watch."""
        self._inotify.close()

    def add(self, path: str) -> None:
        """Watch a folder: changes from now on are reported. Raises ``OSError``."""
        f = self._flags
        changes = f.MODIFY | f.ATTRIB | f.CREATE | f.DELETE | f.MOVED_FROM | f.MOVED_TO
        mask = changes | f.DELETE_SELF | f.MOVE_SELF | f.ONLYDIR | f.DONT_FOLLOW
        place = f"{self._place}{os.sep}{path}" if path else self._place
        self._paths[self._inotify.add_watch(place, mask)] = path
        self._watched.add(path)

    def changed(self) -> set[str] | None:
        """Return the folders that changed since the last call; None if any may have."""
        f = self._flags
        lost = f.MOVE_SELF | f.UNMOUNT | f.Q_OVERFLOW
        # A process in a deleted folder keeps the watch of it, when another of that name
        # may be there.
        gone = f.MOVED_FROM | f.MOVED_TO | f.DELETE
        found: set[str] = set()
        for event in self._inotify.read(timeout=0):
            if event.mask & lost or (event.mask & f.ISDIR and event.mask & gone):
                return None
            path = self._paths.get(event.wd)
            if path is not None:
                found.add(path)
            if event.mask & f.IGNORED:
                self._watched.discard(self._paths.pop(event.wd, ""))
        # It may have been replaced by way of a folder above, which is not watched.
        here = real_path(str(self._root.absolute()))
        same = here == self._place and _identity(here) == self._identity
        return found if same and "" in self._watched else None


def is_local(place: str, mounts: Path = _MOUNTS) -> bool:
    """Return True for a folder on one file system that only this machine writes to."""
    try:
        lines = mounts.read_bytes().splitlines()
    except OSError:
        return False
    kind = ""
    longest = -1
    for line in lines:
        words = line.split()
        at = words.index(b"-") if b"-" in words else len(words)
        if at + 1 >= len(words):
            continue
        point = os.fsdecode(_ESCAPED.sub(lambda m: bytes([int(m[1], 8)]), words[4]))
        if point.startswith(f"{place}/"):
            return False
        above = point if point == "/" else f"{point}/"
        if f"{place}/".startswith(above) and len(point) >= longest:
            kind, longest = os.fsdecode(words[at + 1]), len(point)
    return kind in _LOCAL


def _identity(place: str) -> tuple[int, int] | None:
    try:
        found = Path(place).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
