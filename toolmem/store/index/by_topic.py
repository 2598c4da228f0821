"""Sample the documents of each topic from the index."""

from collections.abc import Callable, Iterator
from typing import Any

import tantivy
from tantivy import Occur, Query

from toolmem.core.search.corpus import newest_by_topic_of, shares
from toolmem.core.search.doc import Doc
from toolmem.store.index import codec, engine
from toolmem.store.index.engine import EngineGuard


def newest_by_topic(
    searcher: tantivy.Searcher,
    schema: tantivy.Schema,
    visible: Callable[..., Query],
    newest: Callable[..., list[tantivy.DocAddress]],
    count: int,
    each: int,
) -> Iterator[Doc]:
    """Yield documents as ``Corpus.newest_by_topic``.

    ``visible`` returns a query for the documents that the reader sees and that meet
    more clauses, ``newest`` the last changed of those and all as old as the last.
    """
    with EngineGuard():
        terms = searcher.terms_with_prefix("label", engine.topic(""), visible())
        sizes = {term: many for term, many in terms if many}
        for term, share in shares(sizes, count, each):
            clause = (Occur.Must, Query.term_query(schema, "label", term, "basic"))
            stored: list[Any] = [
                searcher.doc(address).get_first("doc")
                for address in newest(share, clause)
            ]
            docs = map(codec.decode_doc, stored)
            yield from newest_by_topic_of(docs, share, share)
