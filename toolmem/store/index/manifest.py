"""What an index was built from: the stamp and hash of each file, in one file.

It is compared as bytes with what is on the disk now, and taken apart only if
they differ. Paths are separated by NUL; numbers are little-endian.
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
    """The bytes are no manifest of this version; the index is built anew."""


class IndexManifest(NamedTuple):
    """The files of an index as they were read.

    ``racy`` are places of files that may have changed since without a trace
    in their stamp; ``problems`` pairs of path and reason; ``engine`` holds
    size, mtime and ctime of the files of the index itself.
    """

    paths: bytes = b""
    stamps: bytes = b""
    hashes: bytes = b""
    racy: tuple[int, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
    engine: Mapping[str, tuple[int, int, int]] = MappingProxyType({})

    def matches(self, listing: FileListing) -> bool:
        """Whether the disk holds what was read, going by stamps."""
        return self.stamps == stamps_to_bytes(
            listing.stamps
        ) and self.paths == paths_to_bytes(listing.paths)

    def path_list(self) -> list[str]:
        """The paths, in order."""
        return paths_from_bytes(self.paths)

    def stamp(self, at: int) -> bytes:
        """The stamp of the file in this place."""
        return self.stamps[at * STAMP_BYTES : (at + 1) * STAMP_BYTES]

    def digest(self, at: int) -> bytes:
        """The hash of the file in this place."""
        return self.hashes[at * HASH_BYTES : (at + 1) * HASH_BYTES]


def identity(manifest: IndexManifest) -> bytes:
    """The same for manifests of the same documents."""
    from hashlib import blake2b  # only a search by meaning needs it

    engine = repr(sorted(manifest.engine.items())).encode()
    parts = (manifest.paths, manifest.hashes, engine)
    return blake2b(b"\0\0".join(parts), digest_size=16).digest()


NOTHING = IndexManifest()
"""Of an index that is not there yet."""


def paths_to_bytes(paths: list[str]) -> bytes:
    """Paths in one piece, whatever bytes their names hold."""
    return "\0".join(paths).encode("utf-8", "surrogateescape")


def paths_from_bytes(data: bytes) -> list[str]:
    """The paths again."""
    return data.decode("utf-8", "surrogateescape").split("\0") if data else []


def stamps_to_bytes(stamps: "array[int]") -> bytes:
    """Numbers in one piece."""
    if sys.byteorder == "big":
        stamps = array("q", stamps)
        stamps.byteswap()
    return stamps.tobytes()


def stamps_from_bytes(data: bytes) -> "array[int]":
    """The numbers again."""
    stamps = array("q")
    stamps.frombytes(data)
    if sys.byteorder == "big":
        stamps.byteswap()
    return stamps


def to_bytes(manifest: IndexManifest) -> bytes:
    """The manifest as a file."""
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
