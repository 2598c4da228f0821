"""Search from question to hits.

Every search ranks in the same way: the documents of the pool by words, then once more
by the question with the terms that distinguish the first of them.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.search.corpus import Corpus, Totals
from toolmem.core.search.doc import Doc
from toolmem.core.search.feedback import feedback_terms
from toolmem.core.search.fusion import Key, Similarity, SimilarityQuery, fuse
from toolmem.core.search.pool import WordQuery, read_pool
from toolmem.core.search.query import ParsedQuery, rarity
from toolmem.core.search.rank import (
    ScoredCandidate,
    Terms,
    arrange,
    bm25,
    contributions,
    distinct,
)
from toolmem.core.search.snippet import snippet
from toolmem.core.search.spelling import correct
from toolmem.core.search.terms import words
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
    """Hits; ``corrections`` maps a word without matches to words of the hits.

    ``feedback`` are terms of the first hits that were added to the question.
    """

    hits: tuple[Hit, ...]
    corrections: dict[str, tuple[str, ...]]
    topic_fallback: bool = False
    feedback: tuple[str, ...] = ()


class WeightedQuery(NamedTuple):
    """Terms of a question with weight times idf, and the corrected words."""

    terms: Terms
    corrections: dict[str, tuple[str, ...]]
    totals: Totals


class Ranking(NamedTuple):
    """Hits, unordered, enough to know the first ``limit``.

    ``best`` is the BM25 that counts as 1. ``feedback`` are the terms that were added to
    the question for the documents of the ``pool``; ``shares`` is the contribution of
    each document's meaning.
    """

    hits: list[ScoredCandidate]
    best: float = 1.0
    feedback: Terms = Terms({})
    pool: Collection[Key] = ()
    shares: Mapping[Key, float] = MappingProxyType({})

    def terms_of(self, key: Key, asked: Terms) -> Terms:
        """Return the terms that a document was scored by."""
        return asked.and_also(self.feedback) if key in self.pool else asked


def find(corpus: Corpus, request: FindRequest) -> SearchResult:
    """Search; with too few hits on the topic, search all topics and say so."""
    asked = ask(corpus, request.query)
    ranking = rank_hits(corpus, request, asked, request.topic)
    few = len(distinct(ranking.hits)) < limits.TOPIC_FALLBACK
    fallback = request.topic is not None and few
    if fallback:
        ranking = rank_hits(corpus, request, asked, None)
    arranged = arrange(ranking.hits, request.limit)
    best = max((scored.bm25 for scored in ranking.hits), default=1.0) or 1.0
    hits = [_hit(scored, request, asked, ranking, best) for scored in arranged]
    words = _in_whole_words(asked, hits)
    return SearchResult(tuple(hits), words, fallback, tuple(ranking.feedback.weights))


def _hit(
    scored: ScoredCandidate,
    request: FindRequest,
    asked: WeightedQuery,
    ranking: Ranking,
    best: float,
) -> Hit:
    doc = scored.candidate.doc
    terms = ranking.terms_of(scored.candidate.key, asked.terms)
    parts = contributions(scored.candidate, terms, asked.totals)
    return Hit(
        doc,
        relevance=scored.bm25 / best,
        score=min(1.0, scored.weighted / best / request.heaviest),
        snippet=snippet(doc.body or doc.title, asked.terms),
        parts={key: value / ranking.best / best for key, value in parts.items()},
        meaning=ranking.shares.get(scored.candidate.key, 0.0) / best,
    )


def _in_whole_words(
    asked: WeightedQuery, hits: Iterable[Hit]
) -> dict[str, tuple[str, ...]]:
    """Return corrections with the words that the hits use for their terms."""
    if not asked.corrections:
        return {}
    used: dict[str, str] = {}
    for doc in (hit.doc for hit in hits):
        texts = (doc.title, doc.body, doc.topic, doc.context, *doc.tags, *doc.headings)
        for word in words(" ".join(texts)):
            used.setdefault(asked.terms.language.stem_of(word), word)
    found = {
        word: tuple(used[term] for term in terms if term in used)
        for word, terms in asked.corrections.items()
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


def rank_hits(
    corpus: Corpus, request: FindRequest, asked: WeightedQuery, topic: str | None
) -> Ranking:
    """Return the hits by words and feedback, or by words and meaning."""
    if request.similarity is not None:
        return _by_meaning(corpus, request, request.similarity, asked, topic)
    question = WordQuery(
        asked.terms,
        asked.totals,
        by_place=request.weights,
        limit=request.limit,
        where=request.where,
        topic=topic,
    )
    pool = read_pool(corpus, question)
    if not pool.best:
        return Ranking([])
    first = distinct(pool.best)[: limits.FEEDBACK_HITS]
    feedback = feedback_terms(corpus, asked.terms, asked.totals, first)
    longer = asked.terms.and_also(feedback)
    hits = []
    for candidate, _, _ in pool.best:
        score = bm25(candidate, longer, asked.totals)
        weighted = score * request.weights.of(candidate.doc)
        hits.append(ScoredCandidate(candidate, score, weighted))
    keys = frozenset(hit.candidate.key for hit in hits)
    return Ranking([*hits, *pool.others], feedback=feedback, pool=keys)


def _by_meaning(
    corpus: Corpus,
    request: FindRequest,
    similarity: Similarity,
    asked: WeightedQuery,
    topic: str | None,
) -> Ranking:
    question = SimilarityQuery(
        asked.terms.weights,
        score=lambda candidate: bm25(candidate, asked.terms, asked.totals),
        by_place=request.weights,
        distinct=lambda hits: _distinct(request, hits),
        limit=request.limit,
        topic=topic,
    )
    fused = fuse(corpus, similarity, question)
    return Ranking(fused.hits, fused.best, shares=fused.shares)


def ask(corpus: Corpus, query: ParsedQuery) -> WeightedQuery:
    """Return the terms of a question, weighted by their rarity in visible documents."""
    totals = corpus.totals()
    weights: dict[str, float] = {}
    corrections = {}
    for word, stem in query.words:
        found = {stem: 1.0}
        if not corpus.frequency(stem) and (
            guesses := correct(word, corpus.beginning, corpus.frequency, query.language)
        ):
            found = guesses
            corrections[word] = tuple(guesses)
        for term, weight in found.items():
            weights[term] = max(weight, weights.get(term, 0.0))
    for term in weights:
        weights[term] *= rarity(totals.documents, corpus.frequency(term))
    return WeightedQuery(Terms(weights, query.language), corrections, totals)


def _distinct(
    request: FindRequest, scored: Iterable[ScoredCandidate]
) -> list[ScoredCandidate]:
    """Return hits that pass ``where``, without hits of equal text after the first."""
    where = request.where or (lambda _doc: True)
    hits = sorted(scored, key=lambda hit: (-hit.weighted, hit.candidate.key))
    return distinct(hit for hit in hits if where(hit.candidate.doc))
