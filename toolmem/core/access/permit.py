"""Decide on queries by the access that a tool's manifest declares.

A table ``[memory_access.<type>]`` declares a memory type; undeclared types are denied.
The decision depends on the manifest alone, never on the content of the vault.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.access import request
from toolmem.core.access.faults import DocumentPart, FaultError, shown
from toolmem.core.access.kinds import (
    EPISODES,
    EPISODIC,
    KNOWLEDGE,
    MEMORY_TYPES,
    SEMANTIC,
)
from toolmem.core.formats import json_schema
from toolmem.core.formats.json_schema import Schema
from toolmem.core.names import fold
from toolmem.core.text.suggest import did_you_mean
from toolmem.errors import InvalidFileError

ACCESS = "memory_access"
_KEYS = frozenset("enabled query_types tags max_queries max_budget_tokens".split())


class TypeAccess(NamedTuple):
    """Declared access to one memory type.

    Empty ``types`` and ``tags`` do not restrict; otherwise a result needs one of the
    ``tags``. ``most_queries`` of None is unlimited; ``most_tokens`` bounds each query.
    """

    enabled: bool = True
    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    most_queries: int | None = None
    most_tokens: int = limits.QUERY_MOST_TOKENS


Access = Mapping[str, TypeAccess]


def read_access(stated: Mapping[str, Any], path: str) -> Access:
    """Read the access table of a manifest, by memory type.

    Raises ``InvalidFileError`` for an invalid table, so that nothing is declared.
    """
    part = DocumentPart(stated.get(ACCESS), ACCESS)
    try:
        return {key: _type_access(part.at(key), key) for key in part.table()}
    except FaultError as error:
        raise InvalidFileError(path, 0, str(error)) from error


def _type_access(part: DocumentPart, memory_type: str) -> TypeAccess:
    if memory_type not in MEMORY_TYPES:
        hint = did_you_mean(memory_type, MEMORY_TYPES)
        known = ", ".join(MEMORY_TYPES)
        raise part.fault(f"no memory type {memory_type!r:.60}{hint} ({known})")
    part.only(_KEYS)
    enabled = part.at("enabled")
    if not isinstance(enabled.value, bool | None):
        raise enabled.fault(f"expected true or false, found {shown(enabled.value)}")
    queries, tokens = part.at("max_queries"), part.at("max_budget_tokens")
    return TypeAccess(
        enabled.value is not False,
        tuple(map(fold, part.at("query_types").texts())),
        part.at("tags").texts(),
        None if queries.value is None else queries.whole(1),
        min(tokens.whole(limits.QUERY_MOST_TOKENS), limits.QUERY_MOST_TOKENS),
    )


def schema() -> Schema:
    """Return the JSON Schema of the access to one memory type."""
    count = {"type": "integer", "minimum": 0}
    texts = json_schema.list_of(json_schema.ANY_TEXT)
    shapes = {
        "enabled": json_schema.FLAG,
        "query_types": texts,
        "tags": texts,
        "max_queries": json_schema.NUMBER,
        "max_budget_tokens": count,
    }
    return json_schema.table(shapes)


class QueryPermission(NamedTuple):
    """Decision on a query: ``status`` is empty, ``denied`` or ``error``.

    For an allowed query, ``types`` and ``tags`` restrict what the tool may see (None
    does not restrict) and ``asked`` is its maximum of tokens. ``narrowed`` explains a
    restriction of the query, ``cut`` a reduction to the largest budget of any query.
    """

    query: "request.MemoryQuery"
    status: str = ""
    reason: str = ""
    types: frozenset[str] | None = None
    tags: frozenset[str] | None = None
    asked: int = 0
    narrowed: str = ""
    cut: str = ""


def rule_on(
    queries: "Iterable[request.MemoryQuery]", access: Access
) -> tuple[QueryPermission, ...]:
    """Decide on the queries of a request, in order."""
    rulings = []
    counts: dict[str, int] = {}
    for number, query in enumerate(queries):
        ruling = _judge(query, access, counts.get(query.memory_type, 0))
        if number >= limits.REQUEST_QUERIES:
            most = f"a request has at most {limits.REQUEST_QUERIES} queries"
            ruling = QueryPermission(query, "denied", most)
        if not ruling.status:
            counts[query.memory_type] = counts.get(query.memory_type, 0) + 1
        rulings.append(ruling)
    return tuple(rulings)


def unreadable(access: Access, kind: str, tags: Iterable[str]) -> Iterator[str]:
    """Yield a warning for a stored memory that the writing tool cannot query.

    A type that is neither known nor declared may be a typo.
    """
    declared_types = {name for one in access.values() for name in one.types}
    if kind not in EPISODES | KNOWLEDGE | declared_types:
        hint = did_you_mean(kind, sorted(EPISODES | KNOWLEDGE | declared_types))
        yield f"type: {kind} is not a known type and counts as knowledge{hint}"
    memory_type = EPISODIC if kind in EPISODES else SEMANTIC
    declared = access.get(memory_type, TypeAccess(enabled=False))
    fits = (not declared.types or kind in declared.types) and (
        not declared.tags or not set(declared.tags).isdisjoint(tags)
    )
    if not (declared.enabled and fits):
        yield (
            f"type: {kind} is returned by {memory_type} queries, which the tool's "
            "manifest does not allow"
        )


def _judge(
    query: "request.MemoryQuery", access: Access, asked_before: int
) -> QueryPermission:
    name = query.memory_type
    if query.fault:
        return QueryPermission(query, "error", query.fault)
    declared = access.get(name, TypeAccess(enabled=False))
    if not declared.enabled:
        return QueryPermission(
            query, "denied", f"the tool's manifest does not declare {name}"
        )
    if declared.most_queries is not None and asked_before >= declared.most_queries:
        most = f"the tool's manifest allows {declared.most_queries} {name}"
        return QueryPermission(
            query, "denied", f"{most} {_queries(declared.most_queries)}"
        )
    types, wrong = _types(query, declared)
    if wrong and not types:
        return QueryPermission(
            query, "denied", _undeclared("types", wrong, declared.types)
        )
    tags = query.filters.tags
    if tags and declared.tags and not set(tags) & set(declared.tags):
        return QueryPermission(
            query, "denied", _undeclared("tags", tags, declared.tags)
        )
    return QueryPermission(
        query,
        types=types,
        tags=frozenset(declared.tags) or None,
        asked=min(query.budget, declared.most_tokens),
        cut=_cut(query),
        narrowed=_undeclared("types", wrong, declared.types) if wrong else "",
    )


def _types(
    query: "request.MemoryQuery", declared: TypeAccess
) -> tuple[frozenset[str] | None, tuple[str, ...]]:
    """Return the allowed types (None: any), and those requested but not allowed."""
    asked = query.filters.types
    if not declared.types:
        return frozenset(asked) or None, ()
    wrong = tuple(name for name in asked if name not in declared.types)
    allowed = frozenset(asked) & frozenset(declared.types) if asked else declared.types
    return frozenset(allowed), wrong


def _cut(query: "request.MemoryQuery") -> str:
    if query.budget <= limits.QUERY_MOST_TOKENS:
        return ""
    return f"budget_tokens: {query.budget} is cut to {limits.QUERY_MOST_TOKENS}"


def _undeclared(what: str, wrong: Iterable[str], declared: Iterable[str]) -> str:
    listed = ", ".join(wrong)
    known = ", ".join(declared)
    return f"the {what} {listed} are not declared by the tool's manifest ({known})"


def _queries(number: int) -> str:
    return "query" if number == 1 else "queries"
