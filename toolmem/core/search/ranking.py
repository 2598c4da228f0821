"""Rank documents by words and meaning, with the feedback of the first of them.

Words that are similar to those of the question count, too, at a small weight.

score(d) = bm25(d) / best bm25 + w * s(d), where s is the cosine of a document and the
question, scaled so that the least similar document of the pool has 0 and the most
similar 1. Scores are added, not ranks: a weak ranking would pull a strong one down.
Where all documents have similar words only, the best of them counts as the weight of
such words, not as 1.
With the model the best bm25 counts as at least a share of what a document with every
word of the question has: the best of documents that have few of them is not a good one.
"""

from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from functools import cache
from typing import NamedTuple

from toolmem.core import search_limits
from toolmem.core.search.added_terms import feedback_terms, similar_terms
from toolmem.core.search.corpus import (
    CandidateDocument,
    Corpus,
    PlaceWeights,
    Totals,
    weight_of_scope,
)
from toolmem.core.search.doc import Doc
from toolmem.core.search.meaning.similarity import WORDS_ONLY, Similarity
from toolmem.core.search.named import find_named
from toolmem.core.search.pool import WordQuery, read_pool
from toolmem.core.search.query import ParsedQuery, rarity
from toolmem.core.search.rank import ScoredCandidate, distinct
from toolmem.core.search.scores import Gains, Occurrence, Scorer, Terms, total_of
from toolmem.core.search.spelling import correct
from toolmem.core.text.terms import normal_topic

Key = tuple[str, str]
"""Id and path of a document, as ``CandidateDocument.key``."""


class FindRequest(NamedTuple):
    """A query, and options of the ranking.

    ``weights`` depend on a hit's location. ``heaviest`` is the largest weight of the
    chain, by which scores are divided (an override text may be heavier: its score is at
    most 1). ``where`` selects documents. ``similarity`` adds the meaning of documents.
    """

    query: ParsedQuery
    weights: PlaceWeights = weight_of_scope
    heaviest: float = 1.0
    limit: int = 10
    topic: str | None = None
    where: Callable[[Doc], bool] | None = None
    similarity: Similarity | None = None


class WeightedQuery(NamedTuple):
    """Terms of a question with weight times idf, and the corrected words.

    ``own`` are those of its words, ``terms`` include those of similar words.
    """

    terms: Terms
    corrections: dict[str, tuple[str, ...]]
    totals: Totals
    own: Terms

    @property
    def similar(self) -> tuple[str, ...]:
        """Terms of words that are similar to those of the question."""
        own = self.own.weights
        return tuple(term for term in self.terms.weights if term not in own)


class Ranking(NamedTuple):
    """Hits, unordered, enough to know the first ``limit``.

    ``terms`` are those of the question; ``longer`` has those of the ``feedback``, too,
    and scores the documents of the ``pool`` that share a word with the question.
    ``best`` is the BM25 that counts as 1, ``shares`` are the contributions of meaning;
    ``named`` are documents that the question names, as ``find_named`` returns them. No
    document that was not read has a score by location above the ``bound``.
    """

    hits: list[ScoredCandidate]
    terms: Terms
    longer: Terms
    pool: Collection[Key]
    best: float
    shares: Mapping[Key, float]
    named: Mapping[Key, int]
    bound: float

    @property
    def feedback(self) -> tuple[str, ...]:
        """Terms that were added to the question."""
        asked = self.terms.weights
        return tuple(term for term in self.longer.weights if term not in asked)

    def terms_of(self, hit: ScoredCandidate) -> Terms:
        """Return the terms by which a hit was scored."""
        return self.longer if hit.candidate.key in self.pool else self.terms


def ask(
    corpus: Corpus, query: ParsedQuery, similarity: Similarity | None = None
) -> WeightedQuery:
    """Return the terms of a question, weighted by their rarity in visible documents.

    With a ``similarity`` also those of similar words.
    """
    totals = corpus.totals()
    weights: dict[str, float] = {}
    corrections = {}
    unknown = [word for word, stem in query.words if not corpus.frequency(stem)]
    repaired = frozenset(unknown[: search_limits.REPAIR_UNKNOWN])
    beginning = cache(corpus.beginning)
    for word, stem in query.words:
        stems = {stem: 1.0}
        if word in repaired and (
            guesses := correct(word, beginning, corpus.frequency, query.language)
        ):
            stems = guesses
            corrections[word] = tuple(guesses)
        for term, weight in stems.items():
            weights[term] = max(weight, weights.get(term, 0.0))
    for term in weights:
        weights[term] *= rarity(totals.documents, corpus.frequency(term))
    own = Terms(weights, query.language)
    words = similarity.similar_words() if similarity else ()
    terms = own.and_also(similar_terms(corpus, own, totals, words))
    return WeightedQuery(terms, corrections, totals, own)


def rank_hits(
    corpus: Corpus, request: FindRequest, asked: WeightedQuery, topic: str | None
) -> Ranking:
    """Return the hits of a request on a topic.

    Documents beyond the pool have a score by the words of the question alone, so that
    none of them is above one that shares a word with the question in the pool.
    """
    question = WordQuery(
        asked.terms,
        asked.totals,
        by_place=request.weights,
        limit=request.limit,
        where=request.where,
        topic=topic,
        accepts=_accepted(asked, request.similarity),
    )
    read = read_pool(corpus, question)
    pool = _Pool(request, asked, read.best)
    if request.similarity is not None:
        pool.add_similar(corpus, request.similarity, topic)
    fits = _fitting(request.where, topic)
    named = {
        key: (candidate, rank)
        for key, (candidate, rank) in find_named(
            corpus, request.query, request.weights
        ).items()
        if fits(candidate.doc)
    }
    added = pool.feedback(corpus)
    pool.add(candidate for candidate, _ in named.values())
    longer = asked.terms.and_also(added)
    hits, best, shares = pool.fused(added)
    for hit in read.others:
        if hit.candidate.key not in pool.members:
            score, weighted = hit.bm25 / best, hit.weighted / best
            hits.append(ScoredCandidate(hit.candidate, score, weighted))
    sharing = [key for key, score in pool.by_words.items() if score]
    ranks = {key: rank for key, (_, rank) in named.items()}
    bound = read.bound / best
    return Ranking(
        hits, asked.terms, longer, frozenset(sharing), best, shares, ranks, bound
    )


def score_others(
    request: FindRequest,
    asked: WeightedQuery,
    ranking: Ranking,
    candidates: Iterable[CandidateDocument],
) -> Iterator[ScoredCandidate]:
    """Yield documents that a ranking has not read, scored as those beyond its pool."""
    accepts = _accepted(asked, request.similarity)
    scorer = Scorer(asked.terms, asked.totals)
    known = {hit.candidate.key for hit in ranking.hits}
    for candidate in candidates:
        if candidate.key in known:
            continue
        known.add(candidate.key)
        if accepts is None or accepts(candidate, asked.terms.count(candidate)):
            score = scorer.bm25(candidate) / ranking.best
            weighted = score * request.weights(candidate.place)
            yield ScoredCandidate(candidate, score, weighted)


def _fitting(
    where: Callable[[Doc], bool] | None, topic: str | None
) -> Callable[[Doc], bool]:
    """Return a test of documents by the conditions of a request and a topic."""

    def fits(doc: Doc) -> bool:
        is_on_topic = topic is None or normal_topic(doc.topic) in ("", topic)
        return is_on_topic and (where is None or where(doc))

    return fits


def _accepted(
    asked: WeightedQuery, similarity: Similarity | None
) -> Callable[[CandidateDocument, Sequence[Occurrence]], bool] | None:
    """Return a test of documents that may have similar words only."""
    if similarity is None or not asked.similar:
        return None
    floor = similarity.scale.floor
    own = asked.own.weights
    return lambda candidate, counted: (
        any(term in own for term, *_ in counted)
        or similarity.cosines([candidate])[0] >= floor
    )


class _Pool:
    """Documents that are ranked by meaning and feedback."""

    def __init__(
        self,
        request: FindRequest,
        asked: WeightedQuery,
        best: Iterable[ScoredCandidate],
    ) -> None:
        self.members: dict[Key, CandidateDocument] = {}
        self.by_words: dict[Key, float] = {}
        self._request = request
        self._asked = asked
        self._cosines: dict[Key, float] = {}
        self._scale = request.similarity.scale if request.similarity else WORDS_ONLY
        self._gains: dict[Key, Gains] = {}
        for hit in best:
            self.members[hit.candidate.key] = hit.candidate
            self.by_words[hit.candidate.key] = hit.bm25
            self._gains[hit.candidate.key] = hit.gains

    def add_similar(
        self, corpus: Corpus, similarity: Similarity, topic: str | None
    ) -> None:
        """Add documents of similar meaning, and the meaning of all."""
        cosines = similarity.cosines(list(self.members.values()))
        self._cosines = dict(zip(self.members, cosines, strict=True))

        fits = _fitting(self._request.where, topic)
        others = [
            candidate
            for candidate in similarity.candidates(corpus, fits)
            if candidate.key not in self.members
        ]
        pairs = zip(similarity.cosines(others), others, strict=True)
        similar = [pair for pair in pairs if pair[0] >= self._scale.floor]
        similar.sort(key=lambda pair: (-pair[0], pair[1].key))
        chosen = similar[: search_limits.MEANING_CANDIDATES]
        self.add(candidate for _, candidate in chosen)
        self._cosines |= {candidate.key: cosine for cosine, candidate in chosen}

    def add(self, candidates: Iterable[CandidateDocument]) -> None:
        """Add documents, those that it has excepted."""
        scorer = Scorer(self._asked.terms, self._asked.totals)
        for candidate in candidates:
            if candidate.key not in self.members:
                gains = scorer.gains(candidate)
                self.members[candidate.key] = candidate
                self.by_words[candidate.key] = total_of(gains)
                self._gains[candidate.key] = gains

    def feedback(self, corpus: Corpus) -> Terms:
        """Return the terms that the first documents add to the question."""
        scores, _, _ = self._scored(None)
        ordered = sorted(scores, key=lambda key: (-scores[key], key))
        hits = (
            ScoredCandidate(self.members[key], scores[key], scores[key])
            for key in ordered
        )
        first = distinct(hits, search_limits.FEEDBACK_HITS)
        terms, totals = self._asked.terms, self._asked.totals
        return feedback_terms(corpus, terms, totals, first, self._scale.feedback)

    def fused(
        self, added: Terms
    ) -> tuple[list[ScoredCandidate], float, dict[Key, float]]:
        """Return hits, the best BM25 and the share of each document's meaning.

        A document that shares no word with the question gains nothing by terms that
        are ``added`` to it.
        """
        scores, best, shares = self._scored(added)
        hits = []
        for key, candidate in self.members.items():
            weighted = scores[key] * self._request.weights(candidate.place)
            hits.append(ScoredCandidate(candidate, scores[key], weighted))
        return hits, best, shares

    def _scored(
        self, added: Terms | None
    ) -> tuple[dict[Key, float], float, dict[Key, float]]:
        """Return the scores of all documents, and the rest as ``fused``."""
        scores = dict(self.by_words)
        if added is not None:
            scorer = Scorer(added, self._asked.totals)
            for key, score in self.by_words.items():
                if score:
                    more = scorer.gains(self.members[key])
                    scores[key] = total_of(self._gains[key], more)
        every_word = sum(self._asked.terms.weights.values())
        best = max(scores.values(), default=0.0) or 1.0
        if not self._has_own_words():
            best /= search_limits.SIMILAR_WEIGHT
        best = max(best, self._scale.coverage * every_word)
        shares = self._shares()
        totals = {
            key: score / best + shares.get(key, 0.0) for key, score in scores.items()
        }
        return totals, best, shares

    def _has_own_words(self) -> bool:
        """Return True if a document has a word of the question itself."""
        asked = self._asked
        return not asked.similar or any(
            asked.own.are_in(candidate) for candidate in self.members.values()
        )

    def _shares(self) -> dict[Key, float]:
        low = min(self._cosines.values(), default=0.0)
        high = max(self._cosines.values(), default=0.0)
        # Never narrower: among few documents the differences mean little.
        span = max(high, search_limits.MEANING_SPAN) - min(low, 0.0)
        return {
            key: self._scale.weight * (cosine - min(low, 0.0)) / span
            for key, cosine in self._cosines.items()
        }
