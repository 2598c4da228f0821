"""Rank query results by weighted figures and by novelty.

score = relevance, recency, importance and trust, each from 0 to 1, by their weights
(which add up to 1). Results are chosen one by one: the score is reduced by the weight
of novelty times the similarity to the most similar result chosen before (maximal
marginal relevance: Carbonell and Goldstein, 1998). Ties are broken by id.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.access.item import AccessItem
from toolmem.core.language.language import Language
from toolmem.core.text.terms import asked_words

_USER = frozenset(
    {"", "human", "manual", "person", "user", "user_explicit", "user_input"}
)
_INFERRED = frozenset(
    {"agent", "auto", "inference", "inferred", "model", "post_turn", "reflection"}
)
_SECONDS_A_DAY = 86400.0


class Weights(NamedTuple):
    """Weight of each figure; ``half_life`` of the recency is in days."""

    relevance: float
    recency: float
    importance: float
    trust: float
    novelty: float
    half_life: float

    @classmethod
    def of(cls, points: Sequence[int], novelty: int, half_life: int) -> "Weights":
        """Return weights from points; those of the four figures are normalised to 1."""
        positive = [max(0, each) for each in points]
        total = sum(positive)
        if not total:
            positive, total = [1, 0, 0, 0], 1
        shares = [each / total for each in positive]
        relevance, recency, importance, trust = shares
        apart = max(0, novelty) / 100
        return cls(relevance, recency, importance, trust, apart, max(1, half_life))


class QueryMatch(NamedTuple):
    """Item that matches a query; ``relevance`` is from 0 to 1.

    ``named`` is True for an item whose title, id or path is the query.
    """

    item: AccessItem
    relevance: float
    named: bool = False


class RankedItem(NamedTuple):
    """Ranked result with the figures that make up its ``score``.

    ``novelty`` is 1 minus the similarity to the most similar result before it.
    """

    item: AccessItem
    score: float
    relevance: float
    recency: float
    importance: float
    trust: float
    novelty: float


def rank(
    candidates: Iterable[QueryMatch],
    weights: Weights,
    now: datetime,
    most: int,
    language: Language,
) -> tuple[RankedItem, ...]:
    """Return the first ``most`` of the candidates, best first, after those named.

    Novelty compares words by their stems in the ``language`` of the vault.
    """
    left = sorted(
        ((match.named, _scored(match, weights, now)) for match in candidates),
        key=lambda pair: (not pair[0], -pair[1].score, pair[1].item.id),
    )
    terms_of = cache(lambda place: _terms(left[place][1].item.content, language))
    likeness = [0.0] * len(left)
    compared = [0] * len(left)
    places = list(range(len(left)))
    chosen: list[int] = []
    ranked: list[RankedItem] = []
    while places and len(ranked) < most:
        best: tuple[bool, float] | None = None
        for place in places:
            named, one = left[place]
            if best is not None and best >= (named, one.score):
                break  # nor can any after it be better
            for other in chosen[compared[place] :]:
                alike = _likeness(terms_of(other), terms_of(place))
                likeness[place] = max(likeness[place], alike)
            compared[place] = len(chosen)
            value = named, one.score - weights.novelty * likeness[place]
            if best is None or value > best:
                best, at = value, place
        assert best is not None
        places.remove(at)
        chosen.append(at)
        novel = 1 - likeness[at]
        ranked.append(left[at][1]._replace(score=best[1], novelty=novel))
    return tuple(ranked)


def most_score(
    weights: Weights, *, relevance: float, recency: float, importance: float
) -> float:
    """Return a bound on the scores of items whose figures are at most these."""
    return (
        weights.relevance * relevance
        + weights.recency * max(recency, limits.RECENCY_UNKNOWN)
        + weights.importance * importance
        + weights.trust * limits.TRUST_USER
    )


def trust_of(source: str) -> float:
    """Trust in a source: people highest, inference lowest."""
    name = source.strip().lower()
    if name in _USER:
        return limits.TRUST_USER
    return limits.TRUST_INFERENCE if name in _INFERRED else limits.TRUST_TOOL


def recency_of(moment: datetime | None, now: datetime, half_life: float) -> float:
    """Recency of a moment: 1 for now, halved with each half-life (in days)."""
    if moment is None:
        return limits.RECENCY_UNKNOWN
    days = (now - moment).total_seconds() / _SECONDS_A_DAY
    return recency_after(days, half_life)


def recency_after(days: float, half_life: float) -> float:
    """Recency of a moment so many days ago; 1 for one that is still to come."""
    return float(0.5 ** (days / half_life)) if days > 0 else 1.0


def _scored(candidate: QueryMatch, weights: Weights, now: datetime) -> RankedItem:
    item = candidate.item
    recency = recency_of(item.timestamp, now, weights.half_life)
    trust = trust_of(item.source)
    score = (
        weights.relevance * candidate.relevance
        + weights.recency * recency
        + weights.importance * item.importance
        + weights.trust * trust
    )
    return RankedItem(
        item, score, candidate.relevance, recency, item.importance, trust, 1.0
    )


def _terms(text: str, language: Language) -> frozenset[str]:
    return frozenset(language.stems(asked_words(text)))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard similarity of two sets of words."""
    both = len(one & other)
    return both / (len(one) + len(other) - both) if both else 0.0
