"""Similarity in meaning of visible documents to a question.

Loaded on demand: it needs the packages of the extra ``semantic``. Results are exact, so
that no document changes the figures of another: 8 bit numbers are multiplied and added
up without rounding.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import merge
from typing import Any, NamedTuple

import numpy as np

from toolmem.core import search_limits
from toolmem.core.search.corpus import CandidateDocument, Corpus, View
from toolmem.core.search.doc import Doc
from toolmem.core.search.meaning.similarity import Scale, Similarity, SimilarWord
from toolmem.store.files import layout
from toolmem.store.index.engine import micros
from toolmem.store.index.opened import OpenIndex
from toolmem.store.semantic.embedder import Embedder, load
from toolmem.store.semantic.model_files import ModelFiles
from toolmem.store.semantic.vector_file import (
    HASH_BYTES,
    Key,
    Table,
    VectorFile,
    VectorGroup,
)
from toolmem.store.semantic.vectors import (
    VectorSource,
    are_computed,
    bring_up_to_date,
    current_vectors,
    hashed_passages,
)
from toolmem.store.vault.documents import OVERRIDABLE, documents_in_force
from toolmem.store.vault.vault import Vault

_EXACT = 1040
"""Dimensions up to which sums of 8 bit products fit the 24 bits of a float."""
_BLOCK = 1 << 14
"""Passages that are multiplied at a time."""


def open_meaning(
    vault: Vault, opened: OpenIndex, view: View, files: ModelFiles
) -> "VectorSearch":
    """Open the documents of a view by meaning, computing what vectors are missing.

    Raises ``InvalidFileError``, ``LockedError`` and ``StorageError``.
    """
    embedder = load(files)
    state = vault.root / layout.STATE
    vectors = bring_up_to_date(state, embedder, _wanted(opened), vault.progress)
    return _search(vault, embedder, vectors, view)


def open_computed(
    vault: Vault, opened: OpenIndex, view: View, files: ModelFiles
) -> "VectorSearch | None":
    """Open them without computing any; None if their vectors are not up to date.

    Raises ``InvalidFileError`` for invalid files of the model.
    """
    state, wanted = vault.root / layout.STATE, _wanted(opened)
    if not are_computed(state, wanted.content):  # the model need not be loaded
        return None
    embedder = load(files)
    vectors = current_vectors(state, embedder, wanted)
    return vectors and _search(vault, embedder, vectors, view)


def _wanted(opened: OpenIndex) -> VectorSource:
    return VectorSource(opened.content.hex(), opened.documents)


def _search(
    vault: Vault, embedder: Embedder, vectors: VectorFile, view: View
) -> "VectorSearch":
    docs = documents_in_force(vault, view.scopes)
    in_force = rules_in_force(embedder, vectors, docs)
    return VectorSearch(embedder, vectors, view, in_force)


class RulesInForce(NamedTuple):
    """Rules and facts by their texts in force, which their own files may not state.

    ``starts`` are the positions of each document's first vector.
    """

    docs: list[Doc]
    vectors: Any
    starts: Any


class VectorSearch(NamedTuple):
    """Documents of a view by meaning, ready for questions."""

    embedder: Embedder
    vectors: VectorFile
    view: View
    in_force: RulesInForce

    def of_view(self, view: View) -> "VectorSearch":
        """Return the same for a reader who sees less."""
        known = view.search_filter and view.search_filter.without_own_fields()
        return self._replace(view=view._replace(search_filter=known))

    def similarity_to(
        self, question: str, words: Similarity | None = None
    ) -> "VectorSimilarity":
        """Return the similarity of all documents to a question.

        That by ``words`` is part of it.
        """
        (vector,) = self.embedder.embed([question])
        asked = np.frombuffer(vector, np.int8)
        cosines = _cosines(self.vectors.vectors, self._table.starts, asked)
        rules = self.in_force
        of_rules = _cosines(rules.vectors, rules.starts, asked).tolist()
        in_force = {
            (doc.id, doc.path): cosine
            for doc, cosine in zip(rules.docs, of_rules, strict=True)
            if self.view.shows(doc)
        }
        seen = _seen(self._table, self.view)
        return VectorSimilarity(self._table.keys, cosines, seen, in_force, words)

    @property
    def _table(self) -> Table:
        if self.vectors.table is None:
            raise ValueError("vectors without documents")
        return self.vectors.table


class VectorSimilarity:
    """Implementation of ``core.search.meaning.similarity.Similarity``."""

    scale = Scale(
        search_limits.MODEL_WEIGHT,
        search_limits.MODEL_COVERAGE,
        search_limits.MODEL_FEEDBACK,
        search_limits.MODEL_FLOOR,
    )

    def __init__(
        self,
        keys: list[Key],
        cosines: Any,
        seen: Any,
        in_force: Mapping[Key, float],
        words: Similarity | None,
    ) -> None:
        """Take the documents, their cosines by the model and which are visible.

        ``in_force`` has the cosines of visible rules and facts.
        """
        self._keys = keys
        self._cosines = cosines
        self._seen = seen
        self._in_force = in_force
        self._words = words

    def cosines(self, candidates: Sequence[CandidateDocument]) -> list[float]:
        """Return the means of the cosines by model and words; 0 without any text."""
        by_model = [self._by_model(candidate.key) for candidate in candidates]
        if self._words is None:
            return by_model
        share = search_limits.MODEL_WORDS
        pairs = zip(by_model, self._words.cosines(candidates), strict=True)
        return [(1 - share) * model + share * words for model, words in pairs]

    def _by_model(self, key: Key) -> float:
        if (cached := self._in_force.get(key)) is not None:
            return cached
        keys = self._keys
        at = bisect_left(keys, key[::-1], key=_by_path)
        known = at < len(keys) and keys[at] == key and self._seen[at]
        return float(self._cosines[at]) if known else 0.0

    def similar_words(self) -> tuple[SimilarWord, ...]:
        """Return none: the model compares whole texts."""
        return ()

    def candidates(
        self, corpus: Corpus, fits: Callable[[Doc], bool]
    ) -> Iterator[CandidateDocument]:
        """Yield the most similar documents of a corpus that fit."""
        count = 0
        for id_, path in self._similar():
            for candidate in corpus.at_path(path):
                if candidate.doc.id == id_ and fits(candidate.doc):
                    yield candidate
                    count += 1
            if count >= search_limits.MEANING_CANDIDATES:
                return

    def _similar(self) -> Iterator[Key]:
        """Yield the keys of visible documents above the floor, best first."""
        floor = search_limits.MODEL_FLOOR
        places = np.flatnonzero(self._seen & (self._cosines >= floor))
        ordered = places[np.argsort(-self._cosines[places], kind="stable")].tolist()
        files = ((-float(self._cosines[at]), self._keys[at]) for at in ordered)
        rules = ((-cos, key) for key, cos in self._in_force.items() if cos >= floor)
        for _, key in merge(files, sorted(rules, key=_order), key=_order):
            yield key


def _order(ranked: tuple[float, Key]) -> tuple[float, Key]:
    return ranked[0], _by_path(ranked[1])


def _by_path(key: Key) -> Key:
    """Sort key of stored documents."""
    return key[1], key[0]


def _seen(table: Table, view: View) -> Any:
    """Return a mask of the documents that the view shows, but rules and facts."""
    shown = np.array([view.shows(_like(part)) for part in table.parts], bool)
    seen = shown[table.codes] & (table.expires > micros(view.at))
    return seen & ~are_overridable(table)


def _like(part: VectorGroup) -> Doc:
    """Return a document with these attributes."""
    return Doc("", "", **part._asdict())


def _cosines(vectors: Any, starts: Any, question: Any) -> Any:
    """Return the cosine of each document: that of its most similar passage."""
    if not len(starts):
        return np.zeros(0)
    number = np.float32 if vectors.shape[1] <= _EXACT else np.float64
    asked = question.astype(number)
    cosines = np.empty(len(vectors))
    for start in range(0, len(vectors), _BLOCK):
        block = vectors[start : start + _BLOCK].astype(number)
        lengths = np.einsum("ij,ij->i", block, block).astype(np.float64)
        norms = np.sqrt(np.maximum(lengths, 1.0) * max(float(asked @ asked), 1.0))
        cosines[start : start + _BLOCK] = (block @ asked) / norms
    return np.maximum.reduceat(cosines, starts)


def rules_in_force(
    embedder: Embedder, vectors: VectorFile, docs: Iterable[Doc]
) -> RulesInForce:
    """Return these documents with their vectors, those of new texts computed."""
    read = [(doc, hashed) for doc in docs if (hashed := hashed_passages(doc))]
    every = [passage for _, passages in read for passage in passages]
    known = _known_rules(vectors)
    texts = {part.hash: part.text for part in every if part.hash not in known}
    known.update(zip(texts, embedder.embed([*texts.values()]), strict=True))
    rows = [known[part.hash] for part in every]
    dimension = len(rows[0]) if rows else 1
    counts = [0, *(len(passages) for _, passages in read)]
    return RulesInForce(
        [doc for doc, _ in read],
        np.frombuffer(b"".join(rows), np.int8).reshape(-1, dimension),
        np.cumsum(counts, dtype=np.int64)[:-1],
    )


def are_overridable(table: Table) -> Any:
    """Return a mask of the stored rules and facts."""
    chosen = np.array([part.kind in OVERRIDABLE for part in table.parts], bool)
    return chosen[table.codes]


def _known_rules(vectors: VectorFile) -> dict[bytes, bytes]:
    """Return the vectors of the passages of rules and facts by hash."""
    table, rows = vectors.table, vectors.vectors
    if table is None:
        return {}
    ends = [*table.starts[1:].tolist(), len(rows)]
    return {
        vectors.hashes[row * HASH_BYTES : (row + 1) * HASH_BYTES]: rows[row].tobytes()
        for at in np.flatnonzero(are_overridable(table)).tolist()
        for row in range(table.starts[at], ends[at])
    }
