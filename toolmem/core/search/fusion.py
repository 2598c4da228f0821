"""Combine hits by words and by meaning, with exact results.

score(d) = bm25(d) / best bm25 + w * s(d), where s is the cosine of a document and the
question, scaled so that the least similar visible document has 0 and the most similar
1. Scores are added, not ranks: a weak ranking would pull a strong one down.

Both lists are read from the best end until nothing unread can be a hit (the threshold
algorithm of Fagin, Lotem and Naor, "Optimal aggregation algorithms for middleware",
2003).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple, Protocol

from toolmem.core import limits
from toolmem.core.search.corpus import CandidateDocument, Corpus
from toolmem.core.search.rank import ScoredCandidate
from toolmem.core.search.terms import normal_topic
from toolmem.core.search.weights import PlaceWeights

Key = tuple[str, str]
"""Id and path of a document, as ``CandidateDocument.key``."""


class Similarity(Protocol):
    """Similarity in meaning of each visible document to one question."""

    @property
    def low(self) -> float:
        """Smallest cosine."""

    @property
    def high(self) -> float:
        """Largest cosine."""

    def cosine(self, key: Key) -> float:
        """Return the cosine of a document, from -1 to 1."""

    def most_similar(self, scopes: frozenset[str]) -> Iterator[tuple[Key, float]]:
        """Yield documents of these scopes with their cosines, best first."""


class SimilarityQuery(NamedTuple):
    """Word part of a question.

    ``weights`` are those of its terms, ``score`` returns the BM25 of a candidate,
    ``by_place`` its weight by location; ``distinct`` removes unwanted and equal hits.
    """

    weights: Mapping[str, float]
    score: Callable[[CandidateDocument], float]
    by_place: PlaceWeights
    distinct: Callable[[Iterable[ScoredCandidate]], list[ScoredCandidate]]
    limit: int
    topic: str | None = None


class FusedHits(NamedTuple):
    """Hits, unordered, enough to know the first ``limit``.

    ``best`` is the BM25 that counts as 1; ``shares`` is the contribution of each
    document's meaning.
    """

    hits: list[ScoredCandidate]
    best: float
    shares: dict[Key, float]


def fuse(
    corpus: Corpus, similarity: Similarity, question: SimilarityQuery
) -> FusedHits:
    """Read documents until the unread ones cannot change the hits."""
    pool = _Pool(corpus, similarity, question)
    count = max(limits.MEANING_CANDIDATES, question.limit)
    undecided = tuple(pool.classes)
    while undecided:
        pool.look(undecided, count)
        fused = pool.fused()
        undecided = pool.undecided(fused)
        count *= 4
    return pool.fused()


class _Pool:
    """Documents read so far, and an upper bound on the others by scope weight."""

    def __init__(
        self, corpus: Corpus, similarity: Similarity, question: SimilarityQuery
    ) -> None:
        self._corpus = corpus
        self._similarity = similarity
        self._question = question
        self.classes: dict[float, frozenset[str]] = {}
        for scope in corpus.scopes():
            weight = question.by_place.most(scope)
            self.classes[weight] = self.classes.get(weight, frozenset()) | {scope}
        self._lists = {w: similarity.most_similar(s) for w, s in self.classes.items()}
        self._found: dict[Key, tuple[CandidateDocument, float]] = {}
        self._paths: set[str] = set()
        self._words: dict[float, float] = {}
        self._cosines: dict[float, float] = {}
        # Never narrower: among few documents the differences mean little.
        self._low = min(similarity.low, 0.0)
        self._span = max(similarity.high, limits.MEANING_SPAN) - self._low

    def look(self, classes: Iterable[float], count: int) -> None:
        """Read the best ``count`` by words and as many more by meaning."""
        asked = self._question
        for weight in classes:
            scopes = self.classes[weight]
            if asked.weights and self._words.get(weight, 1.0):
                proposal = self._corpus.propose(
                    asked.weights, count, scopes=scopes, topic=asked.topic
                )
                self._add(proposal.candidates)
                self._words[weight] = proposal.bound
            listed = list(islice(self._lists[weight], count))
            for (_, path), cosine in listed:
                if cosine >= limits.MEANING_FLOOR and path not in self._paths:
                    self._paths.add(path)
                    self._add(self._corpus.at_path(path))
            self._cosines[weight] = listed[-1][1] if len(listed) == count else -1.0

    def fused(self) -> FusedHits:
        """Return the scores of the documents read so far."""
        best = max((score for _, score in self._found.values()), default=0.0) or 1.0
        shares: dict[Key, float] = {}
        hits = []
        for key, (candidate, score) in self._found.items():
            cosine = self._similarity.cosine(key)
            if score or cosine >= limits.MEANING_FLOOR:
                shares[key] = self._share(cosine)
                total = score / best + shares[key]
                weight = self._question.by_place.of(candidate.doc)
                hits.append(ScoredCandidate(candidate, total, total * weight))
        return FusedHits(self._question.distinct(hits), best, shares)

    def undecided(self, fused: FusedHits) -> tuple[float, ...]:
        """Return the scope weights under which an unread document could be a hit."""
        limit = self._question.limit
        by_score = sorted((hit.weighted for hit in fused.hits), reverse=True)
        by_relevance = sorted((hit.bm25 for hit in fused.hits), reverse=True)
        last = by_score[limit - 1] if len(by_score) >= limit else 0.0
        second = by_relevance[1] if len(by_relevance) > 1 else 0.0
        found = []
        for weight in self.classes:
            words, cosine = self._words.get(weight, 0.0), self._cosines[weight]
            if not words and cosine < limits.MEANING_FLOOR:
                continue  # the rest shares no word and is not similar
            share = self._share(max(cosine, limits.MEANING_FLOOR))
            bound = words / fused.best + share
            if words > fused.best or weight * bound >= last or bound >= second:
                found.append(weight)
        return tuple(found)

    def _add(self, candidates: Iterable[CandidateDocument]) -> None:
        topic = self._question.topic
        for candidate in candidates:
            if topic is None or normal_topic(candidate.doc.topic) in ("", topic):
                score = self._question.score(candidate)
                self._found.setdefault(candidate.key, (candidate, score))

    def _share(self, cosine: float) -> float:
        return limits.MEANING_WEIGHT * max(0.0, (cosine - self._low) / self._span)
