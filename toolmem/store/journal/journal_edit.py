"""Replace or delete lines of journals in their places."""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from toolmem.errors import NoVaultError, StorageError
from toolmem.store.files import folders
from toolmem.store.files.file_lock import lock_within
from toolmem.store.files.folders import Folder
from toolmem.store.journal import journal, state_places

Change = Callable[[dict[str, Any]], dict[str, Any] | None]
"""A function that returns the new line for a line, None to delete it."""


def edit(root: Path, name: str, change: Change) -> None:
    """Replace lines of a journal that is not being processed; None deletes one.

    A line is overwritten in its place, with blanks behind a shorter one, so that a
    process that dies here spoils no other line. Raises ``StorageError``.
    """
    for place in journal.places(root):
        with (
            suppress(FileNotFoundError, NoVaultError),
            state_places.opened(place) as folder,
        ):
            _edit(folder, name + journal.SUFFIX, change)


def _edit(folder: Folder, file: str, change: Change) -> None:
    fd = os.open(folder.at(file), os.O_RDWR | folders.READ, dir_fd=folder.fd)
    try:
        folders.require_regular(os.fstat(fd))
        if not lock_within(fd, journal.LOCK_SECONDS):
            raise StorageError(f"{file}: is locked by another process")
        at = 0
        for line in journal.read_open(fd).split(b"\n"):
            with suppress(ValueError, RecursionError):
                new = _changed(json.loads(line), change)
                if new is not None and len(new) <= len(line):
                    os.lseek(fd, at, os.SEEK_SET)
                    os.write(fd, new.ljust(len(line)))
            at += len(line) + 1
        os.fsync(fd)
    finally:
        os.close(fd)


def _changed(document: Any, change: Change) -> bytes | None:
    """Return the new bytes of a line, or None if it stays as it is."""
    if not isinstance(document, dict):
        return None
    changed = change(document)
    if changed == document:
        return None
    return b"" if changed is None else json.dumps(changed).encode()
