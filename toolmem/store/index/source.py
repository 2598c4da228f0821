"""What has to be read again: the files whose stamp, or content, has changed."""

from array import array
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from toolmem.core.search.doc import Doc
from toolmem.errors import InvalidFileError, StorageError
from toolmem.store.index import manifest as manifests
from toolmem.store.index.listing import Listing
from toolmem.store.index.manifest import HASH_BYTES, NOTHING, Manifest

if TYPE_CHECKING:
    from hashlib import blake2b

_RACY_NS = 2_000_000_000
"""A file this young may change again within one tick of a coarse clock."""
_UNREAD = bytes(HASH_BYTES)


class Source(NamedTuple):
    """Where documents come from.

    ``list`` gives the files, ``read`` the bytes of one, ``load`` the documents
    in them; the last two may raise ``InvalidFileError`` or ``StorageError``.
    """

    list: Callable[[], Listing]
    read: Callable[[str], bytes]
    load: Callable[[str, bytes], tuple[Doc, ...]]

    def docs(self, path: str) -> tuple[Doc, ...]:
        """The documents of a file; none of one that is gone."""
        try:
            return self.load(path, self.read(path))
        except FileNotFoundError:
            return ()


class Reading:
    """One pass over a listing: what changed goes out, a new manifest is kept."""

    def __init__(
        self, source: Source, listing: Listing, began: int, old: Manifest = NOTHING
    ) -> None:
        """``began`` is the file system's time before anything was read."""
        self._source = source
        self._listing = listing
        self._began = began
        self._old = old
        self._paths: list[str] = []
        self._stamps = array("q")
        self._hashes = bytearray()
        self._racy: list[int] = []
        self._problems: dict[str, str] = {}

    def changes(self) -> Iterator[tuple[str, tuple[Doc, ...]]]:
        """Each path whose documents are other ones now, with these."""
        known = self._old.files()
        known_paths = manifests.paths_from_bytes(self._old.paths)
        racy = {known_paths[at] for at in self._old.racy}
        reasons = dict(self._old.problems)
        for at, path in enumerate(self._listing.paths):
            stamp = self._listing.stamp(at)
            before = known.pop(path, None)
            if before and before[0] == stamp and path not in racy:
                self._keep(path, stamp, before[1], reasons.get(path))
            else:
                yield from self._read(path, stamp, before, reasons.get(path))
        for path, (stamp, digest) in known.items():
            if any(path.startswith(f"{f}/") for f in self._listing.unreadable):
                self._keep(path, stamp, digest, reasons.get(path))
            else:
                yield path, ()

    def manifest(self, engine: dict[str, tuple[int, int, int]]) -> Manifest:
        """What has been read, once `changes` has come to its end."""
        return Manifest(
            paths=manifests.paths_to_bytes(self._paths),
            stamps=manifests.stamps_to_bytes(self._stamps),
            hashes=bytes(self._hashes),
            racy=tuple(self._racy),
            problems=tuple(sorted(self._problems.items())),
            engine=engine,
        )

    def _read(
        self,
        path: str,
        stamp: tuple[int, ...],
        before: tuple[tuple[int, ...], bytes] | None,
        reason: str | None,
    ) -> Iterator[tuple[str, tuple[Doc, ...]]]:
        try:
            data = self._source.read(path)
            digest = _digest(data)
            if before and before[1] == digest:
                self._keep(path, stamp, digest, reason)
                return
            docs = self._source.load(path, data)
        except FileNotFoundError:
            yield path, ()
        except (InvalidFileError, StorageError, OSError) as error:
            self._keep(path, stamp, _UNREAD, str(error))
            yield path, ()
        else:
            self._keep(path, stamp, digest, None)
            yield path, docs

    def _keep(
        self, path: str, stamp: tuple[int, ...], digest: bytes, reason: str | None
    ) -> None:
        if max(stamp[1], stamp[2]) >= self._began - _RACY_NS:
            self._racy.append(len(self._paths))
        self._paths.append(path)
        self._stamps.extend(stamp)
        self._hashes += digest
        if reason is not None:
            self._problems[path] = reason


@cache
def _hasher() -> "Callable[..., blake2b]":
    from hashlib import blake2b  # 4 ms that a search with nothing changed saves

    return blake2b


def _digest(data: bytes) -> bytes:
    return _hasher()(data, digest_size=HASH_BYTES).digest()
