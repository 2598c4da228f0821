"""``toolmem search`` and ``toolmem recall``."""

from toolmem.cli.inputs import Invocation
from toolmem.cli.operation import operation
from toolmem.cli.output import aside_lines, emit, emit_lines, print_notice
from toolmem.cli.terminal import styled_hit
from toolmem.core.search.doc import CONTESTED, Doc
from toolmem.core.times import local_time
from toolmem.ops.search import explain as explain_search
from toolmem.ops.search.recall import RecallResult
from toolmem.ops.search.search import SearchAnswer


def _explained(call: Invocation) -> SearchAnswer:
    """Search, and explain the scores, or the place of one result."""
    answer: SearchAnswer = call.perform()
    if call.more["explain"]:
        for hit in answer.found.hits:
            aside_lines(explain_search.explain_hit(hit, answer.found))
    if call.more["expect"]:
        vault, wanted = call.run.open(**call.names), call.more["expect"]
        print_notice(explain_search.explain_miss(vault, answer.request, answer, wanted))
    return answer


@operation("search", perform=_explained)
def search(answer: SearchAnswer, explain: bool = False, expect: str = "") -> None:
    """Search memories, rules, facts and guidance."""
    del explain, expect
    emit_lines(_lines(answer), styled_hit)


@operation("recall")
def recall(answer: RecallResult) -> None:
    """Print the fact of that name, or search.

    `*` prints the facts of a namespace.
    """
    if answer.fact is not None:
        emit(answer.fact.value or "\n")
    elif answer.found is not None:
        emit_lines(_lines(answer.found), styled_hit)
    else:
        emit_lines([f"{fact.key}: {fact.value}" for fact in answer.facts])


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
