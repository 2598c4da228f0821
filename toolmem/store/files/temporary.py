"""Temporary files that writers left in a vault when they died."""

import time
from collections.abc import Iterator
from pathlib import Path

from toolmem.core import limits
from toolmem.store.files import durable, folders
from toolmem.store.files.folders import Folder


def old_ones(root: Path) -> list[str]:
    """The paths of temporary files that are over an hour old."""
    base = folders.open_root(root)
    try:
        return sorted(_inside(base, "", time.time() - limits.TEMP_SECONDS))
    finally:
        base.close()


def _inside(folder: Folder, path: str, oldest: float) -> Iterator[str]:
    for name, found in durable.temps(folder):
        if found.st_mtime < oldest:
            yield f"{path}{name}"
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
            continue  # gone, or not to be entered: check tells
        try:
            yield from _inside(child, f"{path}{name}/", oldest)
        finally:
            child.close()
