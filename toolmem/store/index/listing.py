"""List files with their stamps, without reading them."""

import os
from array import array
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from toolmem.errors import NoVaultError

_BY_NAME = attrgetter("name")
WIDTH = 4
"""Numbers in a stamp: size, mtime_ns, ctime_ns, inode."""


class FileListing(NamedTuple):
    """Paths relative to the vault, and their stamps one after the other.

    ``unreadable`` are folders that could not be listed: data about the files in them is
    not changed.
    """

    paths: list[str]
    stamps: "array[int]"
    unreadable: tuple[str, ...] = ()

    def stamp(self, at: int) -> tuple[int, ...]:
        """Return the stamp of the file at a position."""
        return tuple(self.stamps[at * WIDTH : (at + 1) * WIDTH])


def walk(
    root: Path, wanted: Callable[[str], bool], enter: Callable[[str], bool]
) -> FileListing:
    """List the regular files below ``root`` for which ``wanted(path)`` is true.

    Folders are entered if ``enter(path)`` is true; links are not followed. The order is
    the same each time. Raises ``NoVaultError`` if ``root`` is gone.
    """
    if not root.is_dir():
        raise NoVaultError(f"{root}: no such folder")
    paths: list[str] = []
    stamps = array("q")
    unreadable: list[str] = []
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(root / folder) as entries:
                found = sorted(entries, key=_BY_NAME)
        except FileNotFoundError:
            continue
        except OSError:
            unreadable.append(folder)
            continue
        prefix = f"{folder}/" if folder else ""
        for entry in found:
            path = prefix + entry.name
            if entry.is_file(follow_symlinks=False):
                if wanted(path):
                    try:
                        _add(stamps, entry.stat(follow_symlinks=False))
                    except FileNotFoundError:
                        continue
                    paths.append(path)
            elif entry.is_dir(follow_symlinks=False) and enter(path):
                waiting.append(path)
    return FileListing(paths, stamps, tuple(unreadable))


def _add(stamps: "array[int]", found: os.stat_result) -> None:
    inode = found.st_ino
    stamps.extend(
        (
            found.st_size,
            found.st_mtime_ns,
            found.st_ctime_ns,
            # Windows has inodes of 64 bits and more; an array has 63.
            inode & 0x7FFF_FFFF_FFFF_FFFF,
        )
    )
