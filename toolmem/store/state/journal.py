"""What hooks leave for later: a line an event, in a file a session.

An agent waits while its hook runs, so a hook only appends; what the lines mean
is worked out when the turn ends. The files lie in the vault's local state, or
in the user's own state where the vault cannot be written.
"""

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from toolmem.core import limits
from toolmem.core.names import encode_name, fold
from toolmem.errors import StorageError, ToolmemError
from toolmem.store.files import folders
from toolmem.store.files.folders import Folder
from toolmem.store.files.layout import STATE
from toolmem.store.files.lock import prepare_state
from toolmem.store.files.settings import state_folder

_FOLDER = "sessions"
_SUFFIX = ".jsonl"
_LONG_NAME = 80
_ABANDONED_SECONDS = 60
"""Lines that another process took so long ago it will not work on any more."""
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | folders.READ


class _Place(NamedTuple):
    """A folder that is there, and the way from it to the journals."""

    base: Path
    way: tuple[str, ...]

    @property
    def path(self) -> Path:
        return self.base.joinpath(*self.way)


class Taken(NamedTuple):
    """Lines that this process works on, and the files that they came from."""

    lines: tuple[dict[str, Any], ...]
    files: tuple[Path, ...] = ()


def name_of(session: str) -> str:
    """The name of a session's journal; ids that are long or odd are digested."""
    safe = encode_name(session)
    plain = safe.isascii() and fold(safe) == safe and "." not in safe
    if not safe or not plain or len(safe) > _LONG_NAME:
        digest = crc32(session.encode("utf-8", "surrogatepass"))
        readable = "".join(c for c in safe if c.isascii() and c.isalnum())
        safe = f"{readable[:_LONG_NAME].lower()}-{digest:08x}"
    return safe


def append(
    root: Path, name: str, line: Mapping[str, Any], *, outside: bool = False
) -> None:
    """Add a line to a journal of the vault, or ``outside`` it.

    Raises ``StorageError`` where neither the vault nor the user's state can be
    written, or where too much waits already.
    """
    data = (json.dumps(line) + "\n").encode()
    try:
        if outside:
            raise FileNotFoundError
        _append(_vault_place(root), name, data)
    except (OSError, ToolmemError):
        place = _user_place(root)
        try:
            place.base.mkdir(0o700, parents=True, exist_ok=True)
            _append(place, name, data)
        except OSError as error:
            message = f"{place.path}: {folders.reason(error)}"
            raise StorageError(message) from error


def names(root: Path) -> tuple[str, ...]:
    """The journals of a vault that hold something."""
    found: set[str] = set()
    for place in (_vault_place(root), _user_place(root)):
        with suppress(OSError, ToolmemError), _opened(place) as folder:
            listed = _listed(folder)
            found |= {one.partition(_SUFFIX)[0] for one in listed if _SUFFIX in one}
    return tuple(sorted(found))


def take(root: Path, name: str) -> Taken:
    """Take the lines of a journal to work on them: no other process gets them now.

    They come back to whoever asks a minute later, unless they were ``forgotten``.
    """
    lines: list[dict[str, Any]] = []
    files: list[Path] = []
    for place in (_vault_place(root), _user_place(root)):
        with suppress(OSError, ToolmemError), _opened(place) as folder:
            for file in _claimed(folder, name):
                files.append(place.path / file)
                lines += _parsed(_read(folder, file))
    return Taken(tuple(lines), tuple(files))


def read(root: Path, name: str) -> tuple[dict[str, Any], ...]:
    """The lines of a journal that stays as it is."""
    lines: list[dict[str, Any]] = []
    for place in (_vault_place(root), _user_place(root)):
        with suppress(OSError, ToolmemError), _opened(place) as folder:
            lines += _parsed(_read(folder, name + _SUFFIX))
    return tuple(lines)


def recent(root: Path, holding: bytes, seconds: float) -> Iterator[dict[str, Any]]:
    """The lines that hold something, of sessions that left one in these seconds.

    Those that another process works on at this moment are among them.
    """
    oldest = time.time() - seconds
    for place in (_vault_place(root), _user_place(root)):
        with suppress(OSError, ToolmemError), _opened(place) as folder:
            for file in _listed(folder):
                stem, suffix, _ = file.partition(_SUFFIX)
                if not suffix or "." in stem:
                    continue
                found = os.stat(
                    folder.at(file), dir_fd=folder.fd, follow_symlinks=False
                )
                if found.st_mtime > oldest:
                    data = _read(folder, file)
                    wanted = (line for line in data.split(b"\n") if holding in line)
                    yield from _parsed(b"\n".join(wanted))


def forget(taken: Taken) -> None:
    """Delete what was worked on."""
    for file in taken.files:
        with suppress(OSError):
            file.unlink()


def give_back(taken: Taken) -> None:
    """Let the lines be taken again at once: they could not be worked on."""
    for file in taken.files:
        with suppress(OSError):
            os.utime(file, (0, 0))


def sweep(root: Path) -> None:
    """Delete journals that nobody came to read for a long time."""
    oldest = time.time() - limits.JOURNAL_DAYS * 86_400
    for place in (_vault_place(root), _user_place(root)):
        with suppress(OSError), os.scandir(place.path) as entries:
            for entry in entries:
                when = entry.stat(follow_symlinks=False).st_mtime
                if 0 < when < oldest and entry.is_file(follow_symlinks=False):
                    Path(entry.path).unlink()


def _vault_place(root: Path) -> _Place:
    return _Place(root, (STATE, _FOLDER))


def _user_place(root: Path) -> _Place:
    return _Place(state_folder(), (_FOLDER, f"{crc32(os.fsencode(root)):08x}"))


@contextmanager
def _opened(place: _Place, *, make: bool = False) -> Iterator[Folder]:
    """The folder, reached name by name and through no link."""
    folder = folders.open_root(place.base)
    try:
        for name in place.way:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(folder.at(name), 0o700, dir_fd=folder.fd)
            parent = folder
            folder = folders.open_child(parent, name)
            parent.close()
        yield folder
    finally:
        folder.close()


def is_there(root: Path, name: str) -> bool:
    """Whether a journal may hold something: it costs less than to take it."""
    places = (_vault_place(root), _user_place(root))
    return any((place.path / f"{name}{_SUFFIX}").exists() for place in places)


def _append(place: _Place, name: str, data: bytes) -> None:
    try:
        with _opened(place) as folder:
            _write(folder, name + _SUFFIX, data)
    except FileNotFoundError:
        if place.way[0] == STATE:
            prepare_state(place.base)
        with _opened(place, make=True) as folder:
            _write(folder, name + _SUFFIX, data)


def _write(folder: Folder, file: str, data: bytes) -> None:
    fd = os.open(folder.at(file), _APPEND, 0o600, dir_fd=folder.fd)
    try:
        found = os.fstat(fd)
        folders.require_regular(found)
        if found.st_size + len(data) > limits.JOURNAL_BYTES:
            raise StorageError(f"{file}: more than {limits.JOURNAL_BYTES} bytes wait")
        os.write(fd, data)  # whole at once: lines of two hooks do not mix
    finally:
        os.close(fd)


def _claimed(folder: Folder, name: str) -> list[str]:
    """Rename what waits to names of our own; what others are at stays theirs."""
    claimed = []
    for number, file in enumerate(_listed(folder)):
        stem, suffix, holder = file.partition(_SUFFIX)
        if stem != name or not suffix or (holder and _is_recent(folder, file)):
            continue
        own = f"{name}{_SUFFIX}.{os.getpid()}-{time.time_ns():x}-{number}"
        with suppress(FileNotFoundError):
            os.rename(
                folder.at(file),
                folder.at(own),
                src_dir_fd=folder.fd,
                dst_dir_fd=folder.fd,
            )
            os.utime(folder.at(own), dir_fd=folder.fd)
            claimed.append(own)
    return claimed


def _listed(folder: Folder) -> list[str]:
    """The names in the folder; those that were taken before come first."""
    with folders.scan(folder) as entries:
        return sorted((e.name for e in entries), key=lambda n: (n.endswith(_SUFFIX), n))


def _is_recent(folder: Folder, file: str) -> bool:
    try:
        found = os.stat(folder.at(file), dir_fd=folder.fd, follow_symlinks=False)
    except FileNotFoundError:
        return True
    return time.time() - found.st_mtime < _ABANDONED_SECONDS


def _read(folder: Folder, file: str) -> bytes:
    fd, found = folders.open_file(folder, file)
    try:
        return folders.read_open(fd, found.st_size, 2 * limits.JOURNAL_BYTES)
    finally:
        os.close(fd)


def _parsed(data: bytes) -> Iterator[dict[str, Any]]:
    """The lines that are whole: one that a dying process cut off is none."""
    for line in data.split(b"\n"):
        with suppress(ValueError, RecursionError):
            document = json.loads(line)
            if isinstance(document, dict):
                yield document
