"""``toolmem scratch``: notes that are acted on before they expire."""

from collections.abc import Iterable
from typing import Annotated

from typer import Argument, Context, Option

from toolmem.api import notices
from toolmem.api.session import (
    SavedEntry,
    entries_document,
    entry_document,
    found_entry_document,
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
    confidence_of,
    content_of,
    opened,
    pairs_of,
    pairs_shown,
)
from toolmem.cli.options import AgentOption, JsonFlag, ProjectOption, TagOption
from toolmem.cli.output import (
    emit,
    emit_json,
    emit_lines,
    emit_table,
    fields,
    print_notice,
    print_notices,
)
from toolmem.cli.tree import Exit, command, group
from toolmem.core.access.scratch_page import ScratchEntry
from toolmem.core.text.safetext import one_line
from toolmem.errors import NotFoundError, UsageError

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


@command(app, "list")
def list_(
    ctx: Context,
    type_: TypeOption = "",
    status: StatusOption = "",
    owner: OwnerOption = "",
    source: SourceOption = "",
    tag: TagOption = [],  # noqa: B006
    confidence: ConfidenceOption = "",
    context: ContextOption = [],  # noqa: B006
    everything: Annotated[
        bool, Option("--all", help="Include archived entries.")
    ] = False,
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """List entries, newest first.

    An entry has to match every option given.
    """
    found = opened(ctx, agent=agent).scratch.list(
        type=type_,
        status=status,
        owner=owner,
        source=source,
        tag=tag,
        confidence=confidence_at_least(confidence),
        context=pairs_of(context, "--context"),
        all=everything,
    )
    if as_json:
        emit_json(entries_document(found))
    else:
        emit_table(_rows(found), _heads(found))


@command(app, "show")
def show(
    ctx: Context,
    entry_id: EntryIdArgument,
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Show one entry."""
    entry = opened(ctx, agent=agent).scratch.show(entry_id)
    if as_json:
        emit_json(found_entry_document(entry))
    elif entry is not None:
        document = entry_document(entry)
        content = document.pop("content")
        for name in ("context", "metadata"):
            document[name] = pairs_shown(document[name])
        emit(fields(document) + "\n\n" + content)
    if entry is None:
        print_notice(f"no entry on the scratch page has the id {entry_id!r}")
        raise Exit(NotFoundError.exit_code)


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


@command(app, "set-status")
def set_status(
    ctx: Context,
    entry_id: EntryIdArgument,
    status: Annotated[
        str,
        Argument(
            metavar="STATUS", help="New status; it cannot go back to an earlier one."
        ),
    ],
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Set an entry's status.

    One of active, pending_review, resolved and archived.
    """
    _show(opened(ctx, agent=agent).scratch.set_status(entry_id, status), as_json)


@command(app, "clear")
def clear(
    ctx: Context,
    entry_ids: Annotated[
        list[str],
        Argument(
            metavar="ID", help="Ids of entries; default: all that can be removed."
        ),
    ] = [],  # noqa: B006
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Remove resolved and archived entries.

    Removes all that are named, or none.
    """
    gone = opened(ctx, agent=agent).scratch.clear(entry_ids)
    if as_json:
        emit_json(entries_document(gone))
    else:
        emit_lines(f"cleared {entry.id}" for entry in gone)


def confidence_at_least(text: str) -> float:
    """Return the minimum confidence of a listing. Raises ``UsageError``."""
    number = confidence_of(text) or 0.0
    if isinstance(number, str):
        raise UsageError(f"--confidence: {text!r} is not a number")
    return number


def _show(saved: SavedEntry, as_json: bool) -> None:
    print_notices(notices.saved_notices(saved))
    if as_json:
        emit_json(saved_entry_document(saved))
    else:
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
