"""Manifest of an index: the stamp and hash of each source file, folder by folder.

It is compared as bytes with the files on disk; only a folder that differs is decoded.
"""

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from zlib import crc32

from toolmem.core.named_tuple import NamedTuple
from toolmem.store.index.listing import (
    STAMP_BYTES,
    FileListing,
    FolderListing,
    Known,
    from_bytes,
)

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
        return sum(len(f.stamps) for f in self.folders.values()) // STAMP_BYTES

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


def manifest_to_bytes(manifest: IndexManifest) -> bytes:
    """Return the content of the manifest's file."""
    pieces: list[bytes] = []
    rows = []
    for path, folder in manifest.folders.items():
        parts = (*folder[1:], manifest.hashes[path])
        rows.append((path, *map(len, parts)))
        pieces += parts
    header = json.dumps(
        {
            "folders": rows,
            "racy": manifest.racy,
            "problems": manifest.problems,
            "engine": dict(manifest.engine),
            "device": manifest.device,
        }
    ).encode()
    body = b"".join((header, b"\n", *pieces))
    return b"%s %08x %d\n%s" % (_MAGIC, crc32(body), len(header), body)


def manifest_from_bytes(data: bytes) -> IndexManifest:
    """Read a manifest. Raises ``BadManifestError`` for anything else."""
    end = data.find(b"\n", 0, 100)
    parts = data[: max(end, 0)].split(b" ")
    body = memoryview(data)[end + 1 :]
    if len(parts) != 3 or parts[0] != _MAGIC or parts[1] != b"%08x" % crc32(body):
        raise BadManifestError("not a manifest, or damaged")
    try:
        size = int(parts[2])
        header = json.loads(bytes(body[:size]))
        folders, hashes = {}, {}
        for path, here, hashed in _folders(header["folders"], body[size + 1 :]):
            folders[path], hashes[path] = here, hashed
        return IndexManifest(
            folders=folders,
            hashes=hashes,
            racy=tuple(header["racy"]),
            problems=tuple((path, why) for path, why in header["problems"]),
            engine={name: tuple(seen) for name, seen in header["engine"].items()},
            device=int(header["device"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadManifestError("not a manifest of this version") from error


def _folders(
    rows: list[tuple[str, int, int, int, int, int]], data: memoryview
) -> Iterator[tuple[str, FolderListing, bytes]]:
    """Yield path, listing and hashes of each folder; ``rows`` have their lengths."""
    start = 0
    for path, *lengths in rows:
        parts = []
        for length in lengths:
            parts.append(bytes(data[start : start + length]))
            start += length
        names, stamps, stamp, folders, hashes = parts
        yield path, FolderListing(path, names, stamps, stamp, folders), hashes
