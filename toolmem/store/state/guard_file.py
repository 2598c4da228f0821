"""The compiled guards of a vault: one file of local state, read in parts.

A part is what one folder of the vault had, with the stamp of that folder: each file
with its size, its times and its inode. Only a part whose stamp is that of the folder
now is used. The file is a cache: when it is missing, damaged, made by another version
or cannot be written, the callers read the vault's own files.
"""

import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from zlib import crc32

from toolmem.errors import ToolmemError
from toolmem.store.files import durable, folders
from toolmem.store.files.layout import STATE
from toolmem.store.files.lock import prepare_state
from toolmem.store.vault.vault import Vault

_NAME = "guards"
_MAGIC = b"toolmem-guards"
_FIRST_BYTES = 256
_MOST_BYTES = 1 << 30
_POSIX = os.name == "posix"
_RACY_NS = 1_000_000_000
"""A file that changed so short before it was read may change again unnoticed: the
clock of a file system is coarse."""

Segment = tuple[int, int, int]
"""Where bytes are in the file: offset, length and checksum."""


class Stamp(NamedTuple):
    """The files of a folder as they are: a line for each.

    ``racy``: one of them changed so lately that it may change again and look alike;
    its line ends in ``RACY``, which no later stamp has.
    """

    lines: tuple[str, ...]
    racy: bool = False

    @property
    def text(self) -> str:
        """The stamp as it is stored."""
        return "\0".join(self.lines)


RACY = " racy"


class DamagedError(Exception):
    """The file is not what was written."""


class Part:
    """What is kept of one folder: its stamp, an index, and segments of text."""

    def __init__(self, file: "GuardFile", where: Mapping[str, Any]) -> None:
        self._file = file
        self.where = where
        self._index: Mapping[str, Any] | None = None

    @property
    def stamp(self) -> str:
        """The stamp of the folder that the part was made from."""
        return self._file.text(self.where["stamp"])

    @property
    def index(self) -> Mapping[str, Any]:
        """Where the part's maker finds things in it."""
        if self._index is None:
            self._index = json.loads(self._file.text(self.where["index"]))
        return self._index

    def text(self, segment: Segment) -> str:
        """A segment that the index names. Raises ``DamagedError``."""
        offset, length, checksum = segment
        return self._file.text((self.where["base"] + offset, length, checksum))

    def raw(self) -> bytes:
        """All segments, to be copied. Raises ``DamagedError``."""
        return self._file.bytes(self.where["base"], self.where["length"])


class GuardFile:
    """The open file, or its bytes. Raises ``DamagedError`` for what it is not."""

    def __init__(self, version: str, *, fd: int = -1, data: bytes = b"") -> None:
        self._fd = fd
        self._data = data
        head = self._head(version)
        self.shared: Mapping[str, str] = head["shared"]
        self.parts = {key: Part(self, where) for key, where in head["parts"].items()}

    def __del__(self) -> None:
        if self._fd >= 0:
            with suppress(OSError):
                os.close(self._fd)
            self._fd = -1

    def bytes(self, offset: int, length: int) -> bytes:
        """Some bytes of the file; fewer where it ends before."""
        if self._fd < 0:
            return self._data[offset : offset + length]
        os.lseek(self._fd, offset, os.SEEK_SET)
        return os.read(self._fd, length)

    def text(self, segment: Segment) -> str:
        """The text of a segment. Raises ``DamagedError``."""
        offset, length, checksum = segment
        data = self.bytes(offset, length)
        if len(data) != length or crc32(data) != checksum:
            raise DamagedError
        return data.decode(errors="surrogateescape")

    def _head(self, version: str) -> Mapping[str, Any]:
        first = self.bytes(0, _FIRST_BYTES).split(b"\n")[0]
        magic, made_by, *rest = first.split(b" ")
        if magic != _MAGIC or made_by != version.encode():
            raise DamagedError
        offset, length, checksum = map(int, rest)
        if length > _MOST_BYTES:
            raise DamagedError
        head: Mapping[str, Any] = json.loads(self.text((offset, length, checksum)))
        return head


class NewPart(NamedTuple):
    """A part to be written: its stamp, index and segments."""

    stamp: str
    contents: Mapping[str, Any]
    raw: bytes


def open_guard_file(vault: Vault, version: str) -> GuardFile | None:
    """The compiled guards, or None where there are none of this version."""
    fd = -1
    try:
        state = _state_folder(vault)
        try:
            fd = folders.open_file(state, _NAME)[0]
        finally:
            state.close()
        return GuardFile(version, fd=fd)
    except (OSError, ToolmemError, DamagedError, ValueError, KeyError, TypeError):
        return None


def _state_folder(vault: Vault) -> folders.Folder:
    root = folders.open_root(vault.root)
    try:
        return folders.open_child(root, STATE)
    finally:
        root.close()


def segment_of(data: bytes, offset: int) -> Segment:
    """The segment that these bytes are, at an offset."""
    return offset, len(data), crc32(data)


def assembled(
    version: str, parts: Mapping[str, NewPart], shared: Mapping[str, str]
) -> bytes:
    """The bytes of a whole file."""
    blob = bytearray(_FIRST_BYTES)
    where: dict[str, Any] = {}
    for key, part in parts.items():
        base = len(blob)
        blob += part.raw
        entry: dict[str, Any] = {"base": base, "length": len(part.raw)}
        for name, text in (("stamp", part.stamp), ("index", json.dumps(part.contents))):
            data = text.encode(errors="surrogateescape")
            entry[name] = segment_of(data, len(blob))
            blob += data
        where[key] = entry
    head = json.dumps({"parts": where, "shared": shared}).encode()
    offset, length, checksum = segment_of(head, len(blob))
    first = f"{_MAGIC.decode()} {version} {offset} {length} {checksum}\n".encode()
    blob[: len(first)] = first
    return bytes(blob + head)


def save(vault: Vault, data: bytes) -> None:
    """Write the file whole; where it cannot be written, nothing depends on it.

    It is renamed into place, so that a reader has the old one or the new one.
    """
    with suppress(OSError, ToolmemError):
        prepare_state(vault.root)
        state = _state_folder(vault)
        try:
            _replace(state, data)
        finally:
            state.close()


def _replace(state: folders.Folder, data: bytes) -> None:
    name = f"{durable.TEMP_PREFIX}{os.urandom(8).hex()}"
    fd = os.open(state.at(name), folders.CREATE, 0o600, dir_fd=state.fd)
    try:
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(fd, rest) :]
        finally:
            os.close(fd)
        os.replace(
            state.at(name), state.at(_NAME), src_dir_fd=state.fd, dst_dir_fd=state.fd
        )
    except BaseException:
        durable.forget(state, name)
        raise


def stamp(vault: Vault, folder: str, *, deep: bool) -> Stamp:
    """The files of a folder, or ``deep`` those of the folders in it, as they are now.

    Raises ``OSError`` and ``ToolmemError`` where they cannot be listed.
    """
    lines: list[str] = []
    settled = time.time_ns() - _RACY_NS
    opened = [folders.open_root(vault.root)]
    try:
        for name in folders.split(folder):
            opened.append(folders.open_child(opened[-1], name))
        if not deep:
            racy = _list_files(opened[-1], "", lines, settled)
            return Stamp(tuple(lines), racy)
        racy = False
        for name in _list_folders(opened[-1], lines):
            inner = folders.open_child(opened[-1], name)
            opened.append(inner)
            racy |= _list_files(inner, name, lines, settled)
            opened.pop().close()
        return Stamp(tuple(lines), racy)
    except FileNotFoundError:
        return Stamp((*lines, "missing"))
    finally:
        for one in opened:
            one.close()


def _list_folders(folder: folders.Folder, lines: list[str]) -> list[str]:
    """The names of the folders in a folder; what else is there is a line each."""
    names = []
    with folders.scan(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                names.append(entry.name)
            else:
                lines.append(f"{entry.name} {entry.is_symlink()}")
    return names


def _list_files(
    folder: folders.Folder, above: str, lines: list[str], settled: int
) -> bool:
    racy = False
    with folders.scan(folder) as entries:
        for entry in entries:
            name = entry.name
            if name.endswith(".toml"):
                found = entry.stat(follow_symlinks=False)
                changed = found.st_ctime_ns
                line = (
                    f"{above}/{name} {found.st_ino} {found.st_size} "
                    f"{found.st_mtime_ns} {changed} {found.st_mode}"
                )
                if (changed if _POSIX else found.st_mtime_ns) >= settled:
                    racy, line = True, line + RACY
                lines.append(line)
    return racy
