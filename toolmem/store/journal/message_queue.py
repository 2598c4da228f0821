"""Queue of typed messages for the vault: one file each, claimed by a lock.

A message is stored before it is captured and deleted afterwards, so a process that dies
in between loses nothing. A process that handles a message locks its file; the system
releases the lock with the process, and the message is free again.

Files are in the vault's local state, or in the user's if that cannot be written. If
both disks are full, the message goes into preallocated space (``reserve``).
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from zlib import adler32, crc32

from toolmem.core import limits
from toolmem.errors import StorageError, ToolmemError
from toolmem.store.files import durable, folders
from toolmem.store.files.file_lock import try_lock
from toolmem.store.files.folders import Folder
from toolmem.store.journal import reserve, state_places, waiting
from toolmem.store.journal.state_places import Place

ASIDE = ".failed"
_IDENTITY = ("session", "agent", "cwd", "text")

Document = Mapping[str, Any]


class Claim(NamedTuple):
    """A stored message and the lock on its file, if it has its own."""

    document: Document
    path: Path | None = None
    fd: int = -1

    def finish(self) -> None:
        """Delete the message: it was captured."""
        if self.path is not None:
            if sys.platform == "win32":  # an open file cannot be deleted there
                os.ftruncate(self.fd, 0)
                self.release()
            with suppress(OSError):
                self.path.unlink()
        self.release()

    def set_aside(self) -> None:
        """Store the message without offering it again, because its capture fails."""
        if self.path is not None:
            with suppress(OSError):
                self.path.replace(self.path.with_suffix(ASIDE))
        self.release()

    def release(self) -> None:
        """Release the message for the next process."""
        if self.fd >= 0:
            with suppress(OSError):
                os.close(self.fd)


def add(root: Path, document: Document, *, outside: bool = False) -> Claim | None:
    """Store a message durably and claim it; None if another process handles it.

    The same text in the same session is one message. ``outside`` the vault, it is
    stored in the user's state. Raises ``StorageError`` if no place has free space.
    """
    places = waiting.places(root)[1 if outside else 0 :]
    refused: list[Exception] = []
    for place in places:
        try:
            with state_places.opened(place, make=True) as folder:
                return _stored(folder, place, document)
        except (OSError, ToolmemError) as error:
            refused.append(error)
    for place in places:
        if reserve.put(place, dict(document)):
            return Claim(document)
    raise StorageError(_reason(places[0], refused[0])) from refused[0]


def count(root: Path, is_ours: Callable[[Document], bool]) -> int:
    """Count the messages that wait for a vault, claimed ones included."""
    number = 0
    for place in waiting.places(root):
        documents = [document for _, document in _documents(place)]
        documents += reserve.documents(place)
        number += sum(place.is_of_vault or is_ours(document) for document in documents)
    return number


def claims(root: Path, is_ours: Callable[[Document], bool]) -> Iterator[Claim]:
    """Claim the messages that wait for a vault one by one, oldest first.

    ``is_ours`` selects those of this vault in the user's state. The caller finishes or
    releases each.
    """
    for place in waiting.places(root):
        _empty_reserve(place)
        for name, document in _documents(place):
            if place.is_of_vault or is_ours(document):
                claim = _claimed(place, name)
                if claim is not None:
                    yield claim


def prepare_reserve(root: Path) -> None:
    """Preallocate the space for messages on full disks, if it is missing."""
    for place in waiting.places(root):
        reserve.prepare(place)


def _empty_reserve(place: Place) -> None:
    """Move each message in the reserve to its own file."""
    if not waiting.has_reserved(place):
        return

    def move(document: dict[str, Any]) -> bool:
        try:
            with state_places.opened(place, make=True) as folder:
                claim = _stored(folder, place, document)
        except (OSError, ToolmemError):
            return False
        if claim is not None:
            claim.release()
        return True

    reserve.move_out(place, move)


def _stored(folder: Folder, place: Place, document: Document) -> Claim | None:
    name = _name_of(document)
    while True:
        flags = folders.UPDATE | os.O_CREAT
        fd = os.open(folder.at(name), flags, 0o600, dir_fd=folder.fd)
        try:
            folders.require_regular(os.fstat(fd))
            if not try_lock(fd):
                os.close(fd)
                return None
            if _has_name(folder, name, fd):
                if _parsed(_content(fd)) is None:
                    _write(folder, name, fd, document)
                return Claim(document, place.path / name, fd)
        except BaseException:
            os.close(fd)
            raise
        os.close(fd)  # it was captured and deleted just now: store it again


def _write(folder: Folder, name: str, fd: int, document: Document) -> None:
    """Write all of the message, or leave no file."""
    try:
        if sum(1 for _ in _names(folder)) > limits.SPOOL_MESSAGES:
            raise StorageError(
                f"more than {limits.SPOOL_MESSAGES} messages are waiting"
            )
        rest = memoryview(json.dumps(document).encode())
        os.ftruncate(fd, 0)
        while rest:
            rest = rest[os.write(fd, rest) :]
        os.fsync(fd)
        durable.flush_folder(folder)
    except BaseException:
        durable.forget(folder, name)
        raise


def _claimed(place: Place, name: str) -> Claim | None:
    """Lock a message's file; None if it is claimed, gone or was never completed."""
    with suppress(OSError, ToolmemError), state_places.opened(place) as folder:
        fd = os.open(folder.at(name), folders.UPDATE, dir_fd=folder.fd)
        keep = False
        try:
            folders.require_regular(os.fstat(fd))
            if not try_lock(fd) or not _has_name(folder, name, fd):
                return None
            document = _parsed(_content(fd))
            if document is None:  # its writer died before it was complete
                durable.forget(folder, name)
                return None
            keep = True
            return Claim(document, place.path / name, fd)
        finally:
            if not keep:
                os.close(fd)
    return None


def _documents(place: Place) -> list[tuple[str, Document]]:
    """Return the names and contents of complete messages, oldest first."""
    messages: list[tuple[int, str, Document]] = []
    with suppress(OSError, ToolmemError), state_places.opened(place) as folder:
        for name in _names(folder):
            with suppress(OSError):
                fd, state = folders.open_file(folder, name)
                try:
                    document = _parsed(_content(fd))
                finally:
                    os.close(fd)
                # An incomplete one is listed, too: claiming it deletes it.
                messages.append((state.st_mtime_ns, name, document or {}))
    return [(name, document) for _, name, document in sorted(messages, key=_order)]


def _order(message: tuple[int, str, Document]) -> tuple[int, str]:
    return message[:2]


def _names(folder: Folder) -> list[str]:
    with folders.scan(folder) as entries:
        return [entry.name for entry in entries if entry.name.endswith(waiting.SUFFIX)]


def _content(fd: int) -> bytes:
    os.lseek(fd, 0, os.SEEK_SET)
    return folders.read_open(fd, os.fstat(fd).st_size, waiting.RESERVE_BYTES)


def _parsed(data: bytes) -> dict[str, Any] | None:
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _has_name(folder: Folder, name: str, fd: int) -> bool:
    """Return True unless the file was deleted or replaced since it was opened."""
    try:
        named = os.stat(folder.at(name), dir_fd=folder.fd, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(named, os.fstat(fd))


def _name_of(document: Document) -> str:
    identity = "\0".join(str(document.get(key, "")) for key in _IDENTITY)
    data = identity.encode("utf-8", "surrogatepass")
    return f"{crc32(data):08x}-{adler32(data):08x}-{len(data)}{waiting.SUFFIX}"


def _reason(place: Place, error: Exception) -> str:
    text = folders.reason(error) if isinstance(error, OSError) else str(error)
    return f"{place.path}: {text}"
