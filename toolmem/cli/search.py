"""``toolmem search`` and ``toolmem recall``."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from toolmem.cli.documents import fact_document
from toolmem.cli.options import (
    AgentOption,
    AgentTypeOption,
    JsonFlag,
    KindOption,
    NamespaceOption,
    ProjectOption,
    ScopeOption,
    SemanticOption,
    TopicOption,
)
from toolmem.cli.output import aside, emit, emit_json, remark
from toolmem.cli.run import some_scope, text_or_stdin
from toolmem.cli.tree import run_of
from toolmem.core.on_demand import OnDemand
from toolmem.core.search.find import Hit
from toolmem.core.times import parse_moment
from toolmem.errors import UsageError
from toolmem.ops.search import SearchAnswer, SearchRequest, search

if TYPE_CHECKING:
    from toolmem.ops import explain_search, recall
else:
    explain_search = OnDemand("toolmem.ops.explain_search")
    recall = OnDemand("toolmem.ops.recall")

QueryArgument = Annotated[
    str,
    typer.Argument(metavar="QUERY", help="A question; - reads standard input."),
]
LimitOption = Annotated[
    int, typer.Option("--limit", "-n", metavar="N", help="Hits at the most.")
]


def search_command(
    ctx: typer.Context,
    query: QueryArgument,
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    topic: TopicOption = "",
    tag: Annotated[
        str, typer.Option("--tag", metavar="TAG", help="Only with this tag.")
    ] = "",
    kind: KindOption = "",
    since: Annotated[
        str, typer.Option("--since", metavar="DATE", help="Changed at or after it.")
    ] = "",
    until: Annotated[
        str, typer.Option("--until", metavar="DATE", help="Changed at or before it.")
    ] = "",
    importance_min: Annotated[
        float,
        typer.Option("--importance-min", metavar="N", help="At least so important."),
    ] = -1.0,
    limit: LimitOption = 10,
    semantic: SemanticOption = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say on standard error why each scored.")
    ] = False,
    expect: Annotated[
        str,
        typer.Option(
            "--expect", metavar="ID", help="Say why this one is missing, or where."
        ),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Find memories, rules, facts and guidance by a question."""
    vault = run_of(ctx).open(project, agent_type, agent)
    request = SearchRequest(
        text_or_stdin(query, "question"),
        scope=some_scope(scope),
        topic=topic or None,
        tag=tag or None,
        mem_kind=kind or None,
        since=_moment(since),
        until=_moment(until),
        importance_min=None if importance_min < 0 else importance_min,
        limit=limit,
        semantic=semantic,
    )
    answer = search(vault, request)
    _remark(answer)
    if explain:
        aside("\n".join(explain_search.explain_hit(hit) for hit in answer.found.hits))
    if expect:
        remark(explain_search.explain_miss(vault, request, answer, expect))
    if as_json:
        emit_json(search_document(answer))
    else:
        emit(_text(answer))
    if not answer.found.hits:
        raise typer.Exit(1)


def recall_command(
    ctx: typer.Context,
    query: QueryArgument,
    namespace: NamespaceOption = "",
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    topic: TopicOption = "",
    limit: LimitOption = 5,
    semantic: SemanticOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Answer from a fact of that very name, else by searching."""
    vault = run_of(ctx).open(project, agent_type, agent)
    request = SearchRequest(
        text_or_stdin(query, "question").strip(),
        scope=some_scope(scope),
        topic=topic or None,
        limit=limit,
        semantic=semantic,
    )
    answer = recall.recall(vault, request, namespace or None)
    if answer.fact is not None:
        if as_json:
            fact = answer.fact
            document = {"query": request.query, "source": "fact", "value": fact.value}
            emit_json({**document, **fact_document(fact)})
        else:
            emit(answer.fact.value or "\n")
        return
    found = answer.found
    if found is None:
        raise typer.Exit(1)
    _remark(found)
    if as_json:
        emit_json({**search_document(found), "source": "search"})
    else:
        emit(_text(found))
    if not found.found.hits:
        raise typer.Exit(1)


def search_document(answer: SearchAnswer) -> dict[str, Any]:
    """``{query, results, total, topic_fallback, took_ms}``."""
    return {
        "query": answer.query.text,
        "results": [_hit_document(hit) for hit in answer.found.hits],
        "total": len(answer.found.hits),
        "topic_fallback": answer.found.topic_fallback,
        "took_ms": answer.took_ms,
    }


def _hit_document(hit: Hit) -> dict[str, Any]:
    doc = hit.doc
    return {
        "id": doc.id,
        "path": doc.path,
        "scope": doc.scope,
        "title": doc.title,
        "snippet": hit.snippet,
        "score": round(hit.score, 6),
        "relevance": round(hit.relevance, 6),
        "topic": doc.topic or None,
        "kind": doc.mem_kind if doc.kind == "memory" else doc.kind,
        "tags": list(doc.tags),
        "importance": doc.importance,
        "created": doc.created,
        "updated": doc.updated,
    }


def _text(answer: SearchAnswer) -> str:
    lines = []
    for hit in answer.found.hits:
        doc = hit.doc
        title = (
            doc.title
            if doc.kind in ("memory", "guidance")
            else f"{doc.kind} {doc.title}"
        )
        lines.append(f"{doc.path}: {title}  [{doc.scope} {hit.score:.2f}]")
        lines.append(f"    {hit.snippet}")
    return "\n".join(lines)


def _remark(answer: SearchAnswer) -> None:
    for text in answer.remarks:
        remark(text)
    if answer.found.topic_fallback:
        remark("too few on the topic: all topics were searched")
    for word, meant in answer.found.mended.items():
        remark(f"nothing has {word!r}: looked for {', '.join(meant)}")
    if not answer.found.hits:
        remark(f"nothing found for {answer.query.text!r}")


def _moment(text: str) -> Any:
    if not text:
        return None
    moment = parse_moment(text)
    if moment is None:
        raise UsageError(f"{text!r} is no date: write 2026-05-07 or a time")
    return moment
