"""Similarity in meaning of documents to a question, by word vectors.

A document is as similar as its most similar passage. Its vectors depend on its text
alone, so that an index may store them and a scan compute them, with the same result.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from toolmem.core import search_limits
from toolmem.core.search.corpus import CandidateDocument, Corpus
from toolmem.core.search.doc import Doc
from toolmem.core.search.meaning.passages import (
    opening_span,
    passage_spans,
    title_of,
)
from toolmem.core.search.meaning.similarity import WORDS_ONLY, SimilarWord
from toolmem.core.search.meaning.word_vectors import WordVectors
from toolmem.core.search.query import ParsedQuery
from toolmem.core.text.terms import words, words_in


class WordSimilarity:
    """Similarity by a table of word vectors."""

    scale = WORDS_ONLY._replace(
        weight=search_limits.MEANING_WEIGHT, floor=search_limits.MEANING_FLOOR
    )

    def __init__(self, table: WordVectors, query: ParsedQuery) -> None:
        """Compute the vector of a question."""
        self._table = table
        self._words = [word for word, _ in query.words if table.places(word)]
        self._question = table.question(self._words)
        self._is_enough = len(self._words) >= search_limits.MEANING_WORDS

    def cosines(self, candidates: Sequence[CandidateDocument]) -> list[float]:
        """Return the cosine of each document's most similar passage; 0 without any."""
        every = [
            candidate.vectors or vectors_of(self._table, candidate.doc)
            for candidate in candidates
        ]
        packed = [vector for vectors in every for vector in vectors]
        similarities = iter(self._table.cosines(self._question, packed))
        return [
            max(islice(similarities, len(vectors)), default=0.0) for vectors in every
        ]

    def similar_words(self) -> list[SimilarWord]:
        """Return words that documents may use in place of those of the question.

        A single word is similar to something in any vault.
        """
        if not self._is_enough:
            return []
        return [
            SimilarWord(word, other, cosine)
            for word in self._words
            for other, cosine in self._table.similar(word)
        ]

    def candidates(
        self, corpus: Corpus, fits: Callable[[Doc], bool]
    ) -> Iterable[CandidateDocument]:
        """Return fitting documents that may be similar without a word in common.

        Those of a larger corpus are found by similar words: reading every vector takes
        time in proportion to it. A single word is similar to something in any vault.
        """
        if (
            not self._is_enough
            or corpus.totals().documents > search_limits.VECTORS_READ
        ):
            return ()
        every = corpus.newest(search_limits.VECTORS_READ + 1)
        return (candidate for candidate in every if fits(candidate.doc))


def vectors_of(table: WordVectors, doc: Doc) -> tuple[bytes, ...]:
    """Return the packed vector of each passage of a document."""
    return vectors_of_all(table, [doc])[0]


def vectors_of_all(table: WordVectors, docs: Iterable[Doc]) -> list[tuple[bytes, ...]]:
    """Return the vectors of each document; together they take less time."""
    return table.all_passages(map(_texts_of, docs))


def _texts_of(doc: Doc) -> list[list[str]]:
    """Return the words of the opening, empty without any, and of each passage."""
    title, opening = words(title_of(doc)), opening_span(doc)
    spans = passage_spans(doc.body, search_limits.VECTOR_CHARS, search_limits.VECTORS)
    above, *texts = words_in(doc.body, [opening, *spans])
    passages = [title + text for text in texts] or ([title] if title else [])
    return [title + above if any(opening) else [], *passages]
