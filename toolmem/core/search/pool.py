"""Read the documents that a question is decided among, with exact results.

The index only proposes documents, until its upper bound on the score of all others is
too low to matter. The pool is therefore the one that a scan of every document would
find, and documents that the reader cannot see have no influence.
"""

from collections.abc import Callable, Iterable, Mapping

from toolmem.core import search_limits
from toolmem.core.named_tuple import NamedTuple
from toolmem.core.search.corpus import (
    CandidateDocument,
    CandidateSet,
    Corpus,
    Place,
    Totals,
)
from toolmem.core.search.doc import Doc
from toolmem.core.search.rank import ScoredCandidate, distinct
from toolmem.core.search.scores import Scorer, Terms, total_of
from toolmem.core.search.weights import PlaceWeights

_ROUNDED = 1 - 1e-9
"""Products and quotients of scores are rounded."""


class WordQuery(NamedTuple):
    """Terms of a question, and options of the pool.

    ``where`` selects documents, ``topic`` excludes those of other topics; ``limit`` is
    the number of hits to be known. ``accepts`` decides by a document's words.
    """

    terms: Terms
    totals: Totals
    by_place: PlaceWeights
    limit: int
    where: Callable[[Doc], bool] | None = None
    topic: str | None = None
    accepts: Callable[[CandidateDocument], bool] | None = None


class Pool(NamedTuple):
    """Documents that share a term with a question.

    ``best`` are the `POOL` most relevant ones, best first, whatever the ``limit`` of
    the question; ``others`` include all that may be among its first hits by location.
    """

    best: list[ScoredCandidate]
    others: list[ScoredCandidate]


def read_pool(corpus: Corpus, asked: WordQuery) -> Pool:
    """Read documents until the unread ones can neither be in the pool nor be a hit."""
    if not asked.terms.weights or not asked.totals.documents or asked.limit < 1:
        return Pool([], [])
    alike: dict[float, set[Place]] = {}
    for place in corpus.places():
        alike.setdefault(asked.by_place.of(place), set()).add(place)
    scored: dict[tuple[str, str], ScoredCandidate] = {}
    scorer = Scorer(asked.terms, asked.totals)
    bounds: dict[float, float] = {}

    def take(proposal: CandidateSet, classes: Iterable[float]) -> None:
        for candidate in proposal.candidates:
            is_new = candidate.key not in scored
            if is_new and (asked.accepts is None or asked.accepts(candidate)):
                gains = scorer.gains(candidate)
                score = total_of(gains)
                weighted = score * asked.by_place.of(candidate.place)
                hit = ScoredCandidate(candidate, score, weighted, gains)
                scored[candidate.key] = hit
        bounds.update(dict.fromkeys(classes, proposal.bound))

    count = max(search_limits.CANDIDATES, asked.limit)
    take(corpus.propose(asked.terms.weights, count, topic=asked.topic), alike)
    while True:
        hits = [hit for hit in scored.values() if _fits(hit, asked)]
        least = _least(hits, asked.limit)
        undecided = [weight for weight in bounds if not least.excludes(weight, bounds)]
        if not undecided:
            hits.sort(key=lambda hit: (-hit.bm25, hit.candidate.key))
            return Pool(hits[: search_limits.POOL], hits[search_limits.POOL :])
        count *= 4
        for weight in undecided:
            more = corpus.propose(
                asked.terms.weights,
                count,
                floor=least.score(weight),
                places=frozenset(alike[weight]),
                topic=asked.topic,
            )
            take(more, (weight,))


def _fits(hit: ScoredCandidate, asked: WordQuery) -> bool:
    return asked.where is None or asked.where(hit.candidate.doc)


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
