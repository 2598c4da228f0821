"""Search index of a vault, updated before each answer.

It is a cache: if anything is wrong with it, it is rebuilt, or every file is read
instead, with a remark.
"""

import shutil
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from toolmem.core import limits
from toolmem.core.language.language import ENGLISH, Language
from toolmem.core.search.corpus import Corpus, View
from toolmem.core.search.doc import Doc
from toolmem.core.search.scan import Scan
from toolmem.errors import InvalidFileError, LockedError, StorageError
from toolmem.store.index import codec, engine
from toolmem.store.index.engine import BrokenIndexError, EngineGuard
from toolmem.store.index.generation import (
    Generations,
    damaged_files,
    engine_files,
    engine_folder,
    read_manifest,
    write_manifest,
)
from toolmem.store.index.listing import FileListing
from toolmem.store.index.manifest import IndexManifest, identity
from toolmem.store.index.reader import IndexCorpus, IndexSnapshot
from toolmem.store.index.source import DocumentSource, IndexScan, same

T = TypeVar("T")
_LITTER = 1000
"""Deleted documents, in excess of the live ones, at which an index is rebuilt."""

Problems = tuple[tuple[str, str], ...]
"""Paths of files without searchable content, and why."""


class OpenIndex(Protocol):
    """An open index that answers questions; ``remarks`` are for people."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Problems of the index."""

    @property
    def problems(self) -> Problems:
        """Problems of files."""

    @property
    def content(self) -> bytes:
        """Digest of the documents; empty if unknown."""

    def corpus(self, view: View) -> Corpus:
        """Return the documents that the view shows."""

    def documents(self) -> Iterable[Doc]:
        """Return every document, regardless of visibility."""


class IndexStatus(NamedTuple):
    """``state`` is ``fresh``, ``stale``, ``missing`` or ``broken``."""

    state: str
    reason: str = ""
    documents: int = 0
    files: int = 0
    bytes: int = 0
    folder: str = ""
    problems: Problems = ()


class Index:
    """Index of one vault, in its ``.toolmem``."""

    def __init__(
        self,
        state: Path,
        source: DocumentSource,
        *,
        language: Language = ENGLISH,
        wait: float = limits.LOCK_SECONDS,
    ) -> None:
        """Take the time in seconds to ``wait`` for another writer."""
        self._generations = Generations(state, language.code)
        self._language = language
        self._source = source
        self._wait = wait

    def answer(self, ask: Callable[[OpenIndex], T]) -> T:
        """Ask a question of all documents as they are now.

        ``ask`` may be called again if the index turns out to be damaged.
        """
        listing = self._source.list()
        remarks: list[str] = []
        for again in (False, True):
            try:
                opened = self._current(listing, again, remarks)
            except BrokenIndexError as error:
                remarks.append(f"the search index is damaged ({error})")
                continue
            except (OSError, LockedError, StorageError) as error:
                remarks.append(f"the search index cannot be used ({error})")
                break
            try:
                return ask(opened)
            except BrokenIndexError as error:
                remarks.append(f"the search index is damaged ({error})")
        remarks.append("every file was read instead")
        return ask(
            _ScanSearch.of(self._source, listing, tuple(remarks), self._language)
        )

    def status(self) -> IndexStatus:
        """Return whether the index is up to date, without changing it."""
        obstacle = self._generations.obstacle()
        if obstacle is not None:
            reason = f"{obstacle} is a file, not a folder"
            return IndexStatus("broken", reason, folder=str(obstacle))
        folder = self._generations.current()
        if folder is None or not folder.is_dir():
            return IndexStatus("missing")
        try:
            manifest = read_manifest(folder)
            fresh = manifest.matches(self._source.list())
            return _status(folder, manifest, "fresh" if fresh else "stale")
        except BrokenIndexError as error:
            return IndexStatus("broken", str(error), folder=str(folder))

    def rebuild(self) -> IndexStatus:
        """Rebuild the index from every file.

        Raises ``LockedError`` and ``StorageError``.
        """
        listing = self._source.list()
        try:
            self._generations.require_folder()
            with self._generations.lock(self._wait) as began:
                manifest = self._build(listing, began)
                return _status(self._generations.current(), manifest, "fresh")
        except (OSError, BrokenIndexError) as error:
            raise StorageError(f"the search index cannot be built: {error}") from error

    def verify(self) -> tuple[str, ...]:
        """Check every byte of the current generation; return what is wrong."""
        folder = self._generations.current()
        if folder is None or not folder.is_dir():
            return ()
        found = tuple(
            f"{name}: the checksum is wrong" for name in damaged_files(folder)
        )
        try:
            read_manifest(folder)
            _search(folder)
        except BrokenIndexError as error:
            return (*found, str(error))
        return found

    def _current(
        self, listing: FileListing, rebuild: bool, remarks: list[str]
    ) -> "_IndexSearch":
        """Return an index of this listing, updated or rebuilt as needed."""
        folder = None if rebuild else self._generations.current()
        young: IndexManifest | None = None
        if folder is not None:
            try:
                manifest = read_manifest(folder)
                if manifest.matches(listing):
                    young = manifest
                    if not manifest.racy:
                        return self._opened(folder, manifest, remarks)
            except BrokenIndexError:
                pass  # another writer may be active: check again under the lock
        try:
            return self._brought_up_to_date(listing, rebuild, remarks)
        except (OSError, LockedError):
            # Nothing can be written, but the index may still be current.
            if folder is None or young is None or not same(self._source, young):
                raise
            return self._opened(folder, young, remarks)

    def _opened(
        self, folder: Path, manifest: IndexManifest, remarks: list[str]
    ) -> "_IndexSearch":
        return _IndexSearch(_search(folder), manifest, tuple(remarks), self._language)

    def _brought_up_to_date(
        self, listing: FileListing, rebuild: bool, remarks: list[str]
    ) -> "_IndexSearch":
        self._generations.require_folder()
        with self._generations.lock(self._wait) as began:
            manifest = self._refresh(listing, began, rebuild, remarks)
            folder = self._generations.current()
            if folder is None:
                raise BrokenIndexError("it is gone")
            return self._opened(folder, manifest, remarks)

    def _refresh(
        self, listing: FileListing, began: int, rebuild: bool, remarks: list[str]
    ) -> IndexManifest:
        folder = self._generations.current()
        if rebuild or folder is None:
            return self._build(listing, began)
        try:
            return self._update(folder, read_manifest(folder), listing, began)
        except BrokenIndexError as error:
            remarks.append(f"the search index was damaged ({error}) and is rebuilt")
            return self._build(listing, began)

    def _update(
        self, folder: Path, old: IndexManifest, listing: FileListing, began: int
    ) -> IndexManifest:
        reading = IndexScan(self._source, listing, began, old)
        changes = reading.changes()
        first = next(changes, None)
        if first is not None:
            with EngineGuard():
                index = engine.open_index(engine_folder(folder))
                engine.write(index, chain((first,), changes), self._language)
            searched = _search(folder)
            live = searched.engine.num_docs
            if searched.documents > 2 * live + _LITTER:
                return self._build(listing, began)
        manifest = reading.manifest(engine_files(folder))
        if manifest != old:
            write_manifest(folder, manifest)
        return manifest

    def _build(self, listing: FileListing, began: int) -> IndexManifest:
        self._generations.sweep(self._generations.current())
        folder = self._generations.new()
        try:
            reading = IndexScan(self._source, listing, began)
            with EngineGuard():
                index = engine.create(engine_folder(folder))
                engine.write(index, reading.changes(), self._language, new=True)
            manifest = reading.manifest(engine_files(folder))
            write_manifest(folder, manifest)
            self._generations.make_current(folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return manifest


class _IndexSearch(NamedTuple):
    """Documents found by the index."""

    searched: IndexSnapshot
    manifest: IndexManifest
    remarks: tuple[str, ...]
    language: Language

    @property
    def problems(self) -> Problems:
        """Problems of files."""
        return self.manifest.problems

    @property
    def content(self) -> bytes:
        """Digest of the documents."""
        return identity(self.manifest)

    def documents(self) -> Iterable[Doc]:
        """Return every document, regardless of visibility."""
        return self.searched.everything()

    def corpus(self, view: View) -> Corpus:
        """Return the documents that the view shows."""
        return IndexCorpus(self.searched, view, self.language)


class _ScanSearch(NamedTuple):
    """Documents read one by one."""

    docs: tuple[Doc, ...]
    problems: Problems
    remarks: tuple[str, ...]
    language: Language
    content: bytes = b""

    @classmethod
    def of(
        cls,
        source: DocumentSource,
        listing: FileListing,
        remarks: tuple[str, ...],
        language: Language,
    ) -> "_ScanSearch":
        """Read every file."""
        docs: list[Doc] = []
        problems = []
        for path in listing.paths:
            try:
                docs += map(codec.clean, source.docs(path))
            except (InvalidFileError, StorageError, OSError) as error:
                problems.append((path, str(error)))
        return cls(tuple(docs), tuple(sorted(problems)), remarks, language)

    def documents(self) -> Iterable[Doc]:
        """Return every document, regardless of visibility."""
        return self.docs

    def corpus(self, view: View) -> Corpus:
        """Return the documents that the view shows."""
        return Scan(self.docs, view, self.language)


def _status(folder: Path | None, manifest: IndexManifest, state: str) -> IndexStatus:
    if folder is None:
        raise BrokenIndexError("it is gone")
    return IndexStatus(
        state,
        documents=_search(folder).engine.num_docs,
        files=len(manifest.path_list()),
        bytes=sum(size for size, _, _ in manifest.engine.values()),
        folder=str(folder),
        problems=manifest.problems,
    )


def _search(folder: Path) -> IndexSnapshot:
    with EngineGuard():
        return IndexSnapshot(engine.open_index(engine_folder(folder)))
