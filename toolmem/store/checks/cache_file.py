"""File of cached results: read as a whole, replaced as a whole, disposable.

It has a line of JSON about the folders, then the names and stamps of their files. Data
of another version of toolmem, or of Python, is not used.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from toolmem.errors import LockedError, StorageError
from toolmem.store.files import layout, lock
from toolmem.store.index import exclusive
from toolmem.store.listing import checked_file
from toolmem.store.listing.listing import FolderListing

_FORMAT = 5
_NAME = "check"
_PACKAGE = Path(__file__).parents[2]
_NO_WAIT = 0.0


class FolderRecord(NamedTuple):
    """A folder as it was checked.

    ``kinds`` are those of its files, or the one that all have. ``problems`` are those
    of names and entries; ``unsure`` are names of files to read again whatever their
    stamps, ``results`` those of files with anything to record, by name.
    """

    listing: FolderListing
    kinds: str | list[str] = ""
    problems: tuple[tuple[Any, ...], ...] = ()
    unsure: tuple[str, ...] = ()
    results: Mapping[str, Mapping[str, Any]] = {}


def cache_path(root: Path) -> Path:
    """Return the path of the cache of a vault."""
    return root / layout.STATE / f"{_NAME}.cache"


@contextmanager
def locked(root: Path) -> Iterator[int | None]:
    """Lock the cache; yields the file system's current time in ns.

    None if the vault's state cannot be written, or another process writes it.
    """
    with ExitStack() as stack:
        now = None
        with suppress(OSError, LockedError, StorageError):
            lock.prepare_state(root)
            place = root / layout.STATE / f"{_NAME}.lock"
            held = exclusive.locked(place, _NO_WAIT, "checking the vault")
            now = stack.enter_context(held)
        yield now


def read(root: Path) -> dict[str, FolderRecord]:
    """Return the records by folder; empty without a cache that can be used."""
    try:
        with exclusive.opened(cache_path(root)) as file:
            return dict(_records(*checked_file.read(file, _key())))
    except (OSError, ValueError, TypeError, KeyError, IndexError):
        return {}


def _records(
    about: Iterable[Any], groups: Iterable[list[bytes]]
) -> Iterator[tuple[str, FolderRecord]]:
    for one, parts in zip(about, groups, strict=True):
        path, kinds, problems, unsure, results = one
        found = tuple(map(tuple, problems))
        listing = FolderListing(path, *parts)
        yield path, FolderRecord(listing, kinds, found, tuple(unsure), results)


def write(root: Path, records: Iterable[FolderRecord]) -> None:
    """Replace the cache; one that cannot be written stays as it is."""
    about: list[list[Any]] = []
    groups: list[tuple[bytes, ...]] = []
    for one in records:
        about.append([one.listing.path, *one[1:]])
        groups.append(one.listing[1:])
    pieces = checked_file.pieces(_key(), about, groups)
    with suppress(OSError):
        exclusive.replace(cache_path(root), *pieces)


def _key() -> bytes:
    """Return all that results depend on besides the files."""
    user = os.getuid() if sys.platform != "win32" else 0
    return json.dumps([_FORMAT, sys.version, user, _program(_PACKAGE)]).encode()


def _program(package: Path) -> int:
    """Return a checksum of the program: its version, and its modules by their times."""
    found = []
    folders = [package]
    with suppress(OSError):  # the program is not in a folder
        found.append((package / "__init__.py").read_text(encoding="utf-8"))
        while folders:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.name.endswith(".py"):
                        state = entry.stat()
                        found.append(
                            f"{entry.path} {state.st_size} {state.st_mtime_ns}"
                        )
                    elif entry.is_dir() and entry.name != "__pycache__":
                        folders.append(Path(entry.path))
    return crc32("\n".join(sorted(found)).encode("utf-8", "surrogateescape"))
