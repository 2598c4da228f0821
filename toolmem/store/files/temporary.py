"""Temporary files that writers left in a vault when they died."""

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from toolmem.core import limits
from toolmem.store.files import durable, folders
from toolmem.store.files.folders import Folder


class _TemporaryFile(NamedTuple):
    folder: Folder
    name: str
    path: str
    changed: float


def old_ones(root: Path) -> list[str]:
    """Return the paths of temporary files that are over an hour old."""
    oldest = time.time() - limits.TEMP_SECONDS
    base = folders.open_root(root)
    try:
        return sorted(file.path for file in _inside(base, "") if file.changed < oldest)
    finally:
        base.close()


def remove(root: Path) -> None:
    """Remove every temporary file of a vault that this process has locked.

    Local state is left out: it is written without the lock.
    """
    base = folders.open_root(root)
    try:
        with suppress(OSError):
            for file in _inside(base, ""):
                durable.forget(file.folder, file.name)
    finally:
        base.close()


def _inside(folder: Folder, path: str) -> Iterator[_TemporaryFile]:
    for name, status in durable.temps(folder):
        yield _TemporaryFile(folder, name, f"{path}{name}", status.st_mtime)
    with folders.scan(folder) as entries:
        names = [
            entry.name
            for entry in entries
            if entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")
        ]
    for name in names:
        try:
            child = folders.open_child(folder, name)
        except OSError:
            continue  # gone or unreadable: `check` reports it
        try:
            yield from _inside(child, f"{path}{name}/")
        finally:
            child.close()
