"""A folder of little documents with an index, and the scan to compare it with."""

import json
import struct
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.core.search.library import NOW
from toolmem.core.language.language import LANGUAGES
from toolmem.core.search.corpus import CandidateDocument, Totals, View
from toolmem.core.search.doc import Doc
from toolmem.core.search.find import SearchResult, find
from toolmem.core.search.meaning.word_similarity import WordSimilarity
from toolmem.core.search.query import parse_query
from toolmem.core.search.ranking import FindRequest
from toolmem.core.search.scan import Scan
from toolmem.errors import InvalidFileError
from toolmem.store.index import codec
from toolmem.store.index.index import Index
from toolmem.store.index.listing import (
    NOTHING_KNOWN,
    Depth,
    FileListing,
    FolderListing,
    Known,
    every_file,
    split_stamps,
    walk,
)
from toolmem.store.index.source import DocumentSource
from toolmem.store.index.warm import WarmIndex
from toolmem.store.index.word_table import PassageVectors, open_table

EVERYTHING = View(NOW)
_STAMP = struct.Struct("<QQqq")


def text_of(*docs: Doc) -> str:
    """Documents as the text of a file."""
    rows = [
        {key: value for key, value in doc._asdict().items() if key != "path" and value}
        for doc in docs
    ]
    return json.dumps(rows, default=datetime.isoformat)


def load(path: str, data: bytes) -> tuple[Doc, ...]:
    """The documents of such a file; raises ``InvalidFileError`` for any other."""
    try:
        rows = json.loads(data)
    except ValueError:
        raise InvalidFileError(path, 1, "not JSON") from None
    return tuple(_doc(path, row) for row in rows)


def _doc(path: str, row: dict[str, Any]) -> Doc:
    for key in ("created", "updated", "expires_at"):
        if key in row:
            row[key] = datetime.fromisoformat(row[key])
    for key in ("tags", "headings"):
        row[key] = tuple(row.get(key, ()))
    return Doc(path=path, **row)


def decoded(candidate: CandidateDocument) -> tuple[Any, ...]:
    """Return all that a question may read of a document."""
    words = candidate.words
    fields = (words.head, words.rest, words.context)
    return (
        candidate.doc,
        candidate.key,
        candidate.place,
        candidate.text,
        candidate.lengths,
        words.lengths,
        [field.split() for field in fields],
    )


def _aged(stamp: bytes, seconds: int) -> bytes:
    if not stamp:
        return b""
    inode, size, *times = _STAMP.unpack(stamp)
    return _STAMP.pack(inode, size, *(time - seconds * 10**9 for time in times))


class Shelf:
    """Files below a folder, as a vault has them; notes what is read.

    ``age`` is how many seconds older the files look than they are.
    """

    def __init__(
        self,
        root: Path,
        age: int = 0,
        wait: float = 0.2,
        max_age: int = 0,
        language: str = "en",
    ) -> None:
        self.root = root
        self.state = root / ".toolmem"
        self.age = age
        self.wait = wait
        self.max_age = max_age
        self.warm: WarmIndex | None = None
        self.language = LANGUAGES[language]
        self.read: list[str] = []

    @property
    def index(self) -> Index:
        """A new one each time, as each command has."""
        with suppress(OSError):
            self.state.mkdir()
        return Index(
            self.state,
            self.source,
            language=self.language,
            vectors_of=PassageVectors(),
            wait=self.wait,
            max_age=self.max_age,
            warm=self.warm,
        )

    @property
    def source(self) -> DocumentSource:
        return DocumentSource(self.listing, self._read, load, self.check)

    def listing(self) -> FileListing:
        return self.check(NOTHING_KNOWN, every_file)

    def check(self, known: Known, depth: Callable[[str], Depth]) -> FileListing:
        found = walk(
            self.root,
            lambda p: p.endswith(".json"),
            lambda p: not p.startswith("."),
            {path: self._aged(folder, -self.age) for path, folder in known.items()},
            depth,
        )
        found.folders = tuple(self._aged(one, self.age) for one in found.folders)
        return found

    def _aged(self, folder: FolderListing, seconds: int) -> FolderListing:
        """The same listing with times before these, of the files and of the folder."""
        each = split_stamps(folder.stamps)
        stamps = b"".join(_aged(stamp, seconds) for stamp in each)
        return folder._replace(stamps=stamps, stamp=_aged(folder.stamp, seconds))

    def _read(self, path: str) -> bytes:
        self.read.append(path)
        return (self.root / path).read_bytes()

    def write(self, path: str, *docs: Doc) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text_of(*docs))

    def say(self, path: str, body: str, **fields: Any) -> None:
        """Write a file with one memory that reads so."""
        self.write(path, Doc(path, path, "system", "memory", body=body, **fields))

    def docs(self) -> tuple[Doc, ...]:
        """Every document, read afresh."""
        found: list[Doc] = []
        for path in self.listing().paths:
            try:
                found += map(codec.clean, load(path, (self.root / path).read_bytes()))
            except InvalidFileError:
                continue
        return tuple(found)

    def search(self, asked: FindRequest | str, view: View = EVERYTHING) -> SearchResult:
        """The answer of the index."""
        question = self._request(asked)
        return self.index.answer(lambda opened: find(opened.corpus(view), question))

    def scan(self, asked: FindRequest | str, view: View = EVERYTHING) -> SearchResult:
        """Return the expected answer."""
        question = self._request(asked)
        return find(Scan(self.docs(), view, self.language), question)

    def _request(self, asked: FindRequest | str) -> FindRequest:
        """Return a request with the table of word vectors, as every search has it."""
        if isinstance(asked, str):
            asked = FindRequest(parse_query(asked, self.language))
        return asked._replace(similarity=WordSimilarity(open_table(), asked.query))

    def matching(self, text: str, view: View = EVERYTHING) -> tuple[int, int]:
        """Return the number of documents with a word: by the index, and by the scan."""
        terms = [term for _, term in parse_query(text, self.language).words]
        scanned = Scan(self.docs(), view, self.language).matching(terms)
        found = self.index.answer(lambda opened: opened.corpus(view).matching(terms))
        return found, scanned

    def newest(self, count: int, view: View) -> tuple[Any, Any]:
        """Return the last changes: by the index, and by the scan."""
        scanned = Scan(self.docs(), view, self.language).newest(count)
        found = self.index.answer(lambda opened: opened.corpus(view).newest(count))
        return list(map(decoded, found)), list(map(decoded, scanned))

    def topics(self, view: View) -> tuple[set[str], set[str]]:
        """Return the topics: by the index, and by the scan."""
        scan = Scan(self.docs(), view, self.language)
        answer = self.index.answer(lambda opened: opened.corpus(view).topics())
        return answer, scan.topics()

    def totals(self, view: View) -> tuple[Totals, Totals]:
        """The totals by the index, and by the scan."""
        scanned = Scan(self.docs(), view, self.language).totals()
        return self.index.answer(lambda opened: opened.corpus(view).totals()), scanned

    def remarks(self) -> tuple[str, ...]:
        """Return the remarks of an answer about the index."""
        return self.index.answer(lambda opened: opened.remarks)

    def ids(self, text: str) -> list[str]:
        return [hit.doc.id for hit in self.search(text).hits]
