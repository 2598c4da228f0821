"""Rank query results by weighted figures and by novelty.

score = relevance, recency, importance and trust, each from 0 to 1, by their weights
(which add up to 1). Results are chosen one by one: the score is reduced by the weight
of novelty times the similarity to the most similar result chosen before (maximal
marginal relevance: Carbonell and Goldstein, 1998). Ties are broken by id.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
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
    """Item that matches a query; ``relevance`` is from 0 to 1."""

    item: AccessItem
    relevance: float


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
    """Return the first ``most`` of the candidates, best first.

    Novelty compares words by their stems in the ``language`` of the vault.
    """
    left = sorted(
        (_scored(candidate, weights, now) for candidate in candidates),
        key=lambda ranked: (-ranked.score, ranked.item.id),
    )
    contents = [_terms(ranked.item.content, language) for ranked in left]
    likeness = [0.0] * len(left)
    places = list(range(len(left)))
    chosen: list[RankedItem] = []
    while places and len(chosen) < most:
        at = max(
            places,
            key=lambda place: (
                left[place].score - weights.novelty * likeness[place],
                -place,
            ),
        )
        places.remove(at)
        score = left[at].score - weights.novelty * likeness[at]
        chosen.append(left[at]._replace(score=score, novelty=1 - likeness[at]))
        for place in places:
            alike = _likeness(contents[at], contents[place])
            likeness[place] = max(likeness[place], alike)
    return tuple(chosen)


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
