"""Compute the vectors of documents for the index."""

from toolmem.core.search.doc import Doc
from toolmem.core.search.meaning import word_similarity
from toolmem.errors import InvalidFileError
from toolmem.store.index import word_table

_REPLACED = frozenset({"rule", "fact"})
"""Kinds of documents that are searched as they are in force, not as in the index."""


def no_vectors(doc: Doc) -> tuple[bytes, ...]:
    """Store none: a search computes those that it needs."""
    del doc
    return ()


class PassageVectors:
    """Vectors by the table of word vectors, opened with the first document.

    Without the table, documents are stored without vectors.
    """

    def __init__(self) -> None:
        self._is_there = True

    def __call__(self, doc: Doc) -> tuple[bytes, ...]:
        """Return the vectors of a document's passages."""
        if not self._is_there or doc.kind in _REPLACED:
            return ()
        try:
            table = word_table.open_table()
        except InvalidFileError:
            self._is_there = False
            return ()
        return word_similarity.vectors_of(table, doc)
