"""Hits by words and by meaning together, exact whatever is looked at first.

score(d) = bm25(d) / best bm25 + w * near(d), where near is the cosine of a
document and the question, stretched so that the farthest visible document has 0
and the nearest 1. Scores are added, not ranks: a weak ranking would drag a
strong one down.

Both lists are read from their best ends until nothing unread can be a hit (the
threshold algorithm of Fagin, Lotem and Naor, "Optimal aggregation algorithms
for middleware", 2003).
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
    """How near each visible document is to one question, by meaning."""

    @property
    def low(self) -> float:
        """The smallest cosine."""

    @property
    def high(self) -> float:
        """The largest cosine."""

    def cosine(self, key: Key) -> float:
        """The cosine of a document, from -1 to 1."""

    def most_similar(self, scopes: frozenset[str]) -> Iterator[tuple[Key, float]]:
        """The documents of these scopes with their cosines, the nearest first."""


class WordQuery(NamedTuple):
    """What is asked by words.

    ``weights`` are those of its terms, ``score`` gives the BM25 of a candidate,
    ``by_place`` how much it counts by where it is; ``distinct`` leaves out what is not
    wanted.
    """

    weights: Mapping[str, float]
    score: Callable[[CandidateDocument], float]
    by_place: PlaceWeights
    distinct: Callable[[Iterable[ScoredCandidate]], list[ScoredCandidate]]
    limit: int
    topic: str | None = None


class FusedHits(NamedTuple):
    """Hits in no order, enough of them to know the first ``limit``.

    ``best`` is the BM25 that counts as 1; ``shares`` is what each document has
    by its meaning.
    """

    hits: list[ScoredCandidate]
    best: float
    shares: dict[Key, float]


def fuse(corpus: Corpus, similarity: Similarity, question: WordQuery) -> FusedHits:
    """Look at documents until what was not looked at cannot change the hits."""
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
    """What has been looked at, and a bound on all that has not, by scope weight."""

    def __init__(
        self, corpus: Corpus, similarity: Similarity, question: WordQuery
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
        """Look at the best ``count`` by words and at as many more by meaning."""
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
        """The scores of what has been looked at."""
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
        """The scope weights under which something not looked at could be a hit."""
        limit = self._question.limit
        by_score = sorted((hit.weighted for hit in fused.hits), reverse=True)
        by_relevance = sorted((hit.bm25 for hit in fused.hits), reverse=True)
        last = by_score[limit - 1] if len(by_score) >= limit else 0.0
        second = by_relevance[1] if len(by_relevance) > 1 else 0.0
        found = []
        for weight in self.classes:
            words, cosine = self._words.get(weight, 0.0), self._cosines[weight]
            if not words and cosine < limits.MEANING_FLOOR:
                continue  # what is left shares no word and is far away
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
        """What a cosine adds to a score."""
        return limits.MEANING_WEIGHT * max(0.0, (cosine - self._low) / self._span)
