"""An open index, and the files read one by one in its place."""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from toolmem.core.language.language import Language
from toolmem.core.named_tuple import NamedTuple
from toolmem.core.search.corpus import CandidateDocument, Corpus, View
from toolmem.core.search.doc import Doc
from toolmem.core.search.scan import Scan
from toolmem.errors import InvalidFileError, StorageError
from toolmem.hints import Protocol
from toolmem.store.index import codec, engine
from toolmem.store.index.engine import EngineGuard
from toolmem.store.index.generation import Generation, engine_folder
from toolmem.store.index.reader import IndexCorpus
from toolmem.store.index.snapshot import IndexSnapshot
from toolmem.store.index.source import DocumentSource
from toolmem.store.listing.listing import FileListing

_ANYTIME = datetime.min.replace(tzinfo=UTC)
_MOST_VIEWS = 50

Problems = tuple[tuple[str, str], ...]
"""Paths of files without searchable content, and why."""
Replaced = dict[frozenset[str] | None, list[CandidateDocument]]
"""Documents that take the place of those of single files, by the scopes of a reader."""


class OpenIndex(Protocol):
    """An open index that answers questions; ``remarks`` are for people."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Problems of the index."""

    @property
    def problems(self) -> Problems:
        """Problems of files."""

    @property
    def unreadable(self) -> tuple[str, ...]:
        """Folders that could not be listed: their documents are old ones, or none."""

    @property
    def content(self) -> bytes:
        """Bytes that differ when the documents do; empty if unknown."""

    @property
    def replaced(self) -> Replaced:
        """Documents known to take the place of others as long as no file changes."""

    def corpus(self, view: View) -> Corpus:
        """Return the documents that the view shows."""

    def documents(self) -> Iterable[Doc]:
        """Return every document, regardless of visibility."""

    def paths_named(self, name: str) -> list[str]:
        """Return the paths of the indexed files with a name."""


class IndexSearch(NamedTuple):
    """Documents found by the index.

    ``corpora`` are those asked before, by view at any time, with what they counted.
    """

    searched: IndexSnapshot
    generation: Generation
    remarks: tuple[str, ...]
    language: Language
    corpora: dict[View, IndexCorpus]
    replaced: Replaced
    unreadable: tuple[str, ...] = ()

    @property
    def problems(self) -> Problems:
        """Problems of files."""
        return self.generation.manifest.problems

    @property
    def content(self) -> bytes:
        """Bytes that differ when the documents do."""
        return self.generation.manifest.content

    def documents(self) -> Iterable[Doc]:
        """Return every document, regardless of visibility."""
        return self.searched.everything()

    def paths_named(self, name: str) -> list[str]:
        """Return the paths of the indexed files with a name."""
        return self.generation.manifest.paths_named(name)

    def corpus(self, view: View) -> Corpus:
        """Return the documents that the view shows."""
        anytime = view._replace(at=_ANYTIME)
        known = self.corpora.get(anytime)
        if known is None:
            known = IndexCorpus(self.searched, view, self.language)
            # What expires depends on the time.
            if not known.expiring and len(self.corpora) < _MOST_VIEWS:
                self.corpora[anytime] = known
        return known


class ScanSearch(NamedTuple):
    """Documents read one by one."""

    docs: tuple[Doc, ...]
    problems: Problems
    remarks: tuple[str, ...]
    language: Language
    unreadable: tuple[str, ...] = ()
    content: bytes = b""

    @property
    def replaced(self) -> Replaced:
        """Nothing is known."""
        return {}

    def documents(self) -> Iterable[Doc]:
        """Return every document, regardless of visibility."""
        return self.docs

    def paths_named(self, name: str) -> list[str]:
        """Return the paths of the documents' files with a name."""
        paths = dict.fromkeys(doc.path for doc in self.docs)
        return [path for path in paths if path.rpartition("/")[2] == name]

    def corpus(self, view: View) -> Corpus:
        """Return the documents that the view shows."""
        return Scan(self.docs, view, self.language)


def read_all(
    source: DocumentSource, listing: FileListing
) -> tuple[tuple[Doc, ...], Problems]:
    """Return the documents of every file, and the problems of those without any."""
    docs: list[Doc] = []
    problems = []
    for path in listing.paths:
        try:
            docs += map(codec.clean, source.docs(path))
        except (InvalidFileError, StorageError, OSError) as error:
            problems.append((path, str(error)))
    return tuple(docs), tuple(sorted(problems))


def open_snapshot(folder: Path) -> IndexSnapshot:
    """Open the engine of a generation. Raises ``BrokenIndexError``."""
    with EngineGuard():
        return IndexSnapshot(engine.open_index(engine_folder(folder)))
