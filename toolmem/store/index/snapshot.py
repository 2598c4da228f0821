"""An index that is open: its documents, and tantivy's own counts.

These include deleted documents and hidden ones.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import tantivy
from tantivy import Occur, Query

from toolmem.core.search.corpus import CandidateDocument
from toolmem.core.search.doc import Doc, DocumentWords
from toolmem.store.index import codec, engine
from toolmem.store.index.engine import TEXTS, BrokenIndexError, EngineGuard

_FEW_TERMS = 64
"""For more terms a set of them is faster, which takes a quarter of a ms to prepare."""
_FIXED = 800
"""Bytes of the objects of a candidate, about."""
_MOST_BYTES = 48_000_000
"""Memory of the documents that were read, about."""


class IndexedCandidate(CandidateDocument):
    """A document of the index; ``cost`` is the memory that it may take, in bytes.

    Every access may raise ``BrokenIndexError``.
    """

    __slots__ = ("_data", "_layout", "_marks", "cost")

    def __init__(self, data: bytes) -> None:
        """Decode what every question needs."""
        # A question has hundreds of these: no guard object for each.
        try:
            id_, path, self.place = codec.decode_place(data)
            self._layout = layout = codec.layout_of(data)
            self._marks = codec.decode_marks(data, layout)
        except engine.DAMAGE as error:
            raise BrokenIndexError(str(error)) from error
        self._data = data
        self._doc = self._words = None
        self.key = id_, path
        self.lengths = layout.lengths
        self.cost = _FIXED + 2 * len(data)

    @property
    def doc(self) -> Doc:
        """The document."""
        if self._doc is None:
            with EngineGuard():
                self._doc = codec.decode_doc(self._data)
        return self._doc

    @property
    def words(self) -> DocumentWords:
        """Words of the document."""
        if self._words is None:
            try:
                self._words = codec.decode_words(self._data, self._layout)
            except engine.DAMAGE as error:
                raise BrokenIndexError(str(error)) from error
        return self._words

    @property
    def marks(self) -> str:
        """Marks of its terms."""
        return self._marks

    @property
    def vectors(self) -> tuple[bytes, ...]:
        """Vectors of its passages; none if they are computed when needed."""
        return codec.decode_vectors(self._data, self._layout)


class IndexSnapshot:
    """An open index at one moment, with tantivy's own counts."""

    def __init__(self, index: tantivy.Index) -> None:
        """Open a searcher; raises ``BrokenIndexError``."""
        with EngineGuard():
            self.engine = index.searcher()
            self.schema = index.schema
            self.parts = self.engine.terms_with_prefix("part", "")
            self._means: dict[str, float] = {}
            self._candidates: dict[tuple[int, int], IndexedCandidate] = {}
            self._bytes = 0
            self.documents = 0
            if self.parts:
                names = [part for part, _ in reversed(self.parts)]
                self.documents = self._statistics("part", names)[0]
            self.pristine = self.documents == self.engine.num_docs
            if not self.pristine:
                live = self.engine.terms_with_prefix("part", "", Query.all_query())
                self.parts = [part for part in live if part[1]]

    def candidates(
        self, addresses: Iterable[tantivy.DocAddress]
    ) -> list[IndexedCandidate]:
        """Return documents; one that was read before is not read again."""
        known, read, built = self._candidates, self.engine.doc, []
        for address in addresses:
            place = (address.segment_ord, address.doc)
            candidate = known.get(place)
            if candidate is None:
                stored: Any = read(address).get_first("doc")
                candidate = known[place] = IndexedCandidate(stored)
                self._bytes += candidate.cost
            built.append(candidate)
        while self._bytes > _MOST_BYTES:
            self._bytes -= known.pop(next(iter(known))).cost
        return built

    def everything(self) -> Iterator[Doc]:
        """Yield every document, unordered."""
        with EngineGuard():
            many = max(self.engine.num_docs, 1)
            result = self.engine.search(Query.all_query(), limit=many, count=False)
            for _, address in result.hits:
                stored: Any = self.engine.doc(address).get_first("doc")
                yield codec.decode_doc(stored)

    def term(self, field: str, value: str) -> Query:
        """Return a query for documents whose field contains the term."""
        option = "freq" if field in TEXTS else "basic"
        return Query.term_query(self.schema, field, value, option)

    def any_of(self, field: str, values: Iterable[str]) -> Query:
        """Return a query for documents whose field contains one of the terms.

        The scores of such documents are arbitrary.
        """
        terms = list(values)
        if not 0 < len(terms) <= _FEW_TERMS:
            return Query.term_set_query(self.schema, field, terms)
        each = [(Occur.Should, self.term(field, term)) for term in terms]
        return Query.boolean_query(each)

    def holding(self, field: str, term: str) -> int:
        """Return tantivy's count of documents with the term."""
        with EngineGuard():
            return int(self.engine.doc_freq(field, term))

    def mean(self, field: str, terms: Iterable[str]) -> float:
        """Return tantivy's mean length of a field; 0 if no live document has a term."""
        if field not in self._means:
            with EngineGuard():
                rarest_first = sorted(
                    terms, key=lambda term: self.engine.doc_freq(field, term)
                )
                self._means[field] = self._statistics(field, rarest_first)[1]
        return self._means[field]

    def _statistics(self, field: str, terms: Iterable[str]) -> tuple[int, float]:
        """Return tantivy's number of documents and mean length, from an explanation.

        They are not available in any other way. The first term of a live document is
        explained: better a rare one.
        """
        for term in terms:
            query = self.term(field, term)
            for _, address in self.engine.search(query, limit=1, count=False).hits:
                explained = json.loads(query.explain(self.engine, address).to_json())
                values = dict(_values(explained))
                return int(values["N"]), values.get("avgdl", 0.0)
        return 0, 0.0


def _values(explained: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield the first word of each line of an explanation, with its value."""
    for detail in explained.get("details", ()):
        yield detail["description"].partition(",")[0], detail["value"]
        yield from _values(detail)
