"""Search: what of the vault fits a question, best first."""

from collections.abc import Callable, Sequence
from datetime import datetime
from time import perf_counter
from typing import NamedTuple

from toolmem.core.memories.topics import stated_topic
from toolmem.core.model import Scope
from toolmem.core.names import fold
from toolmem.core.search.corpus import Corpus, View, scope_weight
from toolmem.core.search.doc import KINDS, Doc
from toolmem.core.search.filters import changed_at, is_within
from toolmem.core.search.find import Hit, SearchResult, count_matching, find
from toolmem.core.search.query import ParsedQuery, parse_query
from toolmem.core.search.ranking import FindRequest
from toolmem.core.text.suggest import did_you_mean
from toolmem.core.text.terms import normal_topic
from toolmem.errors import Arg, UsageError
from toolmem.ops.search.retrieval_counts import count_found
from toolmem.ops.search.semantic import (
    MODEL,
    MODES,
    OFF,
    SimilaritySource,
    mode_of,
    require_model,
    source_of,
)
from toolmem.store.vault.library import Library, ask_library
from toolmem.store.vault.vault import Vault


class SearchRequest(NamedTuple):
    """Query and filters of a search; None does not restrict.

    ``kinds`` are those of documents (memory, rule, fact …), ``mem_kind`` that
    of a memory; ``is_of_tool`` says of a rule's tool whether it is asked for; the times
    bound the last change. ``semantic`` is how meanings are compared (table, model or
    off), and what keeps it from that is an error; by the setting, a remark.
    """

    query: str
    scope: Scope | None = None
    topic: str | None = None
    tag: str | None = None
    mem_kind: str | None = None
    kinds: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    importance_min: float | None = None
    limit: int = 10
    is_of_tool: Callable[[str], bool] | None = None
    semantic: str | None = None


class SearchAnswer(NamedTuple):
    """The hits and how they were found.

    ``remarks`` say what a user should know (an index that was passed over);
    ``took_ms`` is the time of the search alone; ``request`` is what was asked and
    ``total`` how many documents fit it, more than its limit, too.
    """

    query: ParsedQuery
    found: SearchResult
    remarks: tuple[str, ...]
    took_ms: float
    request: SearchRequest
    total: int = 0

    @property
    def hits(self) -> tuple[Hit, ...]:
        """Hits, best first."""
        return self.found.hits


def search(vault: Vault, request: SearchRequest) -> SearchAnswer:
    """Search a scope, the vault's chain, or every scope but agents' own.

    That memories were found is counted in local state. Raises ``UsageError`` for a
    blank question, and whatever keeps a search from going by meaning where the
    request asks for it.
    """
    answer = search_all(vault, [request])[0]
    hits = (hit.doc for hit in answer.found.hits)
    count_found(vault, (doc.id for doc in hits if doc.kind == "memory"))
    return answer


def search_all(
    vault: Vault, requests: Sequence[SearchRequest]
) -> tuple[SearchAnswer, ...]:
    """Several questions at once; view and ``semantic`` are those of the first."""
    for request in requests:
        _check(request)
    view, semantic = view_of(vault, requests[0]), requests[0].semantic
    if semantic == MODEL:
        require_model(vault)

    def ask(library: Library) -> tuple[SearchAnswer, ...]:
        source, remarks = source_of(vault, library, view, semantic)
        library = library._replace(remarks=(*library.remarks, *remarks))
        return tuple(_answer(library, source, view, request) for request in requests)

    with_table = mode_of(vault, semantic) != OFF
    return ask_library(vault, view, ask, with_table=with_table)


def _check(request: SearchRequest) -> None:
    if not request.query.strip():
        raise UsageError("the question is blank")
    if request.limit < 1:
        raise UsageError(Arg("limit"), " must be above 0")
    if request.semantic is not None and request.semantic not in MODES:
        similar = did_you_mean(request.semantic, MODES)
        raise UsageError(
            f"semantic: no {request.semantic!r}{similar} ({', '.join(MODES)})"
        )
    for kind in request.kinds:
        if kind not in KINDS:
            similar = did_you_mean(kind, KINDS)
            raise UsageError(f"nothing is a {kind!r}{similar} ({', '.join(KINDS)})")


def _answer(
    library: Library,
    source: SimilaritySource,
    view: View,
    request: SearchRequest,
) -> SearchAnswer:
    query = parse_query(request.query, library.corpus.language)
    started = perf_counter()
    asked = _asked(library.corpus, query, view, request)
    asked = asked._replace(similarity=source.similarity_to(query))
    result = find(library.corpus, asked)
    took = round((perf_counter() - started) * 1000, 2)
    remarks = library.remarks
    if query.cut:
        cut = f"only the first {len(query.text)} characters of the query were used"
        remarks = (*remarks, cut)
    wide = asked._replace(topic=None) if result.topic_fallback else asked
    total = count_matching(library.corpus, wide, result.terms)
    total = max(total, len(result.hits))
    return SearchAnswer(query, result, remarks, took, request, total)


def view_of(vault: Vault, request: SearchRequest) -> View:
    """Return the view of the vault that a request searches."""
    return View(
        at=vault.now,
        scopes=_scopes(vault, request),
        kinds=frozenset(request.kinds) or None,
        audience=vault.audience,
        tags=frozenset({request.tag}) if request.tag else None,
        mem_kinds=frozenset({fold(request.mem_kind)}) if request.mem_kind else None,
    )


def _asked(
    corpus: Corpus, query: ParsedQuery, view: View, request: SearchRequest
) -> FindRequest:
    return FindRequest(
        query,
        heaviest=_heaviest(corpus, view.scopes),
        limit=request.limit,
        topic=None
        if request.topic is None
        else normal_topic(stated_topic(request.topic)),
        where=_where(request),
    )


def _scopes(vault: Vault, request: SearchRequest) -> frozenset[str] | None:
    if request.scope is not None:
        return frozenset({str(request.scope)})
    if len(vault.chain) > 1:
        return frozenset(map(str, vault.chain))
    return None


def _heaviest(corpus: Corpus, scopes: frozenset[str] | None) -> float:
    """The largest weight of the chain: what scores are divided by."""
    known = scopes
    if known is None:
        known = frozenset(place.scope for place in corpus.places())
    return max(map(scope_weight, known), default=1.0)


def _where(request: SearchRequest) -> Callable[[Doc], bool] | None:
    if (request.since, request.until, request.importance_min, request.is_of_tool) == (
        None,
        None,
        None,
        None,
    ):
        return None

    def fits(doc: Doc) -> bool:
        return (
            is_within(changed_at(doc), request.since, request.until)
            and (
                request.importance_min is None
                or doc.importance >= request.importance_min
            )
            and (request.is_of_tool is None or request.is_of_tool(doc.title))
        )

    return fits
