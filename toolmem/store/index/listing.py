"""List files with their stamps, without reading them, folder by folder.

A folder with the stamp that it had when it was listed has the same names. Its files are
compared one by one nevertheless, since an edit in place changes no time of a folder.
"""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from functools import partial
from pathlib import Path
from struct import Struct
from types import MappingProxyType
from typing import NamedTuple

from toolmem.errors import NoVaultError
from toolmem.store.files.folders import USE_DESCRIPTORS

_FOLDER_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)


class Depth(IntEnum):
    """Depth of the check of a folder that was listed before."""

    FOLDER = 1
    FILES = 2


class FolderListing(NamedTuple):
    """Files of one folder: their names, by name, and their stamps in that order.

    ``stamp`` is that of the folder, read before the names; without one the names are
    listed each time. ``folders`` are the names of the folders in it that were entered.
    """

    path: str
    names: bytes = b""
    stamps: bytes = b""
    stamp: bytes = b""
    folders: bytes = b""

    def paths(self) -> list[str]:
        """Return the paths of the files."""
        prefix = f"{self.path}/" if self.path else ""
        return [prefix + name for name in from_bytes(self.names)]

    def same_files(self, other: "FolderListing") -> bool:
        """Return True if another listing has the same names and stamps."""
        return self is other or (
            self.names == other.names and self.stamps == other.stamps
        )


class FileListing:
    """Files of a vault in the order of a walk, which is the same each time.

    ``unreadable`` are folders that could not be listed: data about the files in them is
    not changed. ``taken`` is the time before the first folder was listed, in ns of the
    monotonic clock.
    """

    def __init__(
        self, folders: Iterable[FolderListing], unreadable: Iterable[str], taken: int
    ) -> None:
        self.folders = tuple(folders)
        self.unreadable = tuple(unreadable)
        self.taken = taken

    @property
    def paths(self) -> list[str]:
        """Paths of all files."""
        return [path for folder in self.folders for path in folder.paths()]

    @property
    def count(self) -> int:
        """Number of files."""
        return sum(count_stamps(folder.stamps) for folder in self.folders)


Known = Mapping[str, FolderListing]
"""Listings made before, by path."""
NOTHING_KNOWN: Known = MappingProxyType({})


def every_file(path: str) -> Depth:
    """Check every file of a folder."""
    del path
    return Depth.FILES


def walk(
    root: Path,
    wanted: Callable[[str], bool],
    enter: Callable[[str], bool],
    known: Known = NOTHING_KNOWN,
    depth: Callable[[str], Depth] = every_file,
) -> FileListing:
    """List the regular files below ``root`` for which ``wanted(path)`` is true.

    Folders are entered if ``enter(path)`` is true; links are not followed. ``depth`` is
    asked for each folder before it is looked at. Raises ``NoVaultError`` if ``root`` is
    gone.
    """
    if not root.is_dir():
        raise NoVaultError(f"{root}: no such folder")
    taken = time.monotonic_ns()
    listings: list[FolderListing] = []
    unreadable: list[str] = []
    waiting = [""]
    while waiting:
        path = waiting.pop()
        before = known.get(path)
        try:
            with _OpenFolder(root, path) as folder:
                before = folder.listing(before, wanted, enter, depth(path))
        except FileNotFoundError:
            continue
        except OSError:
            unreadable.append(path)
            continue
        listings.append(before)
        prefix = f"{path}/" if path else ""
        waiting += [prefix + name for name in from_bytes(before.folders)]
    return FileListing(listings, unreadable, taken)


class _OpenFolder:
    """A folder below the vault's root, open by descriptor where that is possible."""

    def __init__(self, root: Path, path: str) -> None:
        self._path = path
        self._place = f"{root}{os.sep}{path}" if path else str(root)
        # The vault itself may be a link.
        follow = 0 if not path else getattr(os, "O_NOFOLLOW", 0)
        self._fd = (
            os.open(self._place, _FOLDER_FLAGS | follow) if USE_DESCRIPTORS else None
        )

    def __enter__(self) -> "_OpenFolder":
        return self

    def __exit__(self, *_: object) -> None:
        if self._fd is not None:
            os.close(self._fd)

    def listing(
        self,
        before: FolderListing | None,
        wanted: Callable[[str], bool],
        enter: Callable[[str], bool],
        depth: Depth,
    ) -> FolderListing:
        """List the files; the names are as ``before`` if the folder has that stamp."""
        stamp = stamp_of_folder(self._stat())
        if before is None or before.stamp != stamp:
            names, folders = map(to_bytes, self._names(wanted, enter))
        elif depth == Depth.FOLDER:
            return before
        else:
            names, folders = before.names, before.folders
        try:
            stamps = self._stamps(names)
        except FileNotFoundError:
            names = to_bytes(filter(self._is_there, from_bytes(names)))
            stamps = self._stamps(names)
        if before is not None and (before.stamp, before.stamps) == (stamp, stamps):
            return before
        return FolderListing(self._path, names, stamps, stamp, folders)

    @property
    def _handle(self) -> int | str:
        return self._place if self._fd is None else self._fd

    def _stat(self) -> os.stat_result:
        return Path(self._place).stat() if self._fd is None else os.fstat(self._fd)

    def _names(
        self, wanted: Callable[[str], bool], enter: Callable[[str], bool]
    ) -> tuple[list[str], list[str]]:
        """Return the names of the files wanted, and of the folders to enter."""
        names, folders = [], []
        prefix = f"{self._path}/" if self._path else ""
        with os.scandir(self._handle) as entries:
            for entry in entries:
                name = entry.name
                if entry.is_file(follow_symlinks=False):
                    if wanted(prefix + name):
                        names.append(name)
                elif entry.is_dir(follow_symlinks=False) and enter(prefix + name):
                    folders.append(name)
        return sorted(names), sorted(folders)

    def _stamps(self, data: bytes) -> bytes:
        names = from_bytes(data)
        if self._fd is None:
            names = [f"{self._place}{os.sep}{name}" for name in names]
        lstat = partial(os.stat, dir_fd=self._fd, follow_symlinks=False)
        return stamps_of_files(map(lstat, names))

    def _is_there(self, name: str) -> bool:
        try:
            self._stamps(to_bytes([name]))
        except FileNotFoundError:
            return False
        return True


def to_bytes(names: Iterable[str]) -> bytes:
    """Encode names or paths; they may contain any bytes but NUL, which ends each."""
    return "".join(f"{name}\0" for name in names).encode("utf-8", "surrogateescape")


def from_bytes(data: bytes) -> list[str]:
    """Decode names or paths."""
    return data.decode("utf-8", "surrogateescape").split("\0")[:-1]


_STAMP = Struct("<QQQQ")
STAMP_BYTES = _STAMP.size
_LOW = (1 << 64) - 1
_BEFORE_1970 = 1 << 63
"""Times from here on, in the year 2262, are those of a time before 1970."""


def stamps_of_files(statuses: Iterable[os.stat_result]) -> bytes:
    """Return the stamps of files."""
    return b"".join(
        _stamp(status.st_ino, status.st_size, status.st_ctime_ns, status.st_mtime_ns)
        for status in statuses
    )


def stamp_of_folder(status: os.stat_result) -> bytes:
    """Return the stamp of a folder."""
    return _stamp(status.st_ino, status.st_dev, status.st_ctime_ns, status.st_mtime_ns)


def _stamp(inode: int, size: int, renewed: int, changed: int) -> bytes:
    return _STAMP.pack(inode & _LOW, size & _LOW, renewed & _LOW, changed & _LOW)


def count_stamps(stamps: bytes) -> int:
    """Return the number of files."""
    return len(stamps) // STAMP_BYTES


def split_stamps(stamps: bytes) -> list[bytes]:
    """Return the stamp of each file."""
    return [stamps[at : at + STAMP_BYTES] for at in range(0, len(stamps), STAMP_BYTES)]


def times_of_stamps(stamps: bytes) -> list[int]:
    """Return the time of the last change of each file, in ns."""
    return [max(map(_signed, row[2:])) for row in _STAMP.iter_unpack(stamps)]


def _signed(time: int) -> int:
    return time if time < _BEFORE_1970 else time - _LOW - 1


def is_on_device(stamp: bytes, device: int) -> bool:
    """Return True if a folder is on a device; on none if that is negative."""
    return int(_STAMP.unpack(stamp)[1]) == device
