"""Preallocated space for typed messages, used when the disk is full.

The file is one block of line feeds, written in advance. A message overwrites some of
them with one line of JSON, which needs neither free blocks nor a free inode.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from toolmem.errors import ToolmemError
from toolmem.store.files import durable, folders
from toolmem.store.files.file_lock import lock_within
from toolmem.store.files.folders import Folder
from toolmem.store.journal import state_places
from toolmem.store.journal.state_places import Place
from toolmem.store.journal.waiting import BLANK, RESERVE, RESERVE_BYTES

_LOCK_SECONDS = 0.2


def prepare(place: Place) -> bool:
    """Write the empty space of a place if it is missing; False if that fails."""
    try:
        if (place.path / RESERVE).exists():
            return True
        with state_places.opened(place, make=True) as folder:
            _create(folder)
    except (OSError, ToolmemError):
        return False
    return True


def documents(place: Place) -> list[dict[str, Any]]:
    """Return the messages stored here, oldest first."""
    try:
        with (place.path / RESERVE).open("rb") as file:
            data = file.read(RESERVE_BYTES)
    except OSError:
        return []
    return [document for _, _, document in _lines(data)]


def put(place: Place, document: dict[str, Any]) -> bool:
    """Store a message; False if there is no reserve, or no space left in it."""
    line = json.dumps(document, ensure_ascii=False).encode("utf-8", "replace") + BLANK
    try:
        with _locked(place) as fd:
            data = _content(fd)
            start = len(data.rstrip(BLANK)) + 1
            if start + len(line) > len(data):
                return False
            _overwrite(fd, start, line)
    except (OSError, ToolmemError):
        return False
    return True


def move_out(place: Place, move: Callable[[dict[str, Any]], bool]) -> None:
    """Pass each message to ``move`` and blank those that it has stored elsewhere.

    Stops at the first that could not be moved. A process that dies between the two
    steps leaves a message in both places.
    """
    with suppress(OSError, ToolmemError), _locked(place) as fd:
        for start, length, document in _lines(_content(fd)):
            if document and not move(document):
                return
            _overwrite(fd, start, BLANK * length)


def _create(folder: Folder) -> None:
    temp = durable.write_temp(folder, BLANK * RESERVE_BYTES, 0o600)
    try:
        # Another process may have made one and stored a message in it meanwhile.
        with suppress(FileExistsError):
            durable.link(folder, temp, RESERVE, BLANK * RESERVE_BYTES)
    finally:
        durable.forget(folder, temp)
    durable.flush_folder(folder)


@contextmanager
def _locked(place: Place) -> Iterator[int]:
    with state_places.opened(place) as folder:
        fd = os.open(folder.at(RESERVE), folders.UPDATE, dir_fd=folder.fd)
        try:
            folders.require_regular(os.fstat(fd))
            if not lock_within(fd, _LOCK_SECONDS):
                raise BlockingIOError
            yield fd
        finally:
            os.close(fd)


def _content(fd: int) -> bytes:
    size = min(os.fstat(fd).st_size, RESERVE_BYTES)
    os.lseek(fd, 0, os.SEEK_SET)
    return os.read(fd, size)


def _overwrite(fd: int, start: int, data: bytes) -> None:
    os.lseek(fd, start, os.SEEK_SET)
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]
    os.fsync(fd)


def _lines(data: bytes) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Yield offset, length and content of each line; one that was cut off is empty."""
    start = 0
    for line in data.split(BLANK):
        if line:
            document: Any = {}
            with suppress(ValueError, RecursionError):
                document = json.loads(line)
            yield start, len(line), document if isinstance(document, dict) else {}
        start += len(line) + 1
