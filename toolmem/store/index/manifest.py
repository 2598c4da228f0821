"""Manifest of an index: the stamp and hash of each source file, folder by folder.

It is compared as bytes with the files on disk; only a folder that differs is decoded.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import BinaryIO, NamedTuple

from toolmem.store.listing import checked_file
from toolmem.store.listing import stamps as file_stamps
from toolmem.store.listing.listing import FileListing, FolderListing, Known, from_bytes

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
        return sum(file_stamps.count(f.stamps) for f in self.folders.values())

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
    return checked_file.pieces(_MAGIC, about, groups)


def read_manifest(file: BinaryIO) -> IndexManifest:
    """Read a manifest. Raises ``BadManifestError`` for anything else."""
    try:
        about, groups = checked_file.read(file, _MAGIC)
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
