"""An open index, and the files read one by one in its place."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from toolmem.core.language.language import Language
from toolmem.core.search.corpus import CandidateDocument, Corpus, View
from toolmem.core.search.doc import Doc
from toolmem.core.search.scan import Scan
from toolmem.errors import InvalidFileError, StorageError
from toolmem.store.index import codec, engine
from toolmem.store.index.engine import EngineGuard
from toolmem.store.index.generation import Generation, engine_folder
from toolmem.store.index.listing import FileListing
from toolmem.store.index.reader import IndexCorpus
from toolmem.store.index.snapshot import IndexSnapshot
from toolmem.store.index.source import DocumentSource

_ANYTIME = datetime.min.replace(tzinfo=UTC)
_NEVER = datetime.max.replace(tzinfo=UTC)
MOST_VIEWS = 50
"""Readers, and what they ask for, whose documents are known at a time."""

Problems = tuple[tuple[str, str], ...]
"""Paths of files without searchable content, and why."""


class KnownCorpora:
    """Corpora asked before, by view, with all that they have counted.

    Each is used until one of its documents expires. They are valid as long as no file
    changes.
    """

    def __init__(self) -> None:
        self._known: dict[View, tuple[datetime, Corpus]] = {}

    def of(self, view: View, make: Callable[[View], Corpus]) -> Corpus:
        """Return the corpus of a view, made at first use."""
        anytime = view._replace(at=_ANYTIME)
        since, corpus = self._known.get(anytime, (_NEVER, None))
        if corpus is not None and since <= view.at:
            until = corpus.totals().until
            if until is None or view.at < until:
                return corpus
        self._known.pop(anytime, None)
        made = make(view)
        self._known[anytime] = view.at, made
        while len(self._known) > MOST_VIEWS:
            self._known.pop(next(iter(self._known)))
        return made


class Replacements(NamedTuple):
    """What takes the place of documents of single files, and corpora with it.

    ``documents`` are by the scopes of a reader.
    """

    documents: dict[frozenset[str] | None, list[CandidateDocument]]
    corpora: KnownCorpora

    @classmethod
    def nothing(cls) -> "Replacements":
        """Return the beginning, when nothing is known."""
        return cls({}, KnownCorpora())


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
    def replaced(self) -> Replacements:
        """Documents known to take the place of others as long as no file changes."""

    def corpus(self, view: View) -> Corpus:
        """Return the documents that the view shows."""

    def documents(self) -> Iterable[Doc]:
        """Return every document, regardless of visibility."""

    def paths_named(self, name: str) -> list[str]:
        """Return the paths of the indexed files with a name."""


class IndexSearch(NamedTuple):
    """Documents found by the index.

    ``corpora`` are those asked before.
    """

    searched: IndexSnapshot
    generation: Generation
    remarks: tuple[str, ...]
    language: Language
    corpora: KnownCorpora
    replaced: Replacements
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
        return self.corpora.of(view, self._corpus)

    def _corpus(self, view: View) -> Corpus:
        return IndexCorpus(self.searched, view, self.language)


class ScanSearch(NamedTuple):
    """Documents read one by one."""

    docs: tuple[Doc, ...]
    problems: Problems
    remarks: tuple[str, ...]
    language: Language
    unreadable: tuple[str, ...] = ()
    content: bytes = b""

    @property
    def replaced(self) -> Replacements:
        """Nothing is known."""
        return Replacements.nothing()

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
