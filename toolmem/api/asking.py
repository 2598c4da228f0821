"""How tools ask and write: requests and responses of the access specification."""

from collections.abc import Mapping
from typing import Any

from toolmem.api.access import Access
from toolmem.api.queries import Queries
from toolmem.core.times import parse_since
from toolmem.errors import UsageError
from toolmem.ops.access.apply import ApplyResult, apply_response
from toolmem.ops.access.query import QueryResult
from toolmem.ops.access.trace import TraceFilter, show_trace
from toolmem.store.state.trace import TraceLine


def query(access: Access, request: Mapping[str, Any], budget: int) -> QueryResult:
    """See ``Vault.query``."""
    if budget < 1:
        raise UsageError("--budget wants a number above 0")
    queries = access.queries or Queries()
    return queries.answer(
        access.read(),
        dict(request),
        budget=budget,
        now=access.now,
    )


def apply(access: Access, response: Mapping[str, Any], tool: str) -> ApplyResult:
    """See ``Vault.apply``."""
    return apply_response(
        access.write(),
        dict(response),
        unique_id=access.new_id,
        tool=tool.strip(),
    )


def trace(access: Access, request: str, tool: str, since: str) -> tuple[TraceLine, ...]:
    """See ``Vault.trace``."""
    vault = access.read()
    when = parse_since(since, vault.now) if since else None
    return show_trace(vault, TraceFilter(request, tool, when))
