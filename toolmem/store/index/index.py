"""Search index of a vault, updated before each answer.

It is a cache: if anything is wrong with it, it is rebuilt, or every file is read
instead, with a remark.
"""

import time
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeVar

from toolmem.core import limits
from toolmem.core.language.language import ENGLISH, Language
from toolmem.errors import LockedError, StorageError
from toolmem.store.index import engine
from toolmem.store.index.engine import BrokenIndexError, EngineGuard, MovedIndexError
from toolmem.store.index.generation import (
    Generation,
    Generations,
    damaged_files,
    device_of,
    engine_files,
    engine_folder,
    last_check,
    note_check,
    read_generation,
    remove_folder,
    write_manifest,
)
from toolmem.store.index.listing import Depth, FileListing, split_stamps
from toolmem.store.index.manifest import NO_FOLDER
from toolmem.store.index.opened import (
    IndexSearch,
    KnownCorpora,
    OpenIndex,
    Problems,
    Replacements,
    ScanSearch,
    open_snapshot,
    read_all,
)
from toolmem.store.index.source import DocumentSource, IndexScan, same, unsettled
from toolmem.store.index.warm import WarmIndex
from toolmem.store.index.word_table import no_vectors

T = TypeVar("T")
_LITTER = 1000
"""Deleted documents, in excess of the live ones, at which an index is rebuilt."""


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
        vectors_of: engine.VectorsOf = no_vectors,
        wait: float = limits.LOCK_SECONDS,
        max_age: int = 0,
        warm: WarmIndex | None = None,
    ) -> None:
        """Take the time in seconds to ``wait`` for another writer.

        ``vectors_of`` makes the vectors of new documents. ``max_age``: seconds for
        which a check of every file is relied upon. Within them only the folders are
        checked, which shows every file that is new, gone, renamed or replaced, and not
        one edited in place. ``warm`` is kept between questions.
        """
        self._generations = Generations(state, language.code)
        self._language = language
        self._source = source
        self._vectors_of = vectors_of
        self._wait = wait
        self._max_age = max_age
        self._warm = warm

    def answer(self, ask: Callable[[OpenIndex], T]) -> T:
        """Ask a question of all documents as they are now.

        ``ask`` may be called again if the index turns out to be damaged.
        """
        began = time.time_ns()
        seen = self._last_generation()
        depth = self._depth(seen, began)
        listing = self._listing(seen, depth)
        remarks: list[str] = []
        for again in (False, True):
            try:
                opened = self._current(listing, seen, again, remarks)
                opened = opened._replace(unreadable=listing.unreadable)
                self._remember(listing, opened, depth, began)
            except BrokenIndexError as error:
                remarks += self._damage(error, f"the search index is damaged ({error})")
                continue
            except (OSError, LockedError, StorageError) as error:
                remarks.append(f"the search index cannot be used ({error})")
                break
            try:
                return ask(opened)
            except BrokenIndexError as error:
                remarks += self._damage(error, f"the search index is damaged ({error})")
        remarks.append("every file was read instead")
        docs, problems = read_all(self._source, listing)
        about = problems, tuple(remarks), self._language, listing.unreadable
        return ask(ScanSearch(docs, *about))

    def files_to_read(self) -> int:
        """Return the number of files that an update would read."""
        seen, listing = self._last_generation(), self._source.list()
        folders = seen.manifest.folders if seen else {}
        return sum(
            len(
                {*split_stamps(folder.stamps)}.difference(
                    split_stamps(folders.get(folder.path, NO_FOLDER).stamps)
                )
            )
            for folder in listing.folders
        )

    def update(self) -> None:
        """Bring the index up to date.

        Raises ``LockedError`` while another process does, ``StorageError`` and
        ``OSError``.
        """
        seen = self._last_generation()
        self._current(self._listing(seen, Depth.FILES), seen, False, [])

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
            seen = read_generation(folder)
            fresh = seen.manifest.matches(self._source.list())
            return _status(seen, "fresh" if fresh else "stale")
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
                return _status(self._build(listing, began), "fresh")
        except (OSError, BrokenIndexError) as error:
            raise StorageError(f"the search index cannot be built: {error}") from error

    def verify(self) -> tuple[str, ...]:
        """Check every byte of the current generation; return what is wrong."""
        folder = self._generations.current()
        if folder is None or not folder.is_dir():
            return ()
        problems = tuple(
            f"{name}: the checksum is wrong" for name in damaged_files(folder)
        )
        try:
            read_generation(folder)
            open_snapshot(folder)
        except BrokenIndexError as error:
            return (*problems, str(error))
        return problems

    def _last_generation(self) -> Generation | None:
        """Return the current generation, if it is whole."""
        folder = self._generations.current()
        before = self._warm.generation if self._warm else None
        try:
            return read_generation(folder, before) if folder else None
        except BrokenIndexError:
            return None  # another writer may be active: check again under the lock

    def _damage(self, error: BrokenIndexError, remark: str) -> tuple[str, ...]:
        """Return a remark, unless the index was only copied, moved or removed."""
        folder = self._generations.current()
        is_there = folder is not None and folder.is_dir()
        return (remark,) if is_there and not isinstance(error, MovedIndexError) else ()

    def _depth(self, seen: Generation | None, now: int) -> Depth:
        if not self._max_age or seen is None or self._warm is not None:
            return Depth.FILES
        age = now - last_check(seen.folder)
        return Depth.FOLDER if 0 <= age <= self._max_age * 10**9 else Depth.FILES

    def _listing(self, seen: Generation | None, depth: Depth) -> FileListing:
        known = seen.manifest.folders if seen else {}
        return self._source.listing(known, lambda _: depth)

    def _remember(
        self, listing: FileListing, opened: IndexSearch, depth: Depth, began: int
    ) -> None:
        if self._warm is not None:
            self._warm.remember(opened)
        elif self._max_age and depth == Depth.FILES:
            note_check(opened.generation.folder, began)

    def _open(self, seen: Generation, remarks: Iterable[str]) -> IndexSearch:
        warm = self._warm.reopened(seen) if self._warm else None
        if warm is not None:
            return warm._replace(remarks=tuple(remarks))
        searched = open_snapshot(seen.folder)
        about = seen, tuple(remarks), self._language
        return IndexSearch(searched, *about, KnownCorpora(), Replacements.nothing())

    def _current(
        self,
        listing: FileListing,
        seen: Generation | None,
        rebuild: bool,
        remarks: list[str],
    ) -> IndexSearch:
        """Return an index of this listing, updated or rebuilt as needed."""
        young: Generation | None = None
        if seen is not None and not rebuild and seen.manifest.matches(listing):
            young = seen
            if not seen.manifest.racy and not unsettled(listing, seen.manifest):
                return self._open(seen, remarks)
        try:
            return self._brought_up_to_date(listing, seen, rebuild, remarks)
        except (OSError, LockedError):
            # Nothing can be written, but the index may still be current.
            if young is None or not same(self._source, young.manifest):
                raise
            return self._open(young, remarks)

    def _brought_up_to_date(
        self,
        listing: FileListing,
        seen: Generation | None,
        rebuild: bool,
        remarks: list[str],
    ) -> IndexSearch:
        self._generations.require_folder()
        with self._generations.lock(self._wait) as began:
            folder = self._generations.current()
            if rebuild or folder is None:
                return self._open(self._build(listing, began), remarks)
            try:
                old = read_generation(folder, seen)
                return self._open(self._update(old, listing, began), remarks)
            except BrokenIndexError as error:
                said = f"the search index was damaged ({error}) and is rebuilt"
                remarks += self._damage(error, said)
                return self._open(self._build(listing, began), remarks)

    def _update(self, old: Generation, listing: FileListing, began: int) -> Generation:
        folder = old.folder
        reading = IndexScan(self._source, listing, began, old.manifest)
        changes = reading.changes()
        first = next(changes, None)
        if first is not None:
            with EngineGuard():
                index = engine.open_index(engine_folder(folder))
                changed = chain((first,), changes)
                engine.write(index, changed, self._language, self._vectors_of)
            searched = open_snapshot(folder)
            live = searched.engine.num_docs
            if searched.documents > 2 * live + _LITTER:
                return self._build(listing, began)
        manifest = reading.manifest(engine_files(folder), old.manifest.device)
        if manifest == old.manifest:
            return old
        self._generations.sweep_formats(began)
        return write_manifest(folder, manifest)

    def _build(self, listing: FileListing, began: int) -> Generation:
        self._generations.sweep(self._generations.current())
        folder = self._generations.new()
        try:
            reading = IndexScan(self._source, listing, began)
            with EngineGuard():
                index = engine.create(engine_folder(folder))
                changes, vectors_of = reading.changes(), self._vectors_of
                engine.write(index, changes, self._language, vectors_of, new=True)
            manifest = reading.manifest(engine_files(folder), device_of(folder))
            made = write_manifest(folder, manifest)
            self._generations.make_current(folder)
        except BaseException:
            remove_folder(folder)
            raise
        self._generations.sweep_formats(began)
        return made


def _status(seen: Generation, state: str) -> IndexStatus:
    return IndexStatus(
        state,
        documents=open_snapshot(seen.folder).engine.num_docs,
        files=seen.manifest.file_count,
        bytes=sum(size for size, _, _ in seen.manifest.engine.values()),
        folder=str(seen.folder),
        problems=seen.manifest.problems,
    )
