"""Manifest of an index: the stamp and hash of each source file, folder by folder.

It is compared as bytes with the files on disk; only a folder that differs is decoded.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, BinaryIO, NamedTuple
from zlib import crc32

from toolmem.store.index import listing as listings
from toolmem.store.index.listing import FileListing, FolderListing, Known, from_bytes

_MAGIC = b"toolmem-manifest"
HASH_BYTES = 8


class BadManifestError(ValueError):
    """The bytes are not a manifest of this version; the index is rebuilt."""


class IndexManifest(NamedTuple):
    """Files of an index as they were read, by folder.

    ``hashes`` has the hash of each file, in the order of the listing. ``racy`` are
    files that may have changed since with the same stamp; ``problems`` pairs of path
    and reason; ``engine`` contains size, mtime and ctime of the files of the index
    itself. On ``device`` the time of a folder changes with the names in it (-1: on
    none); stamps of folders on others are not recorded.
    """

    folders: Known = MappingProxyType({})
    hashes: Mapping[str, bytes] = MappingProxyType({})
    racy: tuple[str, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
    engine: Mapping[str, tuple[int, int, int]] = MappingProxyType({})
    device: int = -1

    def matches(self, listing: FileListing) -> bool:
        """Return True if the files on disk have the stamps of those read."""
        seen = {folder.path for folder in listing.folders}
        gone = (f for path, f in self.folders.items() if path not in seen)
        return not any(folder.names for folder in gone) and all(
            self.folders.get(folder.path, NO_FOLDER).same_files(folder)
            for folder in listing.folders
        )

    @property
    def file_count(self) -> int:
        """Number of files."""
        return sum(listings.count_stamps(f.stamps) for f in self.folders.values())

    @property
    def content(self) -> bytes:
        """Bytes that differ when the documents do: what is known of the engine's files,
        which each change replaces."""
        return repr(sorted(self.engine.items())).encode()

    def paths_named(self, name: str) -> list[str]:
        """Return the paths of the files with a name."""
        data = name.encode("utf-8", "surrogateescape")
        return [
            f"{path}/{name}" if path else name
            for path, folder in self.folders.items()
            if data in folder.names and name in from_bytes(folder.names)
        ]

    def digest(self, path: str) -> bytes:
        """Return the hash of a file."""
        folder, _, name = path.rpartition("/")
        at = from_bytes(self.folders[folder].names).index(name)
        return self.hashes[folder][at * HASH_BYTES : (at + 1) * HASH_BYTES]


NOTHING = IndexManifest()
"""Manifest of an index that does not exist yet."""
NO_FOLDER = FolderListing("")


def manifest_pieces(manifest: IndexManifest) -> list[bytes]:
    """Return the content of the manifest's file."""
    about = {
        "folders": [*manifest.folders],
        "racy": manifest.racy,
        "problems": manifest.problems,
        "engine": dict(manifest.engine),
        "device": manifest.device,
    }
    groups = (
        (*folder[1:], manifest.hashes[path])
        for path, folder in manifest.folders.items()
    )
    return checked_pieces(_MAGIC, about, groups)


def read_manifest(file: BinaryIO) -> IndexManifest:
    """Read a manifest. Raises ``BadManifestError`` for anything else."""
    try:
        about, groups = read_checked(file, _MAGIC)
        folders, hashes = {}, {}
        for path, (*parts, hashed) in zip(about["folders"], groups, strict=True):
            folders[path], hashes[path] = FolderListing(path, *parts), hashed
        return IndexManifest(
            folders=folders,
            hashes=hashes,
            racy=tuple(about["racy"]),
            problems=tuple((path, why) for path, why in about["problems"]),
            engine={name: tuple(seen) for name, seen in about["engine"].items()},
            device=int(about["device"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadManifestError("not a manifest of this version") from error


_LONGEST_KEY = 1000


class BadFileError(ValueError):
    """The file is damaged, or of another version."""


def checked_pieces(
    key: bytes, about: Any, groups: Iterable[Sequence[bytes]]
) -> list[bytes]:
    """Return the content of a file; ``key`` is the beginning of its first line."""
    parts: list[bytes] = []
    sizes = []
    for group in groups:
        sizes.append([*map(len, group)])
        parts += group
    header = json.dumps([about, sizes]).encode() + b"\n"
    first = b"%s %s %s\n" % (key, _checksum(header), _checksum(*parts))
    return [first, header, *parts]


def read_checked(file: BinaryIO, key: bytes) -> tuple[Any, list[list[bytes]]]:
    """Return the line about the groups, and these. Raises ``BadFileError``."""
    first = file.readline(_LONGEST_KEY)
    header = file.readline() if first.startswith(key) else b""
    # A damaged one could have any sizes.
    if first.rsplit(b" ", 2)[:2] != [key, _checksum(header)]:
        raise BadFileError("damaged, or of another version")
    about, sizes = json.loads(header)
    groups: list[list[bytes]] = []
    of_groups = 0
    for each in sizes:
        data = file.read(sum(each))
        of_groups = crc32(data, of_groups)
        groups.append(list(_cut(data, each)))
    if first.rsplit(b" ", 1)[1] != b"%08x\n" % of_groups or file.read(1):
        raise BadFileError("damaged")
    return about, groups


def _checksum(*parts: bytes) -> bytes:
    checksum = 0
    for part in parts:
        checksum = crc32(part, checksum)
    return b"%08x" % checksum


def _cut(data: bytes, sizes: Iterable[int]) -> Iterator[bytes]:
    start = 0
    for size in sizes:
        yield data[start : start + size]
        start += size
