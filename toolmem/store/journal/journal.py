"""Journal of hook events: a line per event, in a file per session.

An agent waits while its hook runs, so a hook only appends; the lines are processed when
the turn ends. The files are in the vault's local state, or in the user's own state if
the vault cannot be written.
"""

import json
import os
import sys
import time
from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from toolmem.core import limits
from toolmem.core.names import encode_name, fold
from toolmem.errors import NoVaultError, StorageError, ToolmemError
from toolmem.store.files import file_lock, folders
from toolmem.store.files.folders import Folder
from toolmem.store.journal import attempt, state_places
from toolmem.store.journal.state_places import Place

_ATTEMPT = "attempt"
_FOLDER = "sessions"
SUFFIX = ".jsonl"
_LONG_NAME = 80
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | folders.READ
_PAUSE_SECONDS = 0.001
LOCK_SECONDS = 0.2
"""An append takes far less; a file being processed has another name."""


class ClaimedLines(NamedTuple):
    """Lines that this process handles, and the locked files that they came from."""

    parts: tuple[tuple[dict[str, Any], ...], ...]
    files: tuple[Path, ...] = ()
    locks: tuple[int, ...] = ()

    @property
    def lines(self) -> tuple[dict[str, Any], ...]:
        """Lines of all files."""
        return tuple(line for part in self.parts for line in part)

    def without(self, names: Container[str]) -> "ClaimedLines":
        """Return the same files, without the lines of those with these names."""
        parts = zip(self.parts, self.files, strict=True)
        rest = (() if file.name in names else part for part, file in parts)
        return self._replace(parts=tuple(rest))


def name_of(session: str) -> str:
    """Return the name of a session's journal; long or unusual ids are hashed."""
    safe = encode_name(session)
    plain = safe.isascii() and fold(safe) == safe and "." not in safe
    if not safe or not plain or len(safe) > _LONG_NAME:
        digest = crc32(session.encode("utf-8", "surrogatepass"))
        readable = "".join(c for c in safe if c.isascii() and c.isalnum())
        safe = f"{readable[:_LONG_NAME].lower()}-{digest:08x}"
    return safe


def append(
    root: Path,
    name: str,
    line: Mapping[str, Any],
    *,
    outside: bool = False,
    most: int | None = None,
) -> None:
    """Add a line to a journal of the vault, or ``outside`` it.

    ``most`` is the size of the journal in bytes, in place of ``JOURNAL_BYTES``.
    Raises ``StorageError`` if neither the vault nor the user's state can be written, or
    too many lines wait already.
    """
    now = attempt.current()
    mark = {_ATTEMPT: str(now)} if now else {}
    data = (json.dumps({**line, **mark}) + "\n").encode()
    most = limits.JOURNAL_BYTES if most is None else most
    try:
        if outside:
            raise FileNotFoundError
        _append(_vault_place(root), name, data, most)
    except (OSError, ToolmemError):
        place = _user_place(root)
        try:
            _append(place, name, data, most)
        except OSError as error:
            message = f"{place.path}: {folders.reason(error)}"
            raise StorageError(message) from error


def names(root: Path) -> tuple[str, ...]:
    """Return the names of a vault's journals that are not empty."""
    journals: set[str] = set()
    for place in places(root):
        with suppress(OSError, ToolmemError), state_places.opened(place) as folder:
            listed = _listed(folder)
            journals |= {file.partition(SUFFIX)[0] for file in listed if SUFFIX in file}
    return tuple(sorted(journals))


def take(root: Path, name: str) -> ClaimedLines:
    """Claim the lines of a journal, so that no other process gets them.

    They are free again when they are given back or this process ends, unless they were
    forgotten.
    """
    parts: list[tuple[dict[str, Any], ...]] = []
    files: list[Path] = []
    locks: list[int] = []
    for place in places(root):
        with suppress(OSError, ToolmemError), state_places.opened(place) as folder:
            for file, fd in _claimed(folder, name):
                files.append(place.path / file)
                locks.append(fd)
                parts.append(tuple(_parsed(read_open(fd))))
    return ClaimedLines(tuple(parts), tuple(files), tuple(locks))


def abandoned(root: Path) -> tuple[str, ...]:
    """Return the journals with lines that a process claimed before it died."""
    journals: set[str] = set()
    for place in places(root):
        with suppress(OSError, ToolmemError), state_places.opened(place) as folder:
            for file in _listed(folder):
                stem, suffix, holder = file.partition(SUFFIX)
                if suffix and holder:
                    journals.add(stem)
    return tuple(sorted(journals))


def read(root: Path, name: str) -> tuple[dict[str, Any], ...]:
    """Return the lines of a journal without claiming them."""
    lines: list[dict[str, Any]] = []
    for place in places(root):
        with suppress(OSError, ToolmemError), state_places.opened(place) as folder:
            lines += _parsed(_read(folder, name + SUFFIX))
    return tuple(lines)


def recent(root: Path, holding: bytes, seconds: float) -> Iterator[dict[str, Any]]:
    """Yield the lines that contain a text, of sessions active in these seconds.

    Includes lines that another process handles at this moment.
    """
    oldest = time.time() - seconds
    for place in places(root):
        with suppress(OSError, ToolmemError), state_places.opened(place) as folder:
            for file in _listed(folder):
                stem, suffix, _ = file.partition(SUFFIX)
                if not suffix or "." in stem:
                    continue
                status = os.stat(
                    folder.at(file), dir_fd=folder.fd, follow_symlinks=False
                )
                if status.st_mtime > oldest:
                    data = _read(folder, file)
                    wanted = (line for line in data.split(b"\n") if holding in line)
                    yield from _parsed(b"\n".join(wanted))


def forget(taken: ClaimedLines) -> None:
    """Delete the lines that were processed."""
    if sys.platform == "win32":  # an open file cannot be deleted there
        give_back(taken)
    for file in taken.files:
        with suppress(OSError):
            file.unlink()
    if sys.platform != "win32":
        give_back(taken)


def give_back(taken: ClaimedLines) -> None:
    """Release the lines: they could not be processed."""
    for fd in taken.locks:
        with suppress(OSError):
            os.close(fd)


def sweep(root: Path) -> None:
    """Delete journals that were not processed for a long time."""
    oldest = time.time() - limits.JOURNAL_DAYS * 86_400
    for place in places(root):
        with suppress(OSError), os.scandir(place.path) as entries:
            for entry in entries:
                when = entry.stat(follow_symlinks=False).st_mtime
                if 0 < when < oldest and entry.is_file(follow_symlinks=False):
                    Path(entry.path).unlink()


def places(root: Path) -> tuple[Place, Place]:
    """Return where a vault's journals are: in the vault, or in the user's state."""
    return _vault_place(root), _user_place(root)


def _vault_place(root: Path) -> Place:
    return state_places.in_vault(root, _FOLDER)


def _user_place(root: Path) -> Place:
    return state_places.of_user(_FOLDER, f"{crc32(os.fsencode(root)):08x}")


def is_there(root: Path, name: str) -> bool:
    """Return True if a journal may have lines: cheaper than claiming it."""
    return any((place.path / f"{name}{SUFFIX}").exists() for place in places(root))


def _append(place: Place, name: str, data: bytes, most: int) -> None:
    try:
        with state_places.opened(place) as folder:
            _write(folder, name + SUFFIX, data, most)
    except (FileNotFoundError, NoVaultError):
        with state_places.opened(place, make=True) as folder:
            _write(folder, name + SUFFIX, data, most)


def _write(folder: Folder, file: str, data: bytes, most: int) -> None:
    """Append under the file's lock, so that a claimed file has all of it or nothing."""
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        fd = os.open(folder.at(file), _APPEND, 0o600, dir_fd=folder.fd)
        try:
            status = os.fstat(fd)
            folders.require_regular(status)
            if file_lock.try_lock(fd) and _has_name(folder, file, status):
                _write_whole(fd, file, data, most)
                return
        finally:
            os.close(fd)
        if time.monotonic() > deadline:
            raise StorageError(f"{file}: is locked by another process")
        time.sleep(_PAUSE_SECONDS)


def _write_whole(fd: int, file: str, data: bytes, most: int) -> None:
    before = os.fstat(fd).st_size
    if before + len(data) > most:
        raise StorageError(f"{file}: more than {most} bytes wait")
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(fd, rest) :]
    except OSError:
        with suppress(OSError):
            os.ftruncate(fd, before)  # half a line would spoil the next one
        raise


def _has_name(folder: Folder, file: str, status: os.stat_result) -> bool:
    """Return True unless the file was claimed or deleted since it was opened."""
    try:
        named = os.stat(folder.at(file), dir_fd=folder.fd, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(named, status)


def _claimed(folder: Folder, name: str) -> Iterator[tuple[str, int]]:
    """Rename waiting and abandoned files to names of our own, and lock them."""
    for number, file in enumerate(_listed(folder)):
        stem, suffix, holder = file.partition(SUFFIX)
        if stem != name or not suffix:
            continue
        own = file if holder else _own_name(name, number)
        with suppress(FileNotFoundError):
            if not holder:
                os.rename(
                    folder.at(file),
                    folder.at(own),
                    src_dir_fd=folder.fd,
                    dst_dir_fd=folder.fd,
                )
            fd = _locked(folder, own, 0 if holder else LOCK_SECONDS)
            if fd is not None:
                yield own, fd


def _own_name(name: str, number: int) -> str:
    return f"{name}{SUFFIX}.{os.getpid()}-{time.time_ns():x}-{number}"


def _locked(folder: Folder, file: str, seconds: float) -> int | None:
    """Open and lock a file; None if another process has it or is done with it."""
    fd, status = folders.open_file(folder, file)
    try:
        if file_lock.lock_within(fd, seconds) and _has_name(folder, file, status):
            return fd
    except BaseException:
        os.close(fd)
        raise
    os.close(fd)
    return None


def _listed(folder: Folder) -> list[str]:
    """Return the names in the folder; those claimed before come first."""
    with folders.scan(folder) as entries:
        return sorted((e.name for e in entries), key=lambda n: (n.endswith(SUFFIX), n))


def _read(folder: Folder, file: str) -> bytes:
    fd, _ = folders.open_file(folder, file)
    try:
        return read_open(fd)
    finally:
        os.close(fd)


def read_open(fd: int) -> bytes:
    """Return the content of an open journal."""
    return folders.read_open(fd, os.fstat(fd).st_size, 2 * limits.TYPED_BYTES)


def _parsed(data: bytes) -> Iterator[dict[str, Any]]:
    """Yield the complete lines of the last attempt to handle each event.

    One that a dying process cut off is skipped.
    """
    marked = []
    for line in data.split(b"\n"):
        with suppress(ValueError, RecursionError):
            document = json.loads(line)
            if isinstance(document, dict):
                mark = str(document.pop(_ATTEMPT, "")).partition(" ")[::2]
                marked.append((mark, document))
    last = dict(sorted(mark for mark, _ in marked))
    if now := attempt.current():
        last[now.event] = str(now.number)
    for (event, number), document in marked:
        if last[event] == number:
            yield document
