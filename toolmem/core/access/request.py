"""Read a ToolRequest with its memory queries.

An invalid envelope fails the request. A fault within one query is stored with that
query, and the others are answered.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.access.faults import DocumentPart, FaultError
from toolmem.core.access.kinds import MEMORY_TYPES, SCRATCH_PAGE
from toolmem.core.access.scratch_page import STATUSES
from toolmem.core.names import fold
from toolmem.core.text.suggest import did_you_mean

_QUERY_KEYS = frozenset(
    "query_id memory_type query_text filters limit budget_tokens".split()
)
_FILTER_KEYS = frozenset("tags types time_range importance_min source status".split())


class Filters(NamedTuple):
    """Filters of a query, all of which a result must match; empty ones match anything.

    One of ``types`` must match, and all of ``tags``; the times are inclusive.
    """

    tags: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    start: datetime | None = None
    end: datetime | None = None
    importance_min: float | None = None
    source: str | None = None
    status: str | None = None


class MemoryQuery(NamedTuple):
    """One memory query; ``fault`` is its error, if it has one.

    ``budget`` is in tokens. ``query_id`` may be absent or invalid (None).
    """

    query_id: str | None
    memory_type: str
    text: str = ""
    filters: Filters = Filters()
    limit: int = limits.QUERY_LIMIT
    budget: int = limits.QUERY_TOKENS
    fault: str = ""


class Caller(NamedTuple):
    """Caller as the request states it, unverified; empty fields are not stated."""

    agent: str = ""
    project: str = ""
    agent_type: str = ""


class ToolRequest(NamedTuple):
    """A valid request; ``document`` is the whole of it, as received."""

    request_id: str
    tool: str
    tool_version: str
    caller: Caller
    queries: tuple[MemoryQuery, ...]
    document: Mapping[str, Any]


def read_request(document: Any) -> ToolRequest:
    """Read a ToolRequest.

    Raises ``FaultError`` with the JSON path of the first fault of the envelope.
    """
    root = DocumentPart(document)
    if not isinstance(document, Mapping):
        raise root.fault("a ToolRequest is an object")
    request_id = root.at("request_id").text()
    tool = root.at("tool_id").stated()
    version = root.at("tool_version").text()
    root.at("timestamp").moment()
    caller = read_caller(root.at("agent_context"))
    root.at("inputs").table()
    queries = []
    known: set[str] = set()
    for part in root.at("memory_queries").each():
        query = _query(part)
        if query.query_id in known and not query.fault:
            fault = part.at("query_id").fault(f"{query.query_id!r:.60} occurs twice")
            query = query._replace(fault=str(fault))
        if query.query_id is not None:
            known.add(query.query_id)
        queries.append(query)
    return ToolRequest(request_id, tool, version, caller, tuple(queries), document)


def read_caller(part: DocumentPart) -> Caller:
    """Read the caller from an ``agent_context``."""
    for key in ("task_id", "plan_id"):
        part.at(key).text()
    return Caller(
        part.at("agent_id").text().strip(),
        part.at("project").text().strip(),
        part.at("agent_type").text().strip(),
    )


def _query(part: DocumentPart) -> MemoryQuery:
    named = part.value if isinstance(part.value, Mapping) else {}
    query_id, memory_type = named.get("query_id"), named.get("memory_type")
    bare = MemoryQuery(
        query_id if isinstance(query_id, str) else None,
        memory_type if isinstance(memory_type, str) else "",
    )
    try:
        return _checked(part, bare)
    except FaultError as error:
        return bare._replace(fault=str(error))


def _checked(part: DocumentPart, bare: MemoryQuery) -> MemoryQuery:
    if part.value is None:
        raise part.fault("a query is an object")
    part.only(_QUERY_KEYS)
    part.at("query_id").stated()
    stated = part.at("memory_type")
    memory_type = stated.stated()
    if memory_type not in MEMORY_TYPES:
        hint = did_you_mean(memory_type, MEMORY_TYPES)
        known = ", ".join(MEMORY_TYPES)
        raise stated.fault(f"no memory type {memory_type!r:.60}{hint} ({known})")
    text = part.at("query_text")
    question = text.text(most=limits.REQUEST_BYTES)
    filters = _filters(part.at("filters"), memory_type)
    if not question.strip() and filters == Filters():
        raise text.fault("is blank, and there are no filters")
    return bare._replace(
        text=question,
        filters=filters,
        limit=part.at("limit").whole(limits.QUERY_LIMIT),
        budget=part.at("budget_tokens").whole(limits.QUERY_TOKENS),
    )


def _filters(part: DocumentPart, memory_type: str) -> Filters:
    part.only(_FILTER_KEYS)
    times = part.at("time_range").only(frozenset({"start", "end"}))
    start, end = times.at("start").moment(), times.at("end").moment(last=True)
    if start and end and start > end:
        raise times.fault("ends before it begins")
    source = part.at("source")
    status = part.at("status")
    if status.value is not None:
        if memory_type != SCRATCH_PAGE:
            raise status.fault(f"only {SCRATCH_PAGE} has a status")
        if status.stated() not in STATUSES:
            hint = did_you_mean(status.text(), STATUSES)
            known = ", ".join(STATUSES)
            raise status.fault(f"no status {status.text()!r:.60}{hint} ({known})")
    return Filters(
        tags=part.at("tags").texts(),
        types=tuple(map(fold, part.at("types").texts())),
        start=start,
        end=end,
        importance_min=part.at("importance_min").share(),
        source=None if source.value is None else source.stated(),
        status=None if status.value is None else status.text(),
    )
