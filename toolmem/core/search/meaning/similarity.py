"""Interface between the ranking and the meaning of documents."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

from toolmem.core import search_limits
from toolmem.core.search.corpus import CandidateDocument, Corpus
from toolmem.core.search.doc import Doc


class SimilarWord(NamedTuple):
    """A word of a question, and one of similar meaning with its cosine."""

    asked: str
    word: str
    cosine: float


class Scale(NamedTuple):
    """How the meaning of documents, their words and feedback are weighed.

    ``weight`` is that of the most similar document, relative to 1.0 for the best by
    words. Where that one has less than a share ``coverage`` of the question's words, by
    idf, it counts for less than 1.0. ``feedback`` is the weight of added terms. A
    document that shares no word with the question is a hit from the cosine ``floor``.
    """

    weight: float
    coverage: float
    feedback: float
    floor: float


WORDS_ONLY = Scale(0.0, 0.0, search_limits.FEEDBACK_WEIGHT, 1.0)


class Similarity(Protocol):
    """Similarity in meaning of visible documents to one question."""

    @property
    def scale(self) -> Scale:
        """Weights that fit the quality of the cosines."""

    def cosines(self, candidates: Sequence[CandidateDocument]) -> list[float]:
        """Return the cosine of each document, from -1 to 1."""

    def similar_words(self) -> Iterable[SimilarWord]:
        """Return words that documents may use in place of those of the question."""

    def candidates(
        self, corpus: Corpus, fits: Callable[[Doc], bool]
    ) -> Iterable[CandidateDocument]:
        """Return fitting documents that may be similar without a word in common.

        Those that share a word may be among them.
        """
