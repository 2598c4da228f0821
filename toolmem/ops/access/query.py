"""Answering the memory queries of tools, each by what the tool's manifest declares.

What the tool may see is filtered first; then it is ranked, counted and packed, so
that nothing else changes a byte of an answer. A query that is denied, fails or is
cut says so, and stops neither the others nor the tool.
"""

from collections.abc import Callable
from datetime import datetime
from time import perf_counter
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.access.answer import (
    QueryAnswer,
    answered,
    failed,
    refused,
    with_context,
    within,
)
from toolmem.core.access.candidates import MatchingItems, Reader
from toolmem.core.access.permit import Access, QueryPermission, rule_on
from toolmem.core.access.rank import Weights
from toolmem.core.access.request import ToolRequest, read_request
from toolmem.errors import StorageError, ToolmemError
from toolmem.ops.access.permissions import (
    Principal,
    ToolPermission,
    access_of,
    principal_of,
)
from toolmem.ops.access.sources import Prepared, QueryContext, QuerySources
from toolmem.ops.session.repair_state import repair_if_possible
from toolmem.store.state import trace
from toolmem.store.vault.vault import Vault, utc_now


class QueryResult(NamedTuple):
    """Answers to a request; ``remarks`` are for the caller, not for the tool."""

    request: ToolRequest
    answers: tuple[QueryAnswer, ...]
    remarks: tuple[str, ...] = ()

    @property
    def document(self) -> dict[str, Any]:
        """The request again, with its ``memory_context``."""
        return with_context(self.request.document, self.answers)


class QueryService:
    """Answers requests for as long as its process lives, and remembers answers.

    An answer is used again for five minutes while nothing at all has changed that
    it follows from: who asks, the tool and its manifest, the whole query, settings
    and what the vault and the local state hold, nor has any of that expired. One
    request at a time.
    """

    def __init__(
        self,
        vault: Vault,
        *,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """``vault`` says for whom (its settings agent, project and agent type).

        Where one of these is not set the request's own counts.
        """
        self._vault = vault
        self._clock = clock
        self._sources = QuerySources()

    def answer(
        self,
        document: Any,
        *,
        budget: int = limits.REQUEST_TOKENS,
    ) -> QueryResult:
        """Answer a ToolRequest; its queries share ``budget`` tokens.

        Raises ``FaultError`` with a JSON path for a request that cannot be read.
        """
        request = read_request(document)
        vault = self._vault.fresh()._replace(now=self._clock())
        principal = principal_of(vault, request.caller)
        allowed = access_of(vault, request.tool)
        refusal = principal.refusal or allowed.refusal
        rulings = _rulings(request, allowed.access, refusal)
        asking = _asking(vault, principal, request, allowed)
        asked = [ruling for ruling in rulings if not ruling.status]
        answered = self._sources.answer_each(asking, asked)
        known = iter(answered.answers)
        every = [refused(r) if r.status else next(known) for r in rulings]
        answers = within(every, budget)
        lines = [_line(request, allowed.tool, principal, each) for each in answers]
        return QueryResult(request, answers, (*answered.remarks, *_note(vault, lines)))


def answer_request(
    vault: Vault, document: Any, *, budget: int = limits.REQUEST_TOKENS
) -> QueryResult:
    """Answer one request of a person's own command; see ``QueryService``."""
    repaired = repair_if_possible(vault.root)
    service = QueryService(vault, clock=lambda: vault.now)
    answered = service.answer(document, budget=budget)
    return answered._replace(remarks=(*repaired, *answered.remarks))


def _rulings(
    request: ToolRequest, access: Access, refusal: str
) -> tuple[QueryPermission, ...]:
    if refusal:
        return tuple(
            QueryPermission(query, "denied", refusal) for query in request.queries
        )
    return rule_on(request.queries, access)


def _asking(
    vault: Vault, principal: Principal, request: ToolRequest, allowed: ToolPermission
) -> QueryContext:
    weights = _weights(vault)
    manifest = tuple(sorted(allowed.access.items()))
    tool = (allowed.tool, request.tool_version, manifest)

    reader = Reader(principal.agent, principal.scopes, vault.now)
    settings = (vault.setting("search.semantic"), vault.language.code)
    asker = (principal, tool, weights, settings)
    return QueryContext(vault, reader, principal.project, asker, weights, _answer)


def _answer(prepared: Prepared, ruling: QueryPermission) -> QueryAnswer:
    """Find and rank; what is wrong is an answer, too."""
    started = perf_counter()
    try:
        fitting: MatchingItems = prepared(ruling)
    except ToolmemError as error:
        return failed(ruling, str(error), (perf_counter() - started) * 1000)
    answer = answered(ruling, fitting.ranked, fitting.total)
    took_ms = (perf_counter() - started) * 1000
    return answer._replace(took_ms=took_ms, until=fitting.until)


def _weights(vault: Vault) -> Weights:
    def points(name: str) -> int:
        return int(vault.settings[f"access.{name}"].value)

    figures = ("relevance", "recency", "importance", "trust")
    return Weights.of(
        tuple(map(points, figures)), points("novelty"), points("half_life")
    )


def _line(
    request: ToolRequest, tool: str, principal: Principal, answer: QueryAnswer
) -> trace.TraceLine:
    event = {"denied": "denied", "error": "error"}.get(answer.status, "query")
    return trace.TraceLine(
        trace.moment(),
        request_id=request.request_id,
        query_id=answer.query.query_id or "",
        tool=tool,
        agent=principal.agent,
        event="cut" if answer.over_budget else event,
        memory_type=answer.query.memory_type,
        status=answer.status,
        reason=answer.reason,
        returned=len(answer.results),
        total=answer.total,
        tokens=answer.tokens,
        took_ms=round(answer.took_ms),
        project=principal.project,
    )


def _note(vault: Vault, lines: list[trace.TraceLine]) -> tuple[str, ...]:
    """Write the trace; an error becomes a remark."""
    try:
        trace.add(vault, *lines)
    except StorageError as error:
        return (f"the trace was not written: {error}",)
    return ()
