"""``toolmem memory``: what was learned, one markdown file each."""

from typing import Annotated

import typer

from toolmem.cli import complete
from toolmem.cli.memory_documents import change_document, memory_document
from toolmem.cli.options import (
    AgentOption,
    AgentTypeOption,
    JsonFlag,
    KindOption,
    MemoryIdArgument,
    ProjectOption,
    ReasonOption,
    ScopeOption,
    TopicOption,
)
from toolmem.cli.output import emit, emit_json, fields, remark, table
from toolmem.cli.run import some_scope
from toolmem.cli.tree import command, group, run_of
from toolmem.core.scope import parse_scope
from toolmem.errors import NotFoundError
from toolmem.ops import memories, memory_change
from toolmem.ops.found import count_found

app = group("Memories: save, show, list, change.")


@command(app, "show")
def show(
    ctx: typer.Context,
    memory_id: MemoryIdArgument,
    full: Annotated[
        bool, typer.Option("--full", help="The original text, not the summary.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Show one memory."""
    vault = run_of(ctx).open()
    memory = memories.show_memory(vault, memory_id)
    if memory is None:
        remark(f"no memory {memory_id!r}: `toolmem memory list` shows the ids")
        raise typer.Exit(1)
    for problem in memory.parsed.problems if memory.parsed else ():
        remark(f"{memory.path}:{problem.line}: {problem.message}")
    if memory.parsed is None:
        remark(f"{memory.path}: cannot be read: {memory.error}")
    count_found(vault, (memory.id,))
    text = memories.shown_text(vault, memory, full=full)
    if as_json:
        emit_json({**memory_document(memory), "text": text})
    else:
        document = memory_document(memory)
        document.pop("summary", None)
        emit(fields(document) + "\n\n" + text)


@command(app, "list")
def list_(
    ctx: typer.Context,
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    topic: TopicOption = "",
    tag: Annotated[
        str, typer.Option("--tag", metavar="TAG", help="Only memories with this tag.")
    ] = "",
    kind: KindOption = "",
    as_json: JsonFlag = False,
) -> None:
    """List memories: of a scope, of a project's chain, or of the whole vault."""
    vault = run_of(ctx).open(project, agent_type, agent)
    listing = memories.list_memories(
        vault,
        memories.MemoryFilter(
            some_scope(scope), topic or None, tag or None, kind or None
        ),
    )
    for broken in listing.unreadable:
        remark(f"{broken.path}: cannot be read: {broken.error}")
    if as_json:
        emit_json([memory_document(memory) for memory in listing.memories])
    else:
        emit(
            table(
                (m.id, str(m.scope), m.parsed.topic or "-", m.parsed.title)
                for m in listing.memories
                if m.parsed
            )
        )


@command(app, "archive")
def archive(
    ctx: typer.Context,
    memory_id: MemoryIdArgument,
    reason: ReasonOption,
    as_json: JsonFlag = False,
) -> None:
    """Retire a memory: it moves to archive/ with the reason."""
    vault = run_of(ctx).open()
    show_change(memory_change.archive_memory(vault, memory_id, reason), as_json)


@command(app, "promote")
def promote(
    ctx: typer.Context,
    memory_id: MemoryIdArgument,
    target: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="SCOPE",
            help="The scope that it belongs in.",
            autocompletion=complete.scopes,
        ),
    ],
    as_json: JsonFlag = False,
) -> None:
    """Move a memory to another scope."""
    vault = run_of(ctx).open()
    change = memory_change.promote_memory(vault, memory_id, parse_scope(target))
    show_change(change, as_json)


@command(app, "delete")
def delete(
    ctx: typer.Context, memory_id: MemoryIdArgument, as_json: JsonFlag = False
) -> None:
    """Delete a memory (git keeps what was committed)."""
    try:
        change = memory_change.delete_memory(run_of(ctx).open(), memory_id)
    except NotFoundError as error:
        remark(str(error))
        raise typer.Exit(1) from None
    show_change(change, as_json)


def show_change(change: memory_change.MemoryChange, as_json: bool) -> None:
    """Print what was done to a memory."""
    if as_json:
        emit_json(change_document(change))
    else:
        emit(f"{change.action} {change.path}")
