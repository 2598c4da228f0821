"""What of a memory type fits a query: from the library, or from what is going on."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.access.item import AccessItem
from toolmem.core.access.kinds import EPISODES, EPISODIC
from toolmem.core.access.permit import QueryPermission
from toolmem.core.access.rank import QueryMatch
from toolmem.core.access.visibility import Audience, may_see
from toolmem.core.memories.original import summary_part
from toolmem.core.names import fold
from toolmem.core.scope import parse_scope, weight
from toolmem.core.search.corpus import Corpus, View
from toolmem.core.search.doc import Doc
from toolmem.core.search.filters import SearchFilter, changed_at, is_within, type_of
from toolmem.core.search.find import FindRequest, ask, pool_hits
from toolmem.core.search.fusion import Key, Similarity
from toolmem.core.search.query import ParsedQuery, parse_query
from toolmem.core.search.rank import arrange, bm25
from toolmem.core.search.scan import Scan

_LIBRARY = {"semantic": frozenset({"memory", "fact", "guidance"})}


class MatchingItems(NamedTuple):
    """The best of what fits a query, and how much fits it.

    It is so ``until`` something expires (None: nothing does).
    """

    candidates: tuple[QueryMatch, ...]
    total: int
    until: datetime | None = None


class Reader(NamedTuple):
    """For whom is read: an agent (or none), the scopes of its chain, and when."""

    agent: str
    scopes: tuple[str, ...]
    at: datetime


def view_of(ruling: QueryPermission, reader: Reader) -> View:
    """What a tool may see of the library for a query, its filters included."""
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
    """What any tool may see for a reader; a query sees a part of it."""
    return View(reader.at, frozenset(reader.scopes), audience=Audience.AGENT)


class FixedScale:
    """A similarity whose scale is the same whatever other documents there are.

    The scale of a search follows from all that it looks at; a tool would see in its
    scores what it may not read.
    """

    low = 0.0
    high = limits.MEANING_SPAN

    def __init__(self, similarity: Similarity) -> None:
        self._similarity = similarity

    def cosine(self, key: Key) -> float:
        """The cosine of a document."""
        return self._similarity.cosine(key)

    def most_similar(self, scopes: frozenset[str]) -> Iterator[tuple[Key, float]]:
        """The documents of these scopes with their cosines, the nearest first."""
        return self._similarity.most_similar(scopes)


def in_library(
    corpus: Corpus,
    ruling: QueryPermission,
    reader: Reader,
    similarity: Similarity | None = None,
) -> MatchingItems:
    """What of a corpus (seen as ``view_of`` says) fits a query, most relevant first.

    With a ``similarity`` documents are found by their meaning, too, as in a search.
    The tags asked for count as words of the question. Where it has none at all,
    filters alone say what fits, and what was changed last is the best of it.
    """
    question = _question(ruling)
    pool = pool_size(ruling.query.limit)
    asked = ask(corpus, question)
    if not question.words and not ruling.query.text.strip():
        newest = tuple(QueryMatch(item_of(c.doc), 0.0) for c in corpus.newest(pool))
        return MatchingItems(newest, asked.totals.documents, asked.totals.until)
    scaled = None if similarity is None else FixedScale(similarity)
    request = FindRequest(question, limit=pool, similarity=scaled)
    scored = pool_hits(corpus, request, asked, None).hits
    scopes = map(parse_scope, reader.scopes)
    heaviest = max(map(weight, scopes), default=1.0)
    best = max((each.bm25 for each in scored), default=1.0) * heaviest or 1.0
    found = tuple(
        QueryMatch(item_of(each.candidate.doc), min(1.0, each.weighted / best))
        for each in arrange(scored, pool)
    )
    # With fewer than the pool holds, every one that fits is among them.
    total = len(found) if len(found) < pool else corpus.matching(asked.terms.weights)
    return MatchingItems(found, max(total, len(found)), asked.totals.until)


def pool_size(limit: int) -> int:
    """How many candidates are ranked for so many results."""
    return max(limits.QUERY_POOL_LEAST, limits.QUERY_POOL * most_results(limit))


def most_results(limit: int) -> int:
    """How many results a query may have at the most."""
    return min(limit, limits.QUERY_MOST_RESULTS)


def in_state(
    library: Scan, items: Sequence[AccessItem], ruling: QueryPermission
) -> MatchingItems:
    """What of some items fits a query: all that pass, whatever words they share.

    ``library`` holds the same items in the same order (see ``documents_of``).
    """
    passing = [at for at, item in enumerate(items) if _passes(item, ruling)]
    scores = _relevances(library.within(passing), _question(ruling))
    found = [QueryMatch(items[at], scores.get(items[at].id, 0.0)) for at in passing]
    found.sort(key=lambda each: -each.relevance)
    pool = pool_size(ruling.query.limit)
    return MatchingItems(tuple(found[:pool]), len(found))


def documents_of(items: Iterable[AccessItem]) -> list[Doc]:
    """Items as what is searched, their types among the words."""
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
    """A document of the library as what a query finds."""
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
    """Title and text: of a long memory its summary, of a fact its line."""
    if doc.kind == "fact":
        return doc.body
    text = summary_part(doc.body).strip()
    title = doc.title.rstrip("…. ")
    if not text or " ".join(text.lstrip("#-*> ").split()).startswith(title):
        return text or doc.title
    return f"{doc.title}\n\n{text}"


def _question(ruling: QueryPermission) -> ParsedQuery:
    query = ruling.query
    return parse_query("\n".join((*query.filters.tags, query.text)))


def _passes(item: AccessItem, ruling: QueryPermission) -> bool:
    filters = ruling.query.filters
    return (
        may_see(Audience.AGENT, private=item.private)
        and (ruling.types is None or fold(item.type) in ruling.types)
        and (ruling.tags is None or not ruling.tags.isdisjoint(item.tags))
        and set(filters.tags) <= set(item.tags)
        and (
            filters.importance_min is None or item.importance >= filters.importance_min
        )
        and (filters.source is None or item.source == filters.source)
        and (filters.status is None or item.status == filters.status)
        and is_within(item.timestamp, filters.start, filters.end)
    )


def _relevances(corpus: Scan, question: ParsedQuery) -> dict[str, float]:
    """The BM25 by the best of them of each that shares a word, by id."""
    asked = ask(corpus, question)
    sharing = corpus.propose(asked.terms.weights, 1).candidates
    scores = {each.doc.id: bm25(each, asked.terms, asked.totals) for each in sharing}
    best = max(scores.values(), default=0.0) or 1.0
    return {key: score / best for key, score in scores.items()}
