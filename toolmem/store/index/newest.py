"""Find the most recently changed or most important documents of the index."""

from collections.abc import Callable, Iterator
from typing import Any

import tantivy
from tantivy import FieldType, Occur, Query

from toolmem.core.search.corpus import first_by_topic_of, shares
from toolmem.core.search.doc import Doc
from toolmem.store.index import codec, engine
from toolmem.store.index.engine import EngineGuard

Clause = tuple[Occur, Query]


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


def most_important(
    searcher: tantivy.Searcher,
    schema: tantivy.Schema,
    visible: Callable[..., Query],
    count: int,
    *clauses: Clause,
) -> list[tantivy.DocAddress]:
    """Return the most important documents, of equal ones the most recently changed.

    As ``last_changed`` it may return more. Each document states its importance.
    """
    hits = searcher.search(
        visible(*clauses),
        limit=max(min(count, searcher.num_docs), 1),
        count=False,
        order_by_field="importance",
    ).hits
    if len(hits) < count:
        return [address for _, address in hits]
    least = hits[-1][0]
    above = [address for value, address in hits if value > least]
    equal = Query.range_query(schema, "importance", FieldType.Float, least, least)
    level = Occur.Must, Query.const_score_query(equal, 0.0)
    left = count - len(above)
    return above + last_changed(searcher, schema, visible, left, *clauses, level)


def first_by_topic(
    searcher: tantivy.Searcher,
    schema: tantivy.Schema,
    visible: Callable[..., Query],
    count: int,
) -> Iterator[Doc]:
    """Yield documents as ``Corpus.first_by_topic``; ``visible`` as above."""
    with EngineGuard():
        terms = searcher.terms_with_prefix("label", engine.topic(""), visible())
        sizes = {term: many for term, many in terms if many}
        for term, share in shares(sizes, count):
            of_topic = Occur.Must, Query.term_query(schema, "label", term, "basic")
            stored: list[Any] = [
                searcher.doc(address).get_first("doc")
                for address in most_important(
                    searcher, schema, visible, share, of_topic
                )
            ]
            yield from first_by_topic_of(map(codec.decode_doc, stored), share)
