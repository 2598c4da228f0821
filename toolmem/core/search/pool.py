"""Read the documents that a question is decided among, with exact results.

The index only proposes documents, until its upper bound on the score of all others is
too low to matter. The pool is therefore the one that a scan of every document would
find, and documents that the reader cannot see have no influence.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from toolmem.core import search_limits
from toolmem.core.search.corpus import (
    CandidateDocument,
    Corpus,
    PlaceWeights,
    Totals,
    by_weight,
)
from toolmem.core.search.doc import Doc
from toolmem.core.search.rank import ScoredCandidate, distinct
from toolmem.core.search.scores import Occurrence, Scorer, Terms, total_of

_ROUNDED = 1 - 1e-9
"""Products and quotients of scores are rounded."""


class WordQuery(NamedTuple):
    """Terms of a question, and options of the pool.

    ``where`` selects documents, ``topic`` excludes those of other topics; ``limit`` is
    the number of hits to be known. ``accepts`` decides by the terms in a document.
    """

    terms: Terms
    totals: Totals
    by_place: PlaceWeights
    limit: int
    where: Callable[[Doc], bool] | None = None
    topic: str | None = None
    accepts: Callable[[CandidateDocument, Sequence[Occurrence]], bool] | None = None


class Pool(NamedTuple):
    """Documents that share a term with a question.

    ``best`` are the `POOL` most relevant ones, best first, whatever the ``limit`` of
    the question; ``others`` include all that may be among its first hits by location.
    No other document has a score by location above the ``bound``; 0 if there is none.
    """

    best: list[ScoredCandidate]
    others: list[ScoredCandidate]
    bound: float = 0.0


def read_pool(corpus: Corpus, asked: WordQuery) -> Pool:
    """Read documents until the unread ones can neither be in the pool nor be a hit."""
    if not asked.terms.weights or not asked.totals.documents or asked.limit < 1:
        return Pool([], [])
    reading = _Reading(corpus, asked)
    count = max(search_limits.CANDIDATES, asked.limit)
    reading.read(count, reading.alike)
    while True:
        hits = reading.hits()
        undecided = reading.undecided(hits)
        if not undecided:
            hits.sort(key=lambda hit: (-hit.bm25, hit.candidate.key))
            best, others = hits[: search_limits.POOL], hits[search_limits.POOL :]
            return Pool(best, others, reading.bound)
        count *= 4
        for floor, weights in undecided.items():
            reading.read(count, weights, floor)


class _Reading:
    """Documents read so far; ``alike`` are the places by the weight of their documents.

    ``bounds`` are those on the scores of the unread documents, by weight.
    """

    def __init__(self, corpus: Corpus, asked: WordQuery) -> None:
        self._corpus = corpus
        self._asked = asked
        self._scorer = Scorer(asked.terms, asked.totals)
        self._seen: set[tuple[str, str]] = set()
        self._scored: list[ScoredCandidate] = []
        self._bounds: dict[float, float] = {}
        self.alike = by_weight(corpus.places(), asked.by_place)
        self._weights = {
            place: weight for weight, places in self.alike.items() for place in places
        }

    def read(self, count: int, weights: Collection[float], floor: float = 0.0) -> None:
        """Read so many documents of these weights, but none below a score."""
        asked, places = self._asked, None
        if len(weights) < len(self.alike):
            places = frozenset(
                place for weight in weights for place in self.alike[weight]
            )
        proposed = self._corpus.propose(
            asked.terms.weights, count, floor=floor, places=places, topic=asked.topic
        )
        self._take(proposed.candidates)
        self._bounds.update(dict.fromkeys(weights, proposed.bound))

    @property
    def bound(self) -> float:
        """A bound on the scores by location of the unread documents."""
        return max((weight * low for weight, low in self._bounds.items()), default=0.0)

    def hits(self) -> list[ScoredCandidate]:
        """Return the documents that meet the conditions."""
        where = self._asked.where
        if where is None:
            return list(self._scored)
        return [hit for hit in self._scored if where(hit.candidate.doc)]

    def undecided(self, hits: list[ScoredCandidate]) -> dict[float, list[float]]:
        """Return the weights of unread documents that matter, by the least score."""
        least = _least(hits, self._asked.limit)
        by_score: dict[float, list[float]] = {}
        for weight in self._bounds:
            if not least.excludes(weight, self._bounds):
                by_score.setdefault(least.score(weight), []).append(weight)
        return by_score

    def _take(self, candidates: Iterable[CandidateDocument]) -> None:
        accepts, seen, weights = self._asked.accepts, self._seen, self._weights
        count, gains_of = self._asked.terms.count, self._scorer.gains_of
        for candidate in candidates:
            key = candidate.key
            if key in seen:
                continue
            seen.add(key)
            counted = count(candidate)
            if accepts is None or accepts(candidate, counted):
                gains = gains_of(counted, candidate.lengths)
                score = total_of(gains)
                weighted = score * weights[candidate.place]
                hit = ScoredCandidate(candidate, score, weighted, gains)
                self._scored.append(hit)


class _Least(NamedTuple):
    """Scores that a document needs to be in the pool, and to be a hit."""

    in_pool: float
    as_hit: float

    def excludes(self, weight: float, bounds: Mapping[float, float]) -> bool:
        """Return True if no unread document of a weight can be in the pool or a hit."""
        bound = bounds[weight]
        return not bound or (weight * bound < self.as_hit and bound < self.in_pool)

    def score(self, weight: float) -> float:
        """Return a score below which a document of a weight is neither."""
        return min(self.in_pool, self.as_hit / weight) * _ROUNDED


def _least(hits: list[ScoredCandidate], limit: int) -> _Least:
    by_place = distinct(sorted(hits, key=lambda hit: -hit.weighted), limit)
    by_relevance = sorted((hit.bm25 for hit in hits), reverse=True)
    return _Least(
        by_relevance[search_limits.POOL - 1]
        if len(hits) >= search_limits.POOL
        else 0.0,
        by_place[limit - 1].weighted if len(by_place) >= limit else 0.0,
    )
