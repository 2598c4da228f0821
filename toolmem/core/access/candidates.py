"""Find the items of a memory type that match a query.

Semantic and episodic memory come from the library, the other types from state.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.access.item import AccessItem
from toolmem.core.access.kinds import EPISODES, EPISODIC
from toolmem.core.access.permit import QueryPermission
from toolmem.core.access.rank import QueryMatch
from toolmem.core.language.language import Language
from toolmem.core.memories.original import summary_part
from toolmem.core.names import fold
from toolmem.core.scope import parse_scope, weight
from toolmem.core.search.corpus import Corpus, View
from toolmem.core.search.doc import Doc
from toolmem.core.search.filters import SearchFilter, changed_at, is_within, type_of
from toolmem.core.search.meaning.similarity import Similarity
from toolmem.core.search.query import ParsedQuery, parse_query
from toolmem.core.search.rank import arrange
from toolmem.core.search.ranking import FindRequest, ask, rank_hits
from toolmem.core.search.scan import Scan
from toolmem.core.search.scores import Scorer
from toolmem.core.text.terms import has_tag, normal_tags
from toolmem.core.visibility import Audience, may_see

_LIBRARY = {"semantic": frozenset({"memory", "fact", "guidance"})}


class MatchingItems(NamedTuple):
    """Best matches of a query and the number of all matches.

    The result changes at ``until``, when an item expires (None: never).
    """

    candidates: tuple[QueryMatch, ...]
    total: int
    until: datetime | None = None


class Reader(NamedTuple):
    """Agent that is read for (empty: none), the scopes of its chain, and the time."""

    agent: str
    scopes: tuple[str, ...]
    at: datetime


def view_of(ruling: QueryPermission, reader: Reader) -> View:
    """Return the part of the library that a tool may see for a query."""
    filters = ruling.query.filters
    is_episodic = ruling.query.memory_type == EPISODIC
    types, not_types = ruling.types, frozenset[str]()
    if is_episodic:
        types = EPISODES if types is None else types & EPISODES
    elif types is None:
        not_types = EPISODES
    else:
        types -= EPISODES
    search_filter = SearchFilter(
        types=types,
        not_types=not_types,
        tags=frozenset(filters.tags),
        agent=reader.agent if is_episodic else None,
        since=filters.start,
        until=filters.end,
        importance_min=filters.importance_min,
        source=filters.source,
    )
    kinds = _LIBRARY.get(ruling.query.memory_type, frozenset({"memory"}))
    return View(
        reader.at,
        frozenset(reader.scopes),
        kinds,
        audience=Audience.AGENT,
        tags=ruling.tags,
        search_filter=search_filter,
    )


def everything_of(reader: Reader) -> View:
    """Return the part of the library that any tool may see; queries see less of it."""
    return View(reader.at, frozenset(reader.scopes), audience=Audience.AGENT)


def in_library(
    corpus: Corpus,
    ruling: QueryPermission,
    reader: Reader,
    similarity: Similarity | None = None,
) -> MatchingItems:
    """Find a query's matches in a corpus restricted by ``view_of``, best first.

    The requested tags count as words of the question. A ``similarity`` adds documents
    of similar meaning, as in a search. Without any words the filters alone decide, and
    the most recently changed documents come first.
    """
    question = _question(ruling, corpus.language)
    pool = pool_size(ruling.query.limit)
    asked = ask(corpus, question, similarity)
    if not question.words and not ruling.query.text.strip():
        newest = tuple(QueryMatch(item_of(c.doc), 0.0) for c in corpus.newest(pool))
        return MatchingItems(newest, asked.totals.documents, asked.totals.until)
    request = FindRequest(question, limit=pool, similarity=similarity)
    ranking = rank_hits(corpus, request, asked, None)
    scored = ranking.hits
    scopes = map(parse_scope, reader.scopes)
    heaviest = max(map(weight, scopes), default=1.0)
    best = max((each.bm25 for each in scored), default=1.0) * heaviest or 1.0
    found = tuple(
        QueryMatch(item_of(each.candidate.doc), min(1.0, each.weighted / best))
        for each in arrange(scored, pool, ranking.named)
    )
    # Fewer than the pool's size means that every match is among them.
    total = len(found) if len(found) < pool else corpus.matching(asked.terms.weights)
    return MatchingItems(found, max(total, len(found)), asked.totals.until)


def pool_size(limit: int) -> int:
    """Number of candidates to rank for this many results."""
    return max(limits.QUERY_POOL_LEAST, limits.QUERY_POOL * most_results(limit))


def most_results(limit: int) -> int:
    """Cap the limit of a query."""
    return min(limit, limits.QUERY_MOST_RESULTS)


def in_state(
    library: Scan, items: Sequence[AccessItem], ruling: QueryPermission
) -> MatchingItems:
    """Find a query's matches among some items; words only rank them.

    ``library`` contains the same items in the same order (see ``documents_of``).
    """
    passing = [at for at, item in enumerate(items) if _passes(item, ruling)]
    scores = _relevances(library.within(passing), _question(ruling, library.language))
    found = [QueryMatch(items[at], scores.get(items[at].id, 0.0)) for at in passing]
    found.sort(key=lambda each: -each.relevance)
    pool = pool_size(ruling.query.limit)
    return MatchingItems(tuple(found[:pool]), len(found))


def documents_of(items: Iterable[AccessItem]) -> list[Doc]:
    """Return searchable documents of items; the type is one of the words."""
    return [
        Doc(
            item.id,
            item.id,
            "system",
            "memory",
            body=item.content,
            context=item.type,
            tags=item.tags,
        )
        for item in items
    ]


def item_of(doc: Doc) -> AccessItem:
    """Return a document of the library as an item that a query returns."""
    metadata: dict[str, Any] = {"scope": doc.scope, "path": doc.path}
    if doc.topic:
        metadata["topic"] = doc.topic
    return AccessItem(
        id=doc.id,
        type=type_of(doc),
        content=_content(doc),
        source=doc.source,
        timestamp=changed_at(doc),
        importance=doc.importance,
        tags=doc.tags,
        metadata=metadata,
        agent=doc.agent,
        private=doc.private,
    )


def _content(doc: Doc) -> str:
    if doc.kind == "fact":
        return doc.body
    text = summary_part(doc.body).strip()
    title = doc.title.rstrip("…. ")
    if not text or " ".join(text.lstrip("#-*> ").split()).startswith(title):
        return text or doc.title
    return f"{doc.title}\n\n{text}"


def _question(ruling: QueryPermission, language: Language) -> ParsedQuery:
    query = ruling.query
    return parse_query("\n".join((*query.filters.tags, query.text)), language)


def _passes(item: AccessItem, ruling: QueryPermission) -> bool:
    filters = ruling.query.filters
    return (
        may_see(Audience.AGENT, private=item.private)
        and (ruling.types is None or fold(item.type) in ruling.types)
        and (ruling.tags is None or has_tag(item.tags, ruling.tags))
        and normal_tags(filters.tags) <= normal_tags(item.tags)
        and (
            filters.importance_min is None or item.importance >= filters.importance_min
        )
        and (filters.source is None or item.source == filters.source)
        and (filters.status is None or item.status == filters.status)
        and is_within(item.timestamp, filters.start, filters.end)
    )


def _relevances(corpus: Scan, question: ParsedQuery) -> dict[str, float]:
    """Best BM25 score by id of each item that shares a word with the question."""
    asked = ask(corpus, question)
    sharing = corpus.propose(asked.terms.weights, 1).candidates
    scorer = Scorer(asked.terms, asked.totals)
    scores = {each.key[0]: scorer.bm25(each) for each in sharing}
    best = max(scores.values(), default=0.0) or 1.0
    return {key: score / best for key, score in scores.items()}
