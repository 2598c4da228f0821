"""Compiled guards of a vault: one file of local state, read in parts.

A part has the rules of one folder of the vault, with the stamp of that folder, and is
used only if that is the folder's current stamp. The file is a cache: if it is missing,
damaged, of another version or cannot be written, the callers read the vault's own
files. It is in the user's state folder: a verdict neither writes into a vault, which
may be a stranger's, nor trusts a cache that came with one.
"""

import json
import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from toolmem.errors import ToolmemError
from toolmem.store.files import durable, folders, private
from toolmem.store.files.settings import state_folder
from toolmem.store.guards.stamp import Stamp

FOLDER = "guards"
_MAGIC = b"toolmem-guards"
_FIRST_BYTES = 256
_MOST_BYTES = 1 << 30
_MOST_FILES = 64
"""Maximum number of vaults with a file; the least recently used is deleted."""

Segment = tuple[int, int, int]
"""Place of bytes in the file: offset, length and checksum."""


class DamagedError(Exception):
    """The file is not as it was written."""


class Part:
    """Data of one folder: its stamp, an index, and further segments."""

    def __init__(self, file: "GuardFile", where: Mapping[str, Any]) -> None:
        self._file = file
        self.where = where
        self._index: Mapping[str, Any] | None = None
        self._stamp: Stamp | None = None

    @property
    def stamp(self) -> Stamp:
        """Stamp of the folder that the part was made from."""
        if self._stamp is None:
            stored = self._file.value(self.where["stamp"])
            self._stamp = [(name, tuple(own), *rest) for name, own, *rest in stored]
        return self._stamp

    @property
    def index(self) -> Mapping[str, Any]:
        """Return the index of the part's segments."""
        if self._index is None:
            self._index = self._file.value(self.where["index"])
        return self._index

    def value(self, segment: Segment) -> Any:
        """Return a segment in the index. Raises ``DamagedError``."""
        offset, length, checksum = segment
        return self._file.value((self.where["base"] + offset, length, checksum))

    def raw(self) -> bytes:
        """Return all segments, to be copied. Raises ``DamagedError``."""
        return self._file.bytes(self.where["base"], self.where["length"])


class GuardFile:
    """The open file, or its bytes. Raises ``DamagedError`` for an invalid one."""

    def __init__(self, version: str, *, fd: int = -1, data: bytes = b"") -> None:
        self._fd = fd
        self._data = data
        head = self._head(version)
        self.root: str = head["root"]
        self.shared: Mapping[str, Any] = head["shared"]
        self.parts = {key: Part(self, where) for key, where in head["parts"].items()}

    def __del__(self) -> None:
        if self._fd >= 0:
            with suppress(OSError):
                os.close(self._fd)
            self._fd = -1

    def bytes(self, offset: int, length: int) -> bytes:
        """Return some bytes of the file; fewer at its end."""
        if self._fd < 0:
            return self._data[offset : offset + length]
        os.lseek(self._fd, offset, os.SEEK_SET)
        return os.read(self._fd, length)

    def value(self, segment: Segment) -> Any:
        """Return the value of a segment. Raises ``DamagedError``."""
        offset, length, checksum = segment
        data = self.bytes(offset, length)
        if len(data) != length or crc32(data) != checksum:
            raise DamagedError
        return json.loads(data)

    def _head(self, version: str) -> Mapping[str, Any]:
        first = self.bytes(0, _FIRST_BYTES).split(b"\n")[0]
        magic, made_by, *rest = first.split(b" ")
        if magic != _MAGIC or made_by != version.encode():
            raise DamagedError
        offset, length, checksum = map(int, rest)
        if length > _MOST_BYTES:
            raise DamagedError
        head: Mapping[str, Any] = self.value((offset, length, checksum))
        return head


class NewPart(NamedTuple):
    """A part to write: its stamp, index and segments."""

    stamp: Stamp
    contents: Mapping[str, Any]
    raw: bytes

    def value(self, name: str) -> Any:
        """Return a segment by its name in the index."""
        offset, length, _ = self.contents[name]
        return json.loads(self.raw[offset : offset + length])


def open_guard_file(root: Path, version: str) -> GuardFile | None:
    """Return the compiled guards, or None if there are none of this version."""
    fd = -1
    try:
        folder = folders.open_root(state_folder() / FOLDER)
        try:
            fd = folders.open_file(folder, name_of(root))[0]
        finally:
            folder.close()
        file = GuardFile(version, fd=fd)
    except (OSError, ToolmemError, DamagedError, *UNLIKE):
        return None
    return file if file.root == str(root) else None


UNLIKE = (RuntimeError, ValueError, KeyError, TypeError, EOFError)
"""Errors that unexpected values in a file raise."""


def code_version(folders: Iterable[Path], *made_of: object) -> str:
    """Return a number that changes with the code in some folders, and with values."""
    known: list[object] = [sys.version, *made_of]
    for folder in folders:
        with os.scandir(folder) as entries:
            files = [(entry.name, entry.stat()) for entry in entries if entry.is_file()]
        known += sorted((name, s.st_size, s.st_mtime_ns) for name, s in files)
    return f"{crc32(repr(known).encode()):08x}"


def name_of(root: Path) -> str:
    """Return the name of a vault's file: two checksums of the vault's path."""
    path = os.fsencode(root)
    return f"{crc32(path):08x}{crc32(path[::-1]):08x}"


def encoded(value: object) -> bytes:
    """Return the bytes of a value of JSON; tuples are read as lists."""
    return json.dumps(value, separators=(",", ":")).encode()


def segment_of(data: bytes, offset: int) -> Segment:
    """Return the segment of these bytes at an offset."""
    return offset, len(data), crc32(data)


def assembled(
    root: Path,
    version: str,
    parts: Mapping[str, NewPart],
    shared: Mapping[str, Any],
) -> bytes:
    """Return the bytes of a whole file."""
    blob = bytearray(_FIRST_BYTES)
    where: dict[str, Any] = {}
    for key, part in parts.items():
        base = len(blob)
        blob += part.raw
        entry: dict[str, Any] = {"base": base, "length": len(part.raw)}
        values: dict[str, Any] = {"stamp": part.stamp, "index": part.contents}
        for name, value in values.items():
            data = encoded(value)
            entry[name] = segment_of(data, len(blob))
            blob += data
        where[key] = entry
    head = {"root": str(root), "parts": where, "shared": shared}
    data = encoded(head)
    offset, length, checksum = segment_of(data, len(blob))
    first = f"{_MAGIC.decode()} {version} {offset} {length} {checksum}\n".encode()
    blob[: len(first)] = first
    return bytes(blob + data)


def save(root: Path, data: bytes) -> None:
    """Write the file whole; a failure is ignored.

    It is renamed into place, so that a reader gets the old one or the new one.
    """
    with suppress(OSError, RuntimeError, ToolmemError):
        folder = state_folder() / FOLDER
        private.make_folder(folder)
        opened = folders.open_root(folder)
        try:
            _replace(opened, name_of(root), data)
            _drop_oldest(opened)
        finally:
            opened.close()


def _replace(folder: folders.Folder, name: str, data: bytes) -> None:
    new = f"{durable.TEMP_PREFIX}{os.urandom(8).hex()}"
    fd = os.open(folder.at(new), folders.CREATE, private.FILE_MODE, dir_fd=folder.fd)
    try:
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(fd, rest) :]
        finally:
            os.close(fd)
        os.replace(
            folder.at(new), folder.at(name), src_dir_fd=folder.fd, dst_dir_fd=folder.fd
        )
    except BaseException:
        durable.forget(folder, new)
        raise


def _drop_oldest(folder: folders.Folder) -> None:
    """Delete all but the newest files, those of killed processes included."""
    with folders.scan(folder) as entries:
        changed = {entry.name: entry.stat().st_mtime_ns for entry in entries}
    newest_first = sorted(changed, key=lambda name: changed[name], reverse=True)
    for name in newest_first[_MOST_FILES:]:
        durable.forget(folder, name)
