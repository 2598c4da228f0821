"""Find the items of a memory type that match a query.

Semantic and episodic memory come from the library, the other types from state.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from math import inf
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.access.item import AccessItem
from toolmem.core.access.kinds import EPISODES, EPISODIC
from toolmem.core.access.permit import QueryPermission
from toolmem.core.access.rank import (
    QueryMatch,
    RankedItem,
    Weights,
    most_score,
    rank,
    recency_after,
)
from toolmem.core.language.language import Language
from toolmem.core.memories.original import summary_part
from toolmem.core.names import fold
from toolmem.core.scope import parse_scope, weight
from toolmem.core.search.corpus import (
    CHANGED,
    IMPORTANCE,
    Corpus,
    View,
)
from toolmem.core.search.doc import Doc
from toolmem.core.search.filters import SearchFilter, changed_at, is_within, type_of
from toolmem.core.search.meaning.similarity import Similarity
from toolmem.core.search.named import EXACT
from toolmem.core.search.query import ParsedQuery, parse_query
from toolmem.core.search.rank import arrange
from toolmem.core.search.ranking import (
    FindRequest,
    WeightedQuery,
    ask,
    rank_hits,
    score_others,
)
from toolmem.core.search.scan import Scan
from toolmem.core.search.scores import Scorer
from toolmem.core.text.terms import has_tag, normal_tags
from toolmem.core.visibility import Audience, may_see

_LIBRARY = {"semantic": frozenset({"memory", "fact", "guidance"})}


class MatchingItems(NamedTuple):
    """Best matches of a query, ranked, and the number of all matches.

    The result changes at ``until``, when an item expires (None: never).
    """

    ranked: tuple[RankedItem, ...]
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


class _ReadItems(NamedTuple):
    """Some matches of a query, and bounds on the figures of all others.

    ``changed`` and ``importance`` are bounds as in ``CandidateSet``.
    """

    matches: tuple[QueryMatch, ...]
    relevance: float
    changed: float
    importance: float

    @property
    def is_whole(self) -> bool:
        """True if there are no other matches."""
        return -inf in (self.changed, self.importance)

    def bound(self, weights: Weights, now: datetime) -> float:
        """Return a bound on the scores of all other matches."""
        days = (now.timestamp() - self.changed) / 86400
        return most_score(
            weights,
            relevance=min(1.0, self.relevance),
            recency=recency_after(days, weights.half_life),
            importance=self.importance,
        )


def in_library(
    corpus: Corpus,
    ruling: QueryPermission,
    reader: Reader,
    weights: Weights,
    similarity: Similarity | None = None,
) -> MatchingItems:
    """Find a query's matches in a corpus restricted by ``view_of``, best first.

    The requested tags count as words of the question. A ``similarity`` adds documents
    of similar meaning, as in a search. Without any words the filters alone decide.

    Matches are read until no unread one can be among the results: the most relevant,
    the most recently changed and the most important ones, more of each every time
    (the threshold algorithm: Fagin, Lotem and Naor, 2003).
    """
    question = _question(ruling, corpus.language)
    asked = ask(corpus, question, similarity)
    has_words = bool(question.words or ruling.query.text.strip())
    most, count = most_results(ruling.query.limit), limits.QUERY_READ
    while True:
        if has_words:
            request = FindRequest(question, limit=count, similarity=similarity)
            read = _matching(corpus, request, asked, reader)
        else:
            read = _passing(corpus, count)
        ranked = rank(read.matches, weights, reader.at, most, corpus.language)
        least = ranked[-1].score if len(ranked) == most else -inf
        if read.is_whole or read.bound(weights, reader.at) < least:
            break
        count *= 4
    if not has_words:
        total = asked.totals.documents
    elif read.is_whole:
        total = len(read.matches)
    else:
        total = corpus.matching(asked.terms.weights)
    return MatchingItems(ranked, max(total, len(ranked)), asked.totals.until)


def _matching(
    corpus: Corpus, request: FindRequest, asked: WeightedQuery, reader: Reader
) -> _ReadItems:
    """Read documents that match the words of a query."""
    ranking = rank_hits(corpus, request, asked, None)
    terms = asked.terms.weights
    first = [corpus.greatest(by, request.limit, terms) for by in (CHANGED, IMPORTANCE)]
    others = (candidate for found in first for candidate in found.candidates)
    scored = [*ranking.hits, *score_others(request, asked, ranking, others)]
    heaviest = max(map(weight, map(parse_scope, reader.scopes)), default=1.0)
    best = max((each.bm25 for each in scored), default=1.0) * heaviest or 1.0
    matches = tuple(
        QueryMatch(
            item_of(each.candidate.doc),
            min(1.0, each.weighted / best),
            ranking.named.get(each.candidate.key, 0) >= EXACT,
        )
        for each in arrange(scored, len(scored), ranking.named)
    )
    return _ReadItems(matches, ranking.bound / best, *(part.bound for part in first))


def _passing(corpus: Corpus, count: int) -> _ReadItems:
    """Read documents of a corpus, whatever their words."""
    first = [corpus.greatest(by, count) for by in (CHANGED, IMPORTANCE)]
    documents = {
        candidate.key: candidate for each in first for candidate in each.candidates
    }
    matches = tuple(
        QueryMatch(item_of(document.doc), 0.0) for document in documents.values()
    )
    return _ReadItems(matches, 0.0, *(part.bound for part in first))


def most_results(limit: int) -> int:
    """Cap the limit of a query."""
    return min(limit, limits.QUERY_MOST_RESULTS)


def in_state(
    library: Scan,
    items: Sequence[AccessItem],
    ruling: QueryPermission,
    weights: Weights,
    now: datetime,
) -> MatchingItems:
    """Find a query's matches among some items; words only rank them.

    ``library`` contains the same items in the same order (see ``documents_of``).
    """
    passing = [at for at, item in enumerate(items) if _passes(item, ruling)]
    scores = _relevances(library.within(passing), _question(ruling, library.language))
    matches = [QueryMatch(items[at], scores.get(items[at].id, 0.0)) for at in passing]
    most = most_results(ruling.query.limit)
    ranked = rank(matches, weights, now, most, library.language)
    return MatchingItems(ranked, len(matches))


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
