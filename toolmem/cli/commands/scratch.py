"""``toolmem scratch``: notes that are acted on before they expire."""

from collections.abc import Iterable, Sequence
from typing import Annotated

from typer import Context, Option

from toolmem.api import notices
from toolmem.api.session import (
    SavedEntry,
    entry_document,
    saved_entry_document,
)
from toolmem.cli.commands.entries import (
    ConfidenceOption,
    ContextOption,
    EntryIdArgument,
    FieldsFlag,
    MetadataOption,
    SourceOption,
    TextArgument,
    TtlOption,
    content_of,
    emit_entry,
    opened,
    state,
)
from toolmem.cli.operation import operation
from toolmem.cli.options import AgentOption, JsonFlag, ProjectOption, TagOption
from toolmem.cli.output import (
    emit_json,
    emit_lines,
    emit_table,
    print_notices,
)
from toolmem.cli.run import pairs_of
from toolmem.cli.tree import command, group
from toolmem.core.access.scratch_page import ScratchEntry
from toolmem.core.text.safetext import one_line

app = group("Scratch page: alerts, reminders and open questions.")

TypeOption = Annotated[
    str,
    Option("--type", metavar="TYPE", help="observation, risk_alert, reminder …"),
]
OwnerOption = Annotated[
    str,
    Option("--owner", metavar="NAME", help="Who should act: agent, user or a tool."),
]
StatusOption = Annotated[
    str,
    Option(
        "--status",
        metavar="STATUS",
        help="active, pending_review, resolved or archived.",
    ),
]
_SHOWN_CHARS = 60


@command(app, "add")
def add(
    ctx: Context,
    text: TextArgument = "-",
    type_: TypeOption = "",
    source: SourceOption = "",
    owner: OwnerOption = "",
    status: StatusOption = "",
    confidence: ConfidenceOption = "",
    tag: TagOption = [],  # noqa: B006
    ttl: TtlOption = "",
    context: ContextOption = [],  # noqa: B006
    metadata: MetadataOption = [],  # noqa: B006
    as_fields: FieldsFlag = False,
    agent: AgentOption = "",
    project: ProjectOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Add an entry to an agent's scratch page.

    It is active for 7 days.
    """
    saved = opened(ctx, project=project, agent=agent).scratch.add(
        type=type_,
        source=source,
        owner=owner,
        status=status,
        tag=tag,
        ttl=ttl,
        context=pairs_of(context, "--context"),
        metadata=pairs_of(metadata, "--metadata"),
        **content_of(text, as_fields, confidence),
    )
    _show(saved, as_json)


@operation(app, "scratch.list", state)
def list_(entries: tuple[ScratchEntry, ...]) -> None:
    """List entries, newest first.

    An entry has to match every option given.
    """
    emit_table(_rows(entries), _heads(entries))


@operation(app, "scratch.show", state)
def show(entry: ScratchEntry) -> None:
    """Show one entry."""
    emit_entry(entry_document(entry))


@command(app, "edit")
def edit(
    ctx: Context,
    entry_id: EntryIdArgument,
    text: Annotated[
        str, Option("--text", metavar="TEXT", help="The new text; - reads stdin.")
    ] = "",
    type_: TypeOption = "",
    owner: OwnerOption = "",
    confidence: ConfidenceOption = "",
    tag: TagOption = [],  # noqa: B006
    ttl: TtlOption = "",
    context: ContextOption = [],  # noqa: B006
    metadata: MetadataOption = [],  # noqa: B006
    as_fields: FieldsFlag = False,
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Change an entry.

    Its id, source and age stay the same.
    """
    saved = opened(ctx, agent=agent).scratch.edit(
        entry_id,
        type=type_,
        owner=owner,
        tag=tag,
        ttl=ttl,
        context=pairs_of(context, "--context"),
        metadata=pairs_of(metadata, "--metadata"),
        **content_of(text, as_fields, confidence),
    )
    _show(saved, as_json)


@operation(app, "scratch.set-status", state)
def set_status(saved: SavedEntry) -> None:
    """Set an entry's status.

    One of active, pending_review, resolved and archived.
    """
    _print_status(saved)


@operation(app, "scratch.clear", state)
def clear(entries: Sequence[ScratchEntry]) -> None:
    """Remove resolved and archived entries.

    Removes all that are named, or none.
    """
    emit_lines(f"cleared {entry.id}" for entry in entries)


def _show(saved: SavedEntry, as_json: bool) -> None:
    print_notices(notices.saved_notices(saved))
    if as_json:
        emit_json(saved_entry_document(saved))
    else:
        _print_status(saved)


def _print_status(saved: SavedEntry) -> None:
    emit_lines([f"{saved.entry.status} {saved.entry.id}"])


def _heads(found: tuple[ScratchEntry, ...]) -> tuple[str, ...]:
    whose = ("AGENT",) if _has_several_agents(found) else ()
    return ("ID", *whose, "STATUS", "TYPE", "CONTENT")


def _has_several_agents(found: tuple[ScratchEntry, ...]) -> bool:
    return len({entry.agent for entry in found}) > 1


def _rows(found: tuple[ScratchEntry, ...]) -> Iterable[tuple[str, ...]]:
    several = _has_several_agents(found)
    for entry in found:
        whose = (entry.agent or "-",) if several else ()
        content = one_line(entry.content)
        if len(content) > _SHOWN_CHARS:
            content = f"{content[:_SHOWN_CHARS]}…"
        yield (entry.id, *whose, entry.status, entry.type, content)
