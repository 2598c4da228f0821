"""Find the files to read again: those with a changed stamp or content."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from toolmem.core.search.doc import Doc
from toolmem.errors import InvalidFileError, StorageError
from toolmem.store.index import manifest as manifests
from toolmem.store.index.listing import FileListing
from toolmem.store.index.manifest import (
    HASH_BYTES,
    NOTHING,
    STAMP_BYTES,
    IndexManifest,
)

if TYPE_CHECKING:
    from hashlib import blake2b

_RACY_NS = 2_000_000_000
"""A file this young may change again within one tick of a coarse clock."""
_UNREAD = bytes(HASH_BYTES)


class DocumentSource(NamedTuple):
    """Source of documents.

    ``list`` returns the files, ``read`` the bytes of one, ``load`` the documents in
    them; the last two may raise ``InvalidFileError`` or ``StorageError``.
    """

    list: Callable[[], FileListing]
    read: Callable[[str], bytes]
    load: Callable[[str, bytes], tuple[Doc, ...]]

    def docs(self, path: str) -> tuple[Doc, ...]:
        """Return the documents of a file; none of a missing one."""
        try:
            return self.load(path, self.read(path))
        except FileNotFoundError:
            return ()


def same(source: DocumentSource, manifest: IndexManifest) -> bool:
    """Return True if files that may have changed with the same stamp have not."""
    paths = manifest.path_list()
    try:
        return all(
            _digest(source.read(paths[at])) == manifest.digest(at)
            for at in manifest.racy
        )
    except (InvalidFileError, StorageError, OSError):
        return False


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
        self._began = began
        self._old = old
        self._paths: list[str] = []
        self._stamps: list[bytes] = []
        self._hashes: list[bytes] = []
        self._racy: list[int] = []
        self._problems: dict[str, str] = {}

    def changes(self) -> Iterator[tuple[str, tuple[Doc, ...]]]:
        """Yield each path whose documents changed, with the new ones."""
        old, racy = self._old, set(self._old.racy)
        reasons = dict(old.problems)
        places = {path: at for at, path in enumerate(old.path_list())}
        stamps = manifests.stamps_to_bytes(self._listing.stamps)
        for at, path in enumerate(self._listing.paths):
            stamp = stamps[at * STAMP_BYTES : (at + 1) * STAMP_BYTES]
            before = places.pop(path, -1)
            if before < 0:
                yield from self._read(path, stamp, b"", None)
            elif before in racy or old.stamp(before) != stamp:
                digest = old.digest(before)
                yield from self._read(path, stamp, digest, reasons.get(path))
            else:
                self._keep(path, stamp, old.digest(before), reasons.get(path))
        for path, before in places.items():
            if any(path.startswith(f"{f}/") for f in self._listing.unreadable):
                stamp, digest = old.stamp(before), old.digest(before)
                self._keep(path, stamp, digest, reasons.get(path))
            else:
                yield path, ()

    def manifest(self, engine: dict[str, tuple[int, int, int]]) -> IndexManifest:
        """Return the manifest, once `changes` is exhausted."""
        return IndexManifest(
            paths=manifests.paths_to_bytes(self._paths),
            stamps=b"".join(self._stamps),
            hashes=b"".join(self._hashes),
            racy=tuple(self._racy),
            problems=tuple(sorted(self._problems.items())),
            engine=engine,
        )

    def _read(
        self, path: str, stamp: bytes, before: bytes, reason: str | None
    ) -> Iterator[tuple[str, tuple[Doc, ...]]]:
        """Read a file; ``before`` is its last hash, ``reason`` why that read failed."""
        _, changed, renewed, _ = manifests.stamps_from_bytes(stamp)
        if max(changed, renewed) >= self._began - _RACY_NS:
            self._racy.append(len(self._paths))
        try:
            data = self._source.read(path)
            digest = _digest(data)
            if before == digest:
                self._keep(path, stamp, digest, reason)
                return
            docs = self._source.load(path, data)
        except FileNotFoundError:
            if self._racy[-1:] == [len(self._paths)]:
                self._racy.pop()
            yield path, ()
        except (InvalidFileError, StorageError, OSError) as error:
            self._keep(path, stamp, _UNREAD, str(error))
            yield path, ()
        else:
            self._keep(path, stamp, digest, None)
            yield path, docs

    def _keep(self, path: str, stamp: bytes, digest: bytes, reason: str | None) -> None:
        self._paths.append(path)
        self._stamps.append(stamp)
        self._hashes.append(digest)
        if reason is not None:
            self._problems[path] = reason


@cache
def _hasher() -> "Callable[..., blake2b]":
    from hashlib import blake2b  # 4 ms, which an unchanged index does not need

    return blake2b


def _digest(data: bytes) -> bytes:
    return _hasher()(data, digest_size=HASH_BYTES).digest()
