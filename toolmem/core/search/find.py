"""Search from question to hits, with exact results.

The index only proposes documents, until its upper bound on the score of all others is
below the last hit. The hits are therefore those that a scan of every document would
find, and documents that the reader cannot see have no influence.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.search.corpus import CandidateSet, Corpus, Totals
from toolmem.core.search.doc import Doc
from toolmem.core.search.fusion import FusedHits, Similarity, WordQuery
from toolmem.core.search.fusion import fuse as settle_both
from toolmem.core.search.query import ParsedQuery, rarity
from toolmem.core.search.rank import (
    ScoredCandidate,
    Terms,
    arrange,
    bm25,
    contributions,
)
from toolmem.core.search.snippet import snippet
from toolmem.core.search.spelling import correct
from toolmem.core.search.terms import stem_of, words
from toolmem.core.search.weights import PlaceWeights, ScopeWeights


class FindRequest(NamedTuple):
    """A query, and options of the ranking.

    ``weights`` depend on a hit's location. ``heaviest`` is the largest weight of the
    chain, by which scores are divided (an override text may be heavier: its score is at
    most 1). ``where`` selects documents. ``similarity`` adds documents of similar
    meaning.
    """

    query: ParsedQuery
    weights: PlaceWeights = ScopeWeights()
    heaviest: float = 1.0
    limit: int = 10
    topic: str | None = None
    where: Callable[[Doc], bool] | None = None
    similarity: Similarity | None = None


class Hit(NamedTuple):
    """One hit; ``relevance`` and ``score`` are in 0..1.

    ``parts`` has the contribution of each (term, field) to the relevance, ``meaning``
    that of the similarity to the question.
    """

    doc: Doc
    relevance: float
    score: float
    snippet: str
    parts: dict[tuple[str, str], float]
    meaning: float = 0.0


class SearchResult(NamedTuple):
    """Hits; ``corrections`` maps a word without matches to words of the hits."""

    hits: tuple[Hit, ...]
    corrections: dict[str, tuple[str, ...]]
    topic_fallback: bool = False


class WeightedQuery(NamedTuple):
    """Terms of a question with weight times idf, and the corrected words."""

    terms: Terms
    corrections: dict[str, tuple[str, ...]]
    totals: Totals


def find(corpus: Corpus, request: FindRequest) -> SearchResult:
    """Search; with too few hits on the topic, search all topics and say so."""
    asked = ask(corpus, request.query)
    pool = pool_hits(corpus, request, asked, request.topic)
    fallback = request.topic is not None and len(pool.hits) < limits.TOPIC_FALLBACK
    if fallback:
        pool = pool_hits(corpus, request, asked, None)
    best = max((scored.bm25 for scored in pool.hits), default=1.0) or 1.0
    arranged = arrange(pool.hits, request.limit)
    hits = []
    for scored in arranged:
        doc = scored.candidate.doc
        parts = contributions(scored.candidate, asked.terms, asked.totals)
        hits.append(
            Hit(
                doc,
                relevance=scored.bm25 / best,
                score=min(1.0, scored.weighted / best / request.heaviest),
                snippet=snippet(doc.body or doc.title, asked.terms),
                parts={key: value / pool.best / best for key, value in parts.items()},
                meaning=pool.shares.get(scored.candidate.key, 0.0) / best,
            )
        )
    return SearchResult(tuple(hits), _in_whole_words(asked.corrections, hits), fallback)


def _in_whole_words(
    corrections: Mapping[str, tuple[str, ...]], hits: Iterable[Hit]
) -> dict[str, tuple[str, ...]]:
    """Return corrections with the words that the hits use for their terms."""
    if not corrections:
        return {}
    used: dict[str, str] = {}
    for doc in (hit.doc for hit in hits):
        texts = (doc.title, doc.body, doc.topic, doc.context, *doc.tags, *doc.headings)
        for word in words(" ".join(texts)):
            used.setdefault(stem_of(word), word)
    found = {
        word: tuple(used[term] for term in terms if term in used)
        for word, terms in corrections.items()
    }
    return {word: shown for word, shown in found.items() if shown}


def count_matching(corpus: Corpus, request: FindRequest) -> int:
    """Count the documents that match the words of a request, beyond its limit too."""
    weights = ask(corpus, request.query).terms.weights
    every = corpus.matching(weights)
    if not every or (request.where is None and request.topic is None):
        return every
    proposed = corpus.propose(weights, every, topic=request.topic).candidates
    fits = request.where or (lambda _doc: True)
    return sum(fits(candidate.doc) for candidate in proposed)


def pool_hits(
    corpus: Corpus, request: FindRequest, asked: WeightedQuery, topic: str | None
) -> FusedHits:
    """Return the hits by words, or by words and meaning, unordered."""
    if request.similarity is None:
        return FusedHits(finish_search(corpus, request, asked, topic), 1.0, {})
    question = WordQuery(
        asked.terms.weights,
        score=lambda candidate: bm25(candidate, asked.terms, asked.totals),
        by_place=request.weights,
        distinct=lambda hits: _distinct(request, hits),
        limit=request.limit,
        topic=topic,
    )
    return settle_both(corpus, request.similarity, question)


def ask(corpus: Corpus, query: ParsedQuery) -> WeightedQuery:
    """Return the terms of a question, weighted by their rarity in visible documents."""
    totals = corpus.totals()
    weights: dict[str, float] = {}
    corrections = {}
    for word, stem in query.words:
        found = {stem: 1.0}
        if not corpus.frequency(stem) and (
            guesses := correct(word, corpus.beginning, corpus.frequency)
        ):
            found = guesses
            corrections[word] = tuple(guesses)
        for term, weight in found.items():
            weights[term] = max(weight, weights.get(term, 0.0))
    for term in weights:
        weights[term] *= rarity(totals.documents, corpus.frequency(term))
    return WeightedQuery(Terms(weights), corrections, totals)


def finish_search(
    corpus: Corpus, request: FindRequest, asked: WeightedQuery, topic: str | None
) -> list[ScoredCandidate]:
    """Score enough documents to know the first ``limit`` hits; unordered.

    More are requested until the remaining ones cannot change the result.
    """
    weights = asked.terms.weights
    if not weights or not asked.totals.documents or request.limit < 1:
        return []
    alike: dict[float, set[str]] = {}
    for scope in corpus.scopes():
        alike.setdefault(request.weights.most(scope), set()).add(scope)
    scored: dict[tuple[str, str], ScoredCandidate] = {}
    bounds: dict[float, float] = {}

    def take(proposal: CandidateSet, classes: Iterable[float]) -> None:
        for candidate in proposal.candidates:
            if candidate.key not in scored:
                score = bm25(candidate, asked.terms, asked.totals)
                weighted = score * request.weights.of(candidate.doc)
                scored[candidate.key] = ScoredCandidate(candidate, score, weighted)
        bounds.update(dict.fromkeys(classes, proposal.bound))

    count = max(limits.CANDIDATES, request.limit)
    take(corpus.propose(weights, count, topic=topic), alike)
    while True:
        hits = _distinct(request, scored.values())
        undecided = _undecided(hits, bounds, request.limit)
        if not undecided:
            return hits
        count *= 4
        for weight in undecided:
            scopes = frozenset(alike[weight])
            more = corpus.propose(weights, count, scopes=scopes, topic=topic)
            take(more, (weight,))


def _undecided(
    hits: list[ScoredCandidate], bounds: dict[float, float], limit: int
) -> list[float]:
    """Scope weights under which a document not yet seen could be a hit."""
    by_score = sorted((hit.weighted for hit in hits), reverse=True)
    by_relevance = sorted((hit.bm25 for hit in hits), reverse=True)
    last = by_score[limit - 1] if len(hits) >= limit else 0.0
    second = by_relevance[1] if len(hits) > 1 else 0.0
    return [
        weight
        for weight, bound in bounds.items()
        if bound and (weight * bound >= last or bound >= second)
    ]


def _distinct(
    request: FindRequest, scored: Iterable[ScoredCandidate]
) -> list[ScoredCandidate]:
    """Return hits that pass ``where``, without hits of equal text after the first."""
    first: dict[tuple[str, ...], ScoredCandidate] = {}
    for hit in sorted(scored, key=lambda h: (-h.weighted, h.candidate.key)):
        doc = hit.candidate.doc
        if request.where is None or request.where(doc):
            first.setdefault((doc.kind, doc.title, doc.body), hit)
    return list(first.values())
