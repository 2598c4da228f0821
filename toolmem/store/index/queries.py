"""Queries of tantivy: the clauses of a filter, and the first documents by a field."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

import tantivy
from tantivy import FieldType, Occur, Query

from toolmem.core.search.filters import SearchFilter
from toolmem.core.times import stored_days
from toolmem.store.index import engine

Clause = tuple[Occur, Query]


def filter_clauses(
    schema: tantivy.Schema,
    wanted: SearchFilter,
    parts: Iterable[tuple[str, int]],
) -> Iterator[Clause]:
    """Yield the conditions on a document; ``parts`` are the terms of the field
    ``part``."""

    def any_of(field: str, values: Iterable[str]) -> Query:
        query = Query.term_set_query(schema, field, list(values))
        return Query.const_score_query(query, 0.0)

    def within(field: str, kind: FieldType, least: Any, most: Any) -> Clause:
        query = Query.range_query(schema, field, kind, least, most)
        return Occur.Must, Query.const_score_query(query, 0.0)

    if wanted.types is not None:
        yield Occur.Must, _of_types(any_of, wanted.types, parts)
    if wanted.not_types:
        yield Occur.MustNot, _of_types(any_of, wanted.not_types, parts)
    for tag in sorted(wanted.tags):
        yield Occur.Must, any_of("label", [engine.tag(tag)])
    if wanted.source is not None:
        yield Occur.Must, any_of("label", [engine.source(wanted.source)])
    if wanted.agent is not None:
        yield Occur.MustNot, _of_other_agents(any_of, wanted.agent)
    if wanted.since is not None or wanted.until is not None:
        bounds = [(_bound(wanted.since), _bound(wanted.until))]
        days = map(engine.micros, stored_days(wanted.since, wanted.until))
        bounds += [(day, day) for day in days]
        changed = [
            (Occur.Should, within("changed", FieldType.Integer, *bound)[1])
            for bound in bounds
        ]
        yield Occur.Must, Query.boolean_query(changed)
    if wanted.importance_min is not None:
        yield within("importance", FieldType.Float, wanted.importance_min, None)


def _of_other_agents(any_of: Any, agent: str) -> Query:
    """Match documents of other agents; a reader without a name has none."""
    noted = [(Occur.Must, any_of("label", [engine.noted_by("")]))]
    if agent:
        noted.append((Occur.MustNot, any_of("label", [engine.noted_by(agent)])))
    return Query.boolean_query(noted)


def _of_types(
    any_of: Any, types: frozenset[str], parts: Iterable[tuple[str, int]]
) -> Query:
    """Match memories of these kinds, all memories if ``memory`` is one, and other
    documents of these kinds."""
    plain = []
    memories = []
    for part, _ in parts:
        kind = part.rsplit("\t", 2)[1]
        if kind == "memory":
            memories.append(part)
        elif kind in types:
            plain.append(part)
    labels = [engine.mem_kind(name) for name in types]
    if "memory" in types:
        labels.append(engine.mem_kind(""))
    of_kind = [
        (Occur.Must, any_of("part", memories)),
        (Occur.Must, any_of("label", labels)),
    ]
    either = [
        (Occur.Should, any_of("part", plain)),
        (Occur.Should, Query.boolean_query(of_kind)),
    ]
    return Query.const_score_query(Query.boolean_query(either), 0.0)


def _bound(moment: datetime | None) -> int | None:
    return None if moment is None else engine.micros(moment)


def last_changed(
    searcher: tantivy.Searcher,
    schema: tantivy.Schema,
    visible: Callable[..., Query],
    count: int,
    *clauses: Clause,
) -> list[tantivy.DocAddress]:
    """Return the most recently changed documents, and all as old as the last of them.

    ``visible`` returns a query for the documents that the reader sees and that meet
    more ``clauses``.
    """
    # Tantivy cannot allocate memory for any limit.
    every = max(searcher.num_docs, 1)
    hits = searcher.search(
        visible(*clauses),
        limit=min(count, every),
        count=False,
        order_by_field="changed",
    ).hits
    # Among documents as old as the last one, tantivy chooses any.
    if len(hits) == count:
        if hits[-1][0] is not None:
            since = Query.range_query(
                schema, "changed", FieldType.Integer, hits[-1][0], None
            )
            clauses = (*clauses, (Occur.Must, Query.const_score_query(since, 0.0)))
        hits = searcher.search(visible(*clauses), limit=every, count=False).hits
    return [address for _, address in hits]
