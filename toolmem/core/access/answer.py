"""Answers to memory queries, and the request document completed with them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from toolmem.core.access.permit import QueryPermission
from toolmem.core.access.rank import RankedItem
from toolmem.core.access.request import MemoryQuery
from toolmem.core.text.tokens import estimate_tokens
from toolmem.core.times import rfc3339

_DIGITS = 6


class QueryAnswer(NamedTuple):
    """Answer to one query.

    ``total`` counts the matches. ``over_limit`` of them exceed the query's limit,
    ``over_budget`` did not fit into ``granted``, the tokens given out of those
    ``asked`` for. The answer changes at ``until``, when an item expires (None: never).
    """

    query: MemoryQuery
    status: str
    reason: str = ""
    results: tuple[RankedItem, ...] = ()
    total: int = 0
    tokens: int = 0
    asked: int = 0
    granted: int = 0
    over_limit: int = 0
    over_budget: int = 0
    took_ms: float = 0.0
    until: datetime | None = None


def refused(ruling: QueryPermission) -> QueryAnswer:
    """Answer to a query that is denied or malformed."""
    return QueryAnswer(ruling.query, ruling.status, ruling.reason)


def failed(ruling: QueryPermission, reason: str, took_ms: float = 0.0) -> QueryAnswer:
    """Answer to a query that failed with an error."""
    return QueryAnswer(ruling.query, "error", reason, took_ms=took_ms)


def answered(
    ruling: QueryPermission, ranked: Sequence[RankedItem], total: int
) -> QueryAnswer:
    """Answer with all matches, before tokens are shared among the queries."""
    return QueryAnswer(
        ruling.query,
        "partial" if ruling.narrowed else "ok",
        "; ".join(filter(None, (ruling.cut, ruling.narrowed))),
        tuple(ranked),
        total,
        asked=ruling.asked,
        over_limit=total - len(ranked),
    )


def within(answers: Sequence[QueryAnswer], pool: int) -> tuple[QueryAnswer, ...]:
    """Cut the answers down to the results that fit the request's token pool."""
    demands = [
        TokenDemand(
            tuple(estimate_tokens(result.item.content) for result in answer.results),
            answer.asked,
        )
        for answer in answers
    ]
    shares = share_tokens(demands, pool)
    return tuple(
        _packed(answer, share) for answer, share in zip(answers, shares, strict=True)
    )


def _packed(answer: QueryAnswer, granted: int) -> QueryAnswer:
    packed = pack(answer.results, granted)
    reasons = [answer.reason] if answer.reason else []
    if packed.skipped:
        left = f"the budget of {answer.asked} tokens"
        if granted < answer.asked:
            left = f"the {granted} tokens left of the request's budget"
        counts = f"{len(packed.results)} of {len(answer.results)} results"
        reasons.append(f"{left}: {counts} fit")
    return answer._replace(
        status="partial" if packed.skipped else answer.status,
        reason="; ".join(reasons),
        results=packed.results,
        tokens=packed.tokens,
        granted=granted,
        over_budget=packed.skipped,
    )


def with_context(
    document: Mapping[str, Any], answers: Iterable[QueryAnswer]
) -> dict[str, Any]:
    """Return the request with its ``memory_context`` added."""
    return {**document, "memory_context": [answer_document(each) for each in answers]}


def answer_document(answer: QueryAnswer) -> dict[str, Any]:
    """Return an answer in the shape of the specification, with some further keys."""
    return {
        "query_id": answer.query.query_id,
        "memory_type": answer.query.memory_type,
        "status": answer.status,
        **({"reason": answer.reason} if answer.reason else {}),
        "results": [_result(ranked) for ranked in answer.results],
        "total_results": answer.total,
        "returned_results": len(answer.results),
        "tokens_used": answer.tokens,
        "search_metadata": {
            "query_time_ms": round(answer.took_ms),
            "ranking_scores": [round(r.score, _DIGITS) for r in answer.results],
            "score_parts": [_parts(ranked) for ranked in answer.results],
            "tokens_granted": answer.granted,
            "left_out": {"limit": answer.over_limit, "budget": answer.over_budget},
        },
    }


def _result(ranked: RankedItem) -> dict[str, Any]:
    item = ranked.item
    return {
        "id": item.id,
        "type": item.type,
        "content": item.content,
        "source": item.source,
        "timestamp": rfc3339(item.timestamp) if item.timestamp else None,
        "importance": item.importance,
        "tags": list(item.tags),
        "metadata": dict(item.metadata),
    }


def _parts(ranked: RankedItem) -> dict[str, float]:
    names = ("relevance", "recency", "importance", "trust", "novelty")
    return {name: round(getattr(ranked, name), _DIGITS) for name in names}


class PackedItems(NamedTuple):
    """Results that fit, their cost in tokens, and the number of those skipped."""

    results: tuple[RankedItem, ...]
    tokens: int
    skipped: int


def pack(ranked: Iterable[RankedItem], budget: int) -> PackedItems:
    """Take the results that fit into the budget (in tokens), in order."""
    packed, used, skipped = [], 0, 0
    for each in ranked:
        cost = estimate_tokens(each.item.content)
        if used + cost <= budget:
            packed.append(each)
            used += cost
        else:
            skipped += 1
    return PackedItems(tuple(packed), used, skipped)


class TokenDemand(NamedTuple):
    """Token costs of a query's results, best first, and its maximum."""

    costs: tuple[int, ...]
    most: int

    @property
    def entry(self) -> int:
        """Tokens of the cheapest result within the maximum; 0 without one."""
        return min((cost for cost in self.costs if cost <= self.most), default=0)

    @property
    def whole(self) -> int:
        """Tokens of all results, capped at the maximum."""
        return min(sum(self.costs), self.most)


def share_tokens(demands: Sequence[TokenDemand], pool: int) -> tuple[int, ...]:
    """Return the tokens that each query gets; their sum is at most the pool."""
    shares = [0] * len(demands)
    left = pool
    order = sorted(range(len(demands)), key=lambda number: demands[number].entry)
    for number in order:
        entry = demands[number].entry
        if entry > left:
            # Reserved: with a larger pool another query would get fewer tokens.
            return tuple(shares)
        shares[number] = entry
        left -= entry
    for number, demand in enumerate(demands):
        more = min(demand.whole - shares[number], left)
        shares[number] += more
        left -= more
    return tuple(shares)
