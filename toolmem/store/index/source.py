"""Find the files to read again: those with a changed stamp or content."""

import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from toolmem.core.search.doc import Doc
from toolmem.errors import InvalidFileError, StorageError
from toolmem.store.index import listing as listings
from toolmem.store.index.listing import (
    Depth,
    FileListing,
    FolderListing,
    Known,
    every_file,
    to_bytes,
)
from toolmem.store.index.manifest import (
    HASH_BYTES,
    NO_FOLDER,
    NOTHING,
    IndexManifest,
)

if TYPE_CHECKING:
    from hashlib import blake2b

RACY_NS = 2_000_000_000
"""A file or folder this young may change again within one tick of a coarse clock."""
_UNREAD = bytes(HASH_BYTES)


class DocumentSource(NamedTuple):
    """Source of documents.

    ``list`` returns the files, ``read`` the bytes of one, ``load`` the documents in
    them; the last two may raise ``InvalidFileError`` or ``StorageError``. ``check``
    lists the files again, given the folders known and how deep to check each.
    """

    list: Callable[[], FileListing]
    read: Callable[[str], bytes]
    load: Callable[[str, bytes], tuple[Doc, ...]]
    check: Callable[[Known, Callable[[str], Depth]], FileListing] | None = None

    def listing(
        self, known: Known, depth: Callable[[str], Depth] = every_file
    ) -> FileListing:
        """Return the files, with the help of what is ``known`` of their folders."""
        return self.check(known, depth) if self.check else self.list()

    def docs(self, path: str) -> tuple[Doc, ...]:
        """Return the documents of a file; none of a missing one."""
        try:
            return self.load(path, self.read(path))
        except FileNotFoundError:
            return ()


def same(source: DocumentSource, manifest: IndexManifest) -> bool:
    """Return True if files that may have changed with the same stamp have not."""
    try:
        return all(
            _digest(source.read(path)) == manifest.digest(path)
            for path in manifest.racy
        )
    except (InvalidFileError, StorageError, OSError):
        return False


def unsettled(listing: FileListing, manifest: IndexManifest) -> bool:
    """Return True if the stamp of a folder can be recorded from now on."""
    until = time.time_ns() - RACY_NS
    known = manifest.folders
    return any(
        _is_settled(folder.stamp, until, manifest.device)
        for folder in listing.folders
        if known.get(folder.path, NO_FOLDER).stamp != folder.stamp
    )


class IndexScan:
    """One pass over a listing: yields changes and builds a new manifest."""

    def __init__(
        self,
        source: DocumentSource,
        listing: FileListing,
        began: int,
        old: IndexManifest = NOTHING,
    ) -> None:
        """Take the file system's time before anything was read as ``began``."""
        self._source = source
        self._listing = listing
        self._young = began - RACY_NS
        self._listed = self._young - (time.monotonic_ns() - listing.taken)
        self._old = old
        self._folders: dict[str, FolderListing] = {}
        self._hashes: dict[str, bytes] = {}
        self._racy: list[str] = []
        self._problems = dict(old.problems)

    def changes(self) -> Iterator[tuple[str, tuple[Doc, ...]]]:
        """Yield each path whose documents changed, with the new ones."""
        gone = dict(self._old.folders)
        racy = frozenset(self._old.racy)
        doubtful = {path.rpartition("/")[0] for path in racy}
        for folder in self._listing.folders:
            before = gone.pop(folder.path, NO_FOLDER)
            if before.same_files(folder) and folder.path not in doubtful:
                self._keep(folder, self._old.hashes.get(folder.path, b""))
            else:
                yield from self._compare(folder, before, racy)
        for path, before in gone.items():
            if any(f"{path}/".startswith(f"{f}/") for f in self._listing.unreadable):
                self._keep(before, self._old.hashes[path])
            else:
                yield from map(self._gone, before.paths())

    def manifest(
        self, engine: dict[str, tuple[int, int, int]], device: int
    ) -> IndexManifest:
        """Return the manifest, once `changes` is exhausted.

        ``device``: see ``IndexManifest``.
        """
        return IndexManifest(
            folders={
                path: self._settled(f, device) for path, f in self._folders.items()
            },
            hashes=self._hashes,
            racy=tuple(self._racy),
            problems=tuple(sorted(self._problems.items())),
            engine=engine,
            device=device,
        )

    def _compare(
        self, folder: FolderListing, before: FolderListing, racy: frozenset[str]
    ) -> Iterator[tuple[str, tuple[Doc, ...]]]:
        """Yield the changes in one folder."""
        hashes = self._old.hashes.get(folder.path, b"")
        places = {path: at for at, path in enumerate(before.paths())}
        stamps_before = listings.split_stamps(before.stamps)
        names: list[str] = []
        stamps: list[bytes] = []
        digests: list[bytes] = []
        each = zip(folder.paths(), listings.split_stamps(folder.stamps), strict=True)
        for path, stamp in each:
            was = places.pop(path, -1)
            digest = _hash_at(hashes, was) if was >= 0 else b""
            known = stamps_before[was] if was >= 0 else b""
            if stamp != known or path in racy:
                digest, docs = self._read(path, stamp, digest)
                if docs is not None:
                    yield path, docs
            if digest:
                names.append(path.rpartition("/")[2])
                stamps.append(stamp)
                digests.append(digest)
        yield from map(self._gone, places)
        joined = b"".join(stamps)
        same_names = folder._replace(names=to_bytes(names), stamps=joined)
        self._keep(same_names, b"".join(digests))

    def _read(
        self, path: str, stamp: bytes, before: bytes
    ) -> tuple[bytes, tuple[Doc, ...] | None]:
        """Read a file whose hash was ``before``.

        Returns its hash, empty if it is gone; and its documents, None if unchanged.
        """
        try:
            data = self._source.read(path)
            digest = _digest(data)
            docs = None if digest == before else self._source.load(path, data)
        except FileNotFoundError:
            return b"", self._gone(path)[1]
        except (InvalidFileError, StorageError, OSError) as error:
            self._problems[path] = str(error)
            digest, docs = _UNREAD, ()
        else:
            if docs is not None:
                self._problems.pop(path, None)
        if listings.times_of_stamps(stamp)[0] >= self._young:
            self._racy.append(path)
        return digest, docs

    def _gone(self, path: str) -> tuple[str, tuple[Doc, ...]]:
        self._problems.pop(path, None)
        return path, ()

    def _keep(self, folder: FolderListing, hashes: bytes) -> None:
        self._folders[folder.path] = folder
        self._hashes[folder.path] = hashes

    def _settled(self, folder: FolderListing, device: int) -> FolderListing:
        """Return the listing without the stamp of a folder that may change again
        within one tick of a coarse clock."""
        before = self._old.folders.get(folder.path, NO_FOLDER)
        if folder.stamp == before.stamp:
            return folder
        if _is_settled(folder.stamp, self._listed, device):
            return folder
        return folder._replace(stamp=b"")


def _hash_at(hashes: bytes, at: int) -> bytes:
    return hashes[at * HASH_BYTES : (at + 1) * HASH_BYTES]


def _is_settled(stamp: bytes, until: int, device: int) -> bool:
    return (
        bool(stamp)
        and listings.is_on_device(stamp, device)
        and listings.times_of_stamps(stamp)[0] < until
    )


@cache
def _hasher() -> "Callable[..., blake2b]":
    from hashlib import blake2b  # 4 ms, which an unchanged index does not need

    return blake2b


def _digest(data: bytes) -> bytes:
    return _hasher()(data, digest_size=HASH_BYTES).digest()
