"""Interface between the ranking and the meaning of documents."""

from collections.abc import Callable, Iterable
from typing import Protocol

from toolmem.core.search.corpus import CandidateDocument, Corpus
from toolmem.core.search.doc import Doc


class Similarity(Protocol):
    """Similarity in meaning of visible documents to one question."""

    def cosine(self, candidate: CandidateDocument) -> float:
        """Return the cosine of a document, from -1 to 1."""

    def candidates(
        self, corpus: Corpus, fits: Callable[[Doc], bool]
    ) -> Iterable[CandidateDocument]:
        """Return fitting documents that may be similar without a word in common.

        Those that share a word may be among them.
        """
