"""List files with their stamps, without reading them, folder by folder.

A folder with the stamp that it had when it was listed has the same names. Its files are
compared one by one nevertheless, since an edit in place changes no time of a folder.
"""

import os
import sys
import time
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from functools import partial
from itertools import chain
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType

from toolmem.core.named_tuple import NamedTuple
from toolmem.errors import NoVaultError
from toolmem.hints import TypeVar
from toolmem.store.files.folders import USE_DESCRIPTORS
from toolmem.store.index import batch_stat

T = TypeVar("T")
WIDTH = 4
"""Numbers in a stamp: size, mtime_ns, ctime_ns, inode; of a folder, device, mtime_ns,
ctime_ns, inode."""
STAMP_BYTES = 8 * WIDTH
_OF_FILE = attrgetter("st_size", "st_mtime_ns", "st_ctime_ns", "st_ino")
_OF_FOLDER = attrgetter("st_dev", "st_mtime_ns", "st_ctime_ns", "st_ino")
_BITS = 0x7FFF_FFFF_FFFF_FFFF
_MANY = 4_000
"""Files from which on loading what stats them in batches pays."""
_FOLDER_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)


class Depth(IntEnum):
    """Depth of the check of a folder that was listed before."""

    NOTHING = 0
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
        self,
        paths: Iterable[str],
        stamps: "array[int]",
        unreadable: tuple[str, ...] = (),
    ) -> None:
        """Take paths relative to the vault, and their stamps one after the other."""
        names: dict[str, list[str]] = {}
        by_folder: dict[str, array[int]] = {}
        for at, path in enumerate(paths):
            folder, _, name = path.rpartition("/")
            names.setdefault(folder, []).append(name)
            here = by_folder.setdefault(folder, array("q"))
            here.extend(stamps[at * WIDTH : (at + 1) * WIDTH])
        self.folders = tuple(
            FolderListing(path, to_bytes(inside), stamps_to_bytes(by_folder[path]))
            for path, inside in names.items()
        )
        self.unreadable = unreadable
        self.taken = time.monotonic_ns()

    @classmethod
    def of(
        cls, folders: Iterable[FolderListing], unreadable: Iterable[str], taken: int
    ) -> "FileListing":
        """Return the listing of these folders."""
        listing = cls((), array("q"), tuple(unreadable))
        listing.folders = tuple(folders)
        listing.taken = taken
        return listing

    @property
    def paths(self) -> list[str]:
        """Paths of all files."""
        return [path for folder in self.folders for path in folder.paths()]

    @property
    def stamps(self) -> "array[int]":
        """Stamps of all files, one after the other."""
        return stamps_from_bytes(b"".join(folder.stamps for folder in self.folders))

    @property
    def count(self) -> int:
        """Number of files."""
        return sum(len(folder.stamps) for folder in self.folders) // STAMP_BYTES

    def stamp(self, at: int) -> tuple[int, ...]:
        """Return the stamp of the file at a position."""
        return tuple(self.stamps[at * WIDTH : (at + 1) * WIDTH])


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
    found: list[FolderListing] = []
    unreadable: list[str] = []
    batch = _batch_for(known)
    waiting = [""]
    while waiting:
        path = waiting.pop()
        before = known.get(path)
        try:
            checks = depth(path)
            if before is None or checks != Depth.NOTHING:
                with _OpenFolder(root, path, batch) as folder:
                    before = folder.listing(before, wanted, enter, checks)
        except FileNotFoundError:
            continue
        except OSError:
            unreadable.append(path)
            continue
        found.append(before)
        prefix = f"{path}/" if path else ""
        waiting += [prefix + name for name in from_bytes(before.folders)]
    return FileListing.of(found, unreadable, taken)


def _batch_for(known: Known) -> "batch_stat.BatchStat | None":
    if sum(len(one.stamps) for one in known.values()) < _MANY * STAMP_BYTES:
        return None
    try:
        return batch_stat.open_batch()
    except ImportError:  # a Python without ctypes
        return None


class _OpenFolder:
    """A folder below the vault's root, open by descriptor where that is possible."""

    def __init__(
        self, root: Path, path: str, batch: "batch_stat.BatchStat | None" = None
    ) -> None:
        self._path = path
        self._batch = batch
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
        stamp = _stamps(_OF_FOLDER, os.stat, [self._handle])
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
        if self._batch is not None and self._fd is not None:
            found = self._batch.stamps(self._fd, data.split(b"\0")[:-1])
            if found is not None:
                return found
        names = from_bytes(data)
        if self._fd is None:
            names = [f"{self._place}{os.sep}{name}" for name in names]
        lstat = partial(os.stat, dir_fd=self._fd, follow_symlinks=False)
        return _stamps(_OF_FILE, lstat, names)

    def _is_there(self, name: str) -> bool:
        try:
            self._stamps(to_bytes([name]))
        except FileNotFoundError:
            return False
        return True


def _stamps(
    numbers: Callable[[os.stat_result], tuple[int, ...]],
    stat: Callable[[T], os.stat_result],
    targets: Sequence[T],
) -> bytes:
    found = chain.from_iterable(map(numbers, map(stat, targets)))
    try:
        return stamps_to_bytes(array("q", found))
    except OverflowError:
        # Inodes have 64 bits and more on some systems; an array has 63.
        found = chain.from_iterable(map(numbers, map(stat, targets)))
        fitting = (n if -_BITS <= n <= _BITS else n & _BITS for n in found)
        return stamps_to_bytes(array("q", fitting))


def to_bytes(names: Iterable[str]) -> bytes:
    """Encode names or paths; they may contain any bytes but NUL, which ends each."""
    return "".join(f"{name}\0" for name in names).encode("utf-8", "surrogateescape")


def from_bytes(data: bytes) -> list[str]:
    """Decode names or paths."""
    return data.decode("utf-8", "surrogateescape").split("\0")[:-1]


def stamps_to_bytes(stamps: "array[int]") -> bytes:
    """Encode stamps; numbers are little-endian."""
    if sys.byteorder == "big":
        stamps = array("q", stamps)
        stamps.byteswap()
    return stamps.tobytes()


def stamps_from_bytes(data: bytes) -> "array[int]":
    """Decode stamps."""
    stamps = array("q")
    stamps.frombytes(data)
    if sys.byteorder == "big":
        stamps.byteswap()
    return stamps
