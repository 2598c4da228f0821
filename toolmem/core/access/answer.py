"""What a tool is told: the answer to each query, and the request with all of them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from toolmem.core.access.pack import pack
from toolmem.core.access.permit import QueryPermission
from toolmem.core.access.rank import RankedItem
from toolmem.core.access.request import MemoryQuery
from toolmem.core.access.share import TokenDemand, share_tokens
from toolmem.core.text.tokens import estimate_tokens
from toolmem.core.times import rfc3339

_DIGITS = 6


class QueryAnswer(NamedTuple):
    """The answer to one query.

    ``total`` counts what fits the query; of that ``over_limit`` are more than it
    ``asked`` for and ``over_budget`` did not fit what it was ``granted``, in tokens.
    It is the answer ``until``
    something that it rests on expires (None: nothing does).
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
    """The answer to a query that is denied or has a fault."""
    return QueryAnswer(ruling.query, ruling.status, ruling.reason)


def failed(ruling: QueryPermission, reason: str, took_ms: float = 0.0) -> QueryAnswer:
    """The answer to a query that something went wrong with."""
    return QueryAnswer(ruling.query, "error", reason, took_ms=took_ms)


def answered(
    ruling: QueryPermission, ranked: Sequence[RankedItem], total: int
) -> QueryAnswer:
    """The answer to a query with all that is in question, before tokens are shared."""
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
    """The answers with the results for which the request has tokens."""
    demands = [
        TokenDemand(
            tuple(estimate_tokens(one.item.content) for one in answer.results),
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
    """The request again, with its ``memory_context``."""
    return {**document, "memory_context": [answer_document(each) for each in answers]}


def answer_document(answer: QueryAnswer) -> dict[str, Any]:
    """An answer as the specification has it; further keys are ours."""
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
