"""Generations of an index on disk: location, current one, and integrity.

``.toolmem/index/<VERSION>-<LANGUAGE>/`` belongs to this version's format and one
language only: ``lock``, ``current`` (the name of a generation) and one folder per
generation, with the manifest next to tantivy's own folder. A generation is built
separately and then made current by a rename; older ones are removed afterwards, and so
are those of other languages, and those of older formats that were not written for a
week: a version that is still in use writes after every change of the vault.
"""

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from toolmem.core import limits
from toolmem.errors import LockedError
from toolmem.store.files import private
from toolmem.store.index import manifest as manifests
from toolmem.store.index import word_table
from toolmem.store.index.engine import BrokenIndexError, MovedIndexError
from toolmem.store.index.exclusive import locked, make_folders, opened, replace
from toolmem.store.index.manifest import BadManifestError, IndexManifest

FORMAT = 15
"""Raised when the schema, the terms or the manifest change."""
VERSION = f"v{FORMAT}-{word_table.CHECKSUM:08x}"
"""Another table of word vectors makes other vectors."""
_CURRENT = "current"
_MANIFEST = "manifest"
_CHECKED = "checked"
_ENGINE = "tantivy"
_PREFIX = "g"
_LONGEST_NAME = 20
FileStamp = tuple[int, int, int]
"""Size, mtime and ctime."""
_FOOTER_MAGIC = (1337).to_bytes(4, "little")


class Generations:
    """Folder of one vault's index."""

    def __init__(self, state: Path, language: str) -> None:
        """Take the vault's ``.toolmem``."""
        self._state = state
        self.folder = state / "index" / f"{VERSION}-{language}"

    def obstacle(self) -> Path | None:
        """Return a file in place of a folder of the index, if any."""
        places = (self._state / "index", self.folder)
        return next((p for p in places if p.exists() and not p.is_dir()), None)

    def require_folder(self) -> None:
        """Make the folder; raises ``OSError``, also for a link in its place."""
        make_folders(self._state, self._state / "index", self.folder)

    @contextmanager
    def lock(self, seconds: float) -> Iterator[int]:
        """Lock for writing; yields the file system's current time, in ns.

        Raises ``LockedError`` if another process writes for longer than ``seconds``.
        """
        doing = "building the search index"
        with locked(self.folder / "lock", seconds, doing) as now:
            yield now

    def current(self) -> Path | None:
        """Return the folder of the current generation."""
        try:
            with opened(self.folder / _CURRENT) as file:
                name = file.read(_LONGEST_NAME + 1).decode("ascii")
        except (OSError, UnicodeError):
            return None
        number = name.removeprefix(_PREFIX)
        is_name = number.isdecimal() and len(name) <= _LONGEST_NAME
        return self.folder / name if is_name else None

    def new(self) -> Path:
        """Make a folder for a new generation, with an empty one for tantivy in it."""
        taken = [
            int(path.name[1:])
            for path in self.folder.glob(f"{_PREFIX}*")
            if path.name[1:].isdecimal()
        ]
        folder = self.folder / f"{_PREFIX}{max(taken, default=0) + 1}"
        private.make_folder(folder / _ENGINE)
        return folder

    def make_current(self, folder: Path) -> None:
        """Point to this generation and remove all others."""
        replace(self.folder / _CURRENT, folder.name.encode())
        self.sweep(folder)
        for path in self.folder.parent.glob(f"v{FORMAT}-*"):
            if path != self.folder:
                remove_folder(path)

    def sweep_formats(self, now: int) -> None:
        """Remove indexes of older formats that no process writes, or lately wrote.

        ``now`` is in ns. If one is read after all, its version builds another.
        """
        oldest = now - limits.OLD_INDEX_SECONDS * 10**9
        for path in self.folder.parent.glob("v*"):
            lock = path / "lock"
            with suppress(OSError, LockedError):
                if not _is_older(path) or lock.stat().st_mtime_ns > oldest:
                    continue
                with locked(lock, 0, "writing"):
                    remove_folder(path)

    def sweep(self, keep: Path | None) -> None:
        """Remove every generation but one; on Windows those in use stay."""
        for path in self.folder.glob(f"{_PREFIX}*"):
            if path != keep:
                remove_folder(path)


def _is_older(folder: Path) -> bool:
    match = re.fullmatch(r"v(\d+)(-.*)?", folder.name)
    return match is not None and int(match[1]) < FORMAT and not folder.is_symlink()


def engine_folder(generation: Path) -> Path:
    """Return tantivy's folder."""
    return generation / _ENGINE


class Generation(NamedTuple):
    """A generation as it was read; ``stamp`` is that of its manifest's file."""

    folder: Path
    manifest: IndexManifest
    stamp: tuple[int, ...]


def read_generation(folder: Path, before: Generation | None = None) -> Generation:
    """Return a generation, if its manifest and tantivy's files are as written.

    The manifest is not read again if it is as ``before``. Raises ``BrokenIndexError``.
    """
    place = folder / _MANIFEST
    try:
        with opened(place) as file:
            stamp = _stamp(os.fstat(file.fileno()))
            if before is None or (before.folder, before.stamp) != (folder, stamp):
                manifest = manifests.read_manifest(file)
                before = Generation(folder, manifest, stamp)
        files = engine_files(folder)
    except FileNotFoundError as error:
        raise MovedIndexError("it was removed") from error
    except (OSError, BadManifestError) as error:
        raise BrokenIndexError(f"the manifest is damaged: {error}") from error
    if files == before.manifest.engine:
        return before
    if _is_copy(files, before.manifest.engine):
        raise MovedIndexError("it was copied or moved")
    raise BrokenIndexError("its files are not as they were left")


def _is_copy(files: Mapping[str, FileStamp], left: Mapping[str, FileStamp]) -> bool:
    """Return True if every file has its size and another time, as after a copy."""
    return files.keys() == left.keys() and all(
        size == left[name][0] and changed != left[name][2]
        for name, (size, _, changed) in files.items()
    )


def write_manifest(folder: Path, manifest: IndexManifest) -> Generation:
    """Replace the manifest of a generation; for the holder of the lock."""
    place = folder / _MANIFEST
    replace(place, *manifests.manifest_pieces(manifest))
    return Generation(folder, manifest, _stamp(place.stat()))


def _stamp(status: os.stat_result) -> tuple[int, ...]:
    return (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def device_of(generation: Path) -> int:
    """Return the device of a new generation, if the time of a folder there changes with
    the names in it, as on most file systems; else -1."""
    probe = generation / "probe"
    try:
        os.utime(generation, (0, 0))
        probe.touch()
        probe.unlink()
        status = generation.stat()
    except OSError:
        return -1
    return status.st_dev if status.st_mtime_ns else -1


def last_check(generation: Path) -> int:
    """Return the time of the last check of every file, in ns; 0 if unknown."""
    try:
        with opened(generation / _CHECKED) as file:
            return int(file.read(_LONGEST_NAME))
    except (OSError, ValueError):
        return 0


def note_check(generation: Path, began: int) -> None:
    """Record the time at which a check of every file began, in ns."""
    with suppress(OSError):
        replace(generation / _CHECKED, b"%d" % began)


def engine_files(generation: Path) -> dict[str, FileStamp]:
    """Map names to the stamps of tantivy's files, without its lock files."""
    with os.scandir(generation / _ENGINE) as entries:
        return {
            entry.name: (status.st_size, status.st_mtime_ns, status.st_ctime_ns)
            for entry in entries
            if not entry.name.endswith(".lock") and (status := entry.stat())
        }


def damaged_files(generation: Path) -> tuple[str, ...]:
    """Return the segment files whose checksum is wrong; each is read in full.

    A file ends in its body's CRC as JSON, the length of that, and a number that marks a
    footer (tantivy checks it only on request, which Python cannot make).
    """
    bad = []
    try:
        meta = json.loads((generation / _ENGINE / "meta.json").read_bytes())
        segments = {s["segment_id"].replace("-", "") for s in meta["segments"]}
        files = sorted((generation / _ENGINE).iterdir())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ("meta.json",)
    for path in files:
        if path.name.partition(".")[0] in segments and not _is_whole(path):
            bad.append(path.name)
    return tuple(bad)


def _is_whole(path: Path) -> bool:
    try:
        data = memoryview(path.read_bytes())
        if data[-4:] != _FOOTER_MAGIC:
            return False
        size = int.from_bytes(data[-8:-4], "little")
        footer = json.loads(bytes(data[-8 - size : -8]))
        return bool(footer["crc"] == crc32(data[: -8 - size]))
    except (OSError, ValueError, KeyError, TypeError):
        return False


def remove_folder(folder: Path) -> None:
    """Remove a folder and all in it, as far as that is possible."""
    shutil.rmtree(folder, ignore_errors=True)
