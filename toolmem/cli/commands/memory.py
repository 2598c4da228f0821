"""``toolmem memory``: what was learned, one markdown file each."""

from typing import Annotated

from typer import Context, Option

from toolmem.api import notices
from toolmem.api.memories import (
    change_document,
    deleted_memory_document,
    found_memory_document,
    memory_document,
)
from toolmem.cli import offers
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
from toolmem.cli.output import (
    emit,
    emit_json,
    emit_json_list,
    emit_lines,
    emit_table,
    fields,
    print_notice,
    print_notices,
)
from toolmem.cli.tree import Exit, command, group, run_of
from toolmem.errors import NotFoundError
from toolmem.ops.memories.change import MemoryChange

app = group("Memories: save, show, list, change.")


@command(app, "show")
def show(
    ctx: Context,
    memory_id: MemoryIdArgument,
    full: Annotated[
        bool, Option("--full", help="The original text, not the summary.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Show one memory."""
    found = run_of(ctx).vault_for().memory.show(memory_id, full=full)
    print_notices(notices.memory_notices(found))
    if as_json:
        emit_json(found_memory_document(found))
    elif found.memory is not None:
        document = memory_document(found.memory)
        document.pop("summary", None)
        emit(fields(document) + "\n\n" + found.text)
    if found.memory is None:
        raise Exit(NotFoundError.exit_code)


@command(app, "list")
def list_(
    ctx: Context,
    scope: ScopeOption = "",
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    topic: TopicOption = "",
    tag: Annotated[
        str, Option("--tag", metavar="TAG", help="Only memories with this tag.")
    ] = "",
    kind: KindOption = "",
    as_json: JsonFlag = False,
) -> None:
    """List memories."""
    vault = run_of(ctx).reader_for(project, agent_type, agent)
    listing = vault.memory.list(scope=scope, topic=topic, tag=tag, kind=kind)
    print_notices(notices.memories_notices(listing))
    if as_json:
        emit_json_list(map(memory_document, listing.memories))
    else:
        rows = (
            (m.id, str(m.scope), m.parsed.topic or "-", m.parsed.title)
            for m in listing.memories
            if m.parsed
        )
        emit_table(rows, ("ID", "SCOPE", "TOPIC", "TITLE"))


@command(app, "archive")
def archive(
    ctx: Context,
    memory_id: MemoryIdArgument,
    reason: ReasonOption,
    as_json: JsonFlag = False,
) -> None:
    """Move a memory to the archive, with a reason."""
    memory = run_of(ctx).vault_for().memory
    show_change(memory.archive(memory_id, reason=reason), as_json)


@command(app, "move")
def move(
    ctx: Context,
    memory_id: MemoryIdArgument,
    scope: Annotated[
        str,
        Option(
            "--scope",
            metavar="SCOPE",
            help="Scope to move the memory to.",
            autocompletion=offers.scopes,
        ),
    ],
    as_json: JsonFlag = False,
) -> None:
    """Move a memory to another scope."""
    memory = run_of(ctx).vault_for().memory
    show_change(memory.move(memory_id, scope=scope), as_json)


@command(app, "delete")
def delete(
    ctx: Context, memory_id: MemoryIdArgument, as_json: JsonFlag = False
) -> None:
    """Delete a memory (git keeps what was committed)."""
    deleted = run_of(ctx).vault_for().memory.delete(memory_id)
    if as_json:
        emit_json(deleted_memory_document(deleted))
    elif deleted.change is not None:
        show_change(deleted.change, as_json)
    if deleted.change is None:
        print_notice(deleted.reason)
        raise Exit(1)


def show_change(change: MemoryChange, as_json: bool) -> None:
    """Print what was done to a memory."""
    if as_json:
        emit_json(change_document(change))
    else:
        emit_lines([f"{change.action} {change.path}"])
