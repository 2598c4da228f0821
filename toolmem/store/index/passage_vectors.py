"""Compute the vectors of documents for the index."""

from collections.abc import Sequence

from toolmem.core.search.doc import Doc
from toolmem.core.search.meaning import word_similarity
from toolmem.errors import InvalidFileError
from toolmem.store.index import word_table

_REPLACED = frozenset({"rule", "fact"})
"""Kinds of documents that are searched as they are in force, not as in the index."""


def no_vectors(docs: Sequence[Doc]) -> list[tuple[bytes, ...]]:
    """Store none: a search computes those that it needs."""
    return [()] * len(docs)


class PassageVectors:
    """Vectors by the table of word vectors, opened with the first document.

    Without the table, documents are stored without vectors.
    """

    def __init__(self) -> None:
        self._is_there = True

    def __call__(self, docs: Sequence[Doc]) -> list[tuple[bytes, ...]]:
        """Return the vectors of each document's passages."""
        searched = [doc for doc in docs if doc.kind not in _REPLACED]
        if not self._is_there or not searched:
            return no_vectors(docs)
        try:
            table = word_table.open_table()
        except InvalidFileError:
            self._is_there = False
            return no_vectors(docs)
        found = iter(word_similarity.vectors_of_all(table, searched))
        return [() if doc.kind in _REPLACED else next(found) for doc in docs]
