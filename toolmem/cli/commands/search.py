"""``toolmem search`` and ``toolmem recall``."""

from typing import Annotated

from typer import Argument, Context, Option

from toolmem.api import notices
from toolmem.api.query import recall_document, search_document
from toolmem.cli import offers
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
from toolmem.cli.output import (
    aside_lines,
    emit,
    emit_json,
    emit_lines,
    print_notice,
    print_notices,
)
from toolmem.cli.run import text_or_stdin
from toolmem.cli.terminal import styled_hit
from toolmem.cli.tree import Exit, run_of
from toolmem.core.search.doc import CONTESTED, Doc
from toolmem.core.times import local_time
from toolmem.ops.search import explain as explain_search
from toolmem.ops.search.search import SearchAnswer

QueryArgument = Annotated[
    str,
    Argument(metavar="QUERY", help="Query; - reads standard input."),
]
LimitOption = Annotated[
    int, Option("--limit", "-n", metavar="N", help="Maximum number of results.")
]


def search_command(
    ctx: Context,
    query: QueryArgument,
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    topic: TopicOption = "",
    tag: Annotated[
        str, Option("--tag", metavar="TAG", help="Only results with this tag.")
    ] = "",
    kind: KindOption = "",
    only: Annotated[
        list[str],
        Option(
            "--only",
            metavar="WHAT",
            help="Only memory, rule, fact, override, guidance or profile.",
            autocompletion=offers.result_kinds,
        ),
    ] = [],  # noqa: B006
    since: Annotated[
        str,
        Option(
            "--since",
            metavar="WHEN",
            help="Changed since a date, a time or a span such as 12h.",
        ),
    ] = "",
    until: Annotated[
        str,
        Option(
            "--until",
            metavar="WHEN",
            help="Changed until a date (its end), a time or a span such as 12h.",
        ),
    ] = "",
    importance_min: Annotated[
        float,
        Option(
            "--importance-min",
            metavar="N",
            help="Minimum importance, from 0 to 1.",
            show_default=False,
        ),
    ] = -1.0,
    limit: LimitOption = 10,
    semantic: SemanticOption = "",
    explain: Annotated[
        bool, Option("--explain", help="Explain each score on standard error.")
    ] = False,
    expect: Annotated[
        str,
        Option(
            "--expect",
            metavar="ID",
            help="Explain the rank of this result, or why it is missing.",
        ),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Search memories, rules, facts and guidance."""
    vault = run_of(ctx).reader_for(project, agent_type, agent)
    answer = vault.search(
        text_or_stdin(query, "question"),
        scope=scope,
        topic=topic,
        tag=tag,
        kind=kind,
        only=only,
        since=since,
        until=until,
        importance_min=importance_min,
        limit=limit,
        semantic=semantic,
    )
    print_notices(notices.search_notices(answer))
    if explain:
        for hit in answer.found.hits:
            aside_lines(explain_search.explain_hit(hit, answer.found))
    if expect:
        opened_vault = run_of(ctx).open(project, agent_type, agent)
        print_notice(
            explain_search.explain_miss(opened_vault, answer.request, answer, expect)
        )
    if as_json:
        emit_json(search_document(answer))
    else:
        emit_lines(_lines(answer), styled_hit)
    if not answer.found.hits:
        raise Exit(1)


def recall_command(
    ctx: Context,
    query: QueryArgument,
    namespace: NamespaceOption = "",
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    topic: TopicOption = "",
    limit: LimitOption = 5,
    semantic: SemanticOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Print the fact of that name, or search.

    `*` prints the facts of a namespace.
    """
    vault = run_of(ctx).reader_for(project, agent_type, agent)
    answer = vault.recall(
        text_or_stdin(query, "question"),
        namespace=namespace,
        scope=scope,
        topic=topic,
        limit=limit,
        semantic=semantic,
    )
    print_notices(notices.recall_notices(answer))
    if as_json:
        emit_json(recall_document(answer))
    elif answer.fact is not None:
        emit(answer.fact.value or "\n")
    elif answer.found is not None:
        emit_lines(_lines(answer.found), styled_hit)
    else:
        emit_lines([f"{fact.key}: {fact.value}" for fact in answer.facts])
    if answer.is_empty:
        raise Exit(1)


def _lines(answer: SearchAnswer) -> list[str]:
    lines = []
    for hit in answer.found.hits:
        doc = hit.doc
        title = (
            doc.title
            if doc.kind in ("memory", "guidance")
            else f"{doc.kind} {doc.title}"
        )
        mark = _contested(doc) if CONTESTED in doc.tags else ""
        if hit.superseded_by:
            mark += f", superseded by {hit.superseded_by}"
        lines.append(f"{doc.path}: {title}  [{doc.scope} {hit.score:.2f}{mark}]")
        lines.append(f"    {hit.snippet}")
    return lines


def _contested(doc: Doc) -> str:
    """Mark of a memory that another one contradicts, with its time."""
    changed = doc.updated or doc.created
    return f", contested, of {local_time(changed)}" if changed else ", contested"
