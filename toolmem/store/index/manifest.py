"""Manifest of an index: the stamp and hash of each source file.

It is compared as bytes with the files on disk, and decoded only if they differ. Paths
are separated by NUL; numbers are little-endian.
"""

import json
import sys
from array import array
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple
from zlib import crc32

from toolmem.store.index.listing import WIDTH, FileListing

_MAGIC = b"toolmem-manifest"
HASH_BYTES = 8
STAMP_BYTES = 8 * WIDTH


class BadManifestError(ValueError):
    """The bytes are not a manifest of this version; the index is rebuilt."""


class IndexManifest(NamedTuple):
    """Files of an index as they were read.

    ``racy`` are positions of files that may have changed since with the same stamp;
    ``problems`` pairs of path and reason; ``engine`` contains size, mtime and ctime of
    the files of the index itself.
    """

    paths: bytes = b""
    stamps: bytes = b""
    hashes: bytes = b""
    racy: tuple[int, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
    engine: Mapping[str, tuple[int, int, int]] = MappingProxyType({})

    def matches(self, listing: FileListing) -> bool:
        """Return True if the files on disk have the stamps of those read."""
        return self.stamps == stamps_to_bytes(
            listing.stamps
        ) and self.paths == paths_to_bytes(listing.paths)

    def path_list(self) -> list[str]:
        """Return the paths, in order."""
        return paths_from_bytes(self.paths)

    def stamp(self, at: int) -> bytes:
        """Return the stamp of the file at a position."""
        return self.stamps[at * STAMP_BYTES : (at + 1) * STAMP_BYTES]

    def digest(self, at: int) -> bytes:
        """Return the hash of the file at a position."""
        return self.hashes[at * HASH_BYTES : (at + 1) * HASH_BYTES]


def identity(manifest: IndexManifest) -> bytes:
    """Return a digest that is equal for manifests of the same documents."""
    from hashlib import blake2b  # only a search by meaning needs it

    engine = repr(sorted(manifest.engine.items())).encode()
    parts = (manifest.paths, manifest.hashes, engine)
    return blake2b(b"\0\0".join(parts), digest_size=16).digest()


NOTHING = IndexManifest()
"""Manifest of an index that does not exist yet."""


def paths_to_bytes(paths: list[str]) -> bytes:
    """Encode paths; names may contain any bytes."""
    return "\0".join(paths).encode("utf-8", "surrogateescape")


def paths_from_bytes(data: bytes) -> list[str]:
    """Decode paths."""
    return data.decode("utf-8", "surrogateescape").split("\0") if data else []


def stamps_to_bytes(stamps: "array[int]") -> bytes:
    """Encode stamps."""
    if sys.byteorder == "big":
        stamps = array("q", stamps)
        stamps.byteswap()
    return stamps.tobytes()


def stamps_from_bytes(data: bytes) -> "array[int]":
    """Decode stamps."""
    stamps = array("q")
    stamps.frombytes(data)
    if sys.byteorder == "big":
        stamps.byteswap()
    return stamps


def to_bytes(manifest: IndexManifest) -> bytes:
    """Return the content of the manifest's file."""
    header = json.dumps(
        {
            "sizes": [
                len(manifest.paths),
                len(manifest.stamps),
                len(manifest.hashes),
            ],
            "racy": manifest.racy,
            "problems": manifest.problems,
            "engine": dict(manifest.engine),
        }
    ).encode()
    body = b"".join((header, b"\n", manifest.paths, manifest.stamps, manifest.hashes))
    return b"%s %08x %d\n%s" % (_MAGIC, crc32(body), len(header), body)


def from_bytes(data: bytes) -> IndexManifest:
    """Read a manifest. Raises ``BadManifestError`` for anything else."""
    first, _, body = data.partition(b"\n")
    parts = first.split(b" ")
    if len(parts) != 3 or parts[0] != _MAGIC or parts[1] != b"%08x" % crc32(body):
        raise BadManifestError("not a manifest, or damaged")
    try:
        size = int(parts[2])
        header = json.loads(body[:size])
        paths, stamps, hashes = header["sizes"]
        start = size + 1
        return IndexManifest(
            paths=body[start : start + paths],
            stamps=body[start + paths : start + paths + stamps],
            hashes=body[start + paths + stamps : start + paths + stamps + hashes],
            racy=tuple(header["racy"]),
            problems=tuple((path, why) for path, why in header["problems"]),
            engine={name: tuple(seen) for name, seen in header["engine"].items()},
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadManifestError("not a manifest of this version") from error
