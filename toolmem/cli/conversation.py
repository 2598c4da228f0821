"""``toolmem conversation``: what was said lately."""

from typing import Annotated

import typer

from toolmem.api.page_documents import message_document
from toolmem.cli.entries import (
    ConfidenceOption,
    FieldsFlag,
    MetadataOption,
    SessionOption,
    SourceOption,
    TextArgument,
    TtlOption,
    confidence_of,
    document_of,
    opened,
    pairs_of,
    pairs_shown,
)
from toolmem.cli.options import AgentOption, JsonFlag, ProjectOption, TagOption
from toolmem.cli.output import emit, emit_json, fields, remark, table
from toolmem.cli.tree import command, group, run_of
from toolmem.core.access.dialogue import Message
from toolmem.core.safetext import one_line
from toolmem.ops import conversation

app = group("Conversation memory: the messages of the last sessions.")
_LISTED = 20
_SHOWN_CHARS = 60


@command(app, "add")
def add(
    ctx: typer.Context,
    text: TextArgument = "-",
    role: Annotated[
        str,
        typer.Option(
            "--role", metavar="ROLE", help="user (usual), assistant, system or tool."
        ),
    ] = "",
    source: SourceOption = "",
    confidence: ConfidenceOption = "",
    tag: TagOption = [],  # noqa: B006
    ttl: TtlOption = "",
    metadata: MetadataOption = [],  # noqa: B006
    as_fields: FieldsFlag = False,
    session: SessionOption = "",
    agent: AgentOption = "",
    project: ProjectOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Keep a message, for 30 days."""
    run = run_of(ctx)
    given = {
        "role": role,
        "source": source,
        "confidence": confidence_of(confidence),
        "tags": tag,
        "ttl": ttl,
        "metadata": pairs_of(metadata, "--metadata"),
    }
    vault = opened(ctx, project=project, agent=agent)
    message, warnings = conversation.add_message(
        vault, document_of(text, as_fields, given), run.new_id(), session
    )
    for warning in warnings:
        remark(warning)
    if as_json:
        emit_json(message_document(message))
    else:
        emit(f"kept {message.id}")


@command(app, "list")
def list_(
    ctx: typer.Context,
    session: SessionOption = "",
    last: Annotated[
        int, typer.Option("--last", metavar="N", min=1, help="How many, the last ones.")
    ] = _LISTED,
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """List the last messages, oldest first, each in a line."""
    vault = opened(ctx, agent=agent)
    found = conversation.list_messages(vault, session or None, last)
    if as_json:
        emit_json([message_document(message) for message in found])
    else:
        emit(table(_row(message) for message in found))


@command(app, "show")
def show(
    ctx: typer.Context,
    message_id: Annotated[str, typer.Argument(metavar="ID", help="Its id.")],
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Show one message whole."""
    vault = opened(ctx, agent=agent)
    message = conversation.show_message(vault, message_id)
    if message is None:
        if as_json:
            emit_json(None)
        remark(f"no message has the id {message_id!r}")
        raise typer.Exit(1)
    document = message_document(message)
    if as_json:
        emit_json(document)
    else:
        content = document.pop("content")
        document["metadata"] = pairs_shown(document["metadata"])
        emit(f"{fields(document)}\n\n{content}")


@command(app, "clear")
def clear(
    ctx: typer.Context,
    session: SessionOption = "",
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Forget what was said: in a session, to an agent, or all."""
    vault = opened(ctx, agent=agent)
    count = conversation.clear_messages(vault, session or None)
    if as_json:
        emit_json({"cleared": count})


def _row(message: Message) -> tuple[str, ...]:
    content = one_line(message.content)
    if len(content) > _SHOWN_CHARS:
        content = f"{content[:_SHOWN_CHARS]}…"
    return (message.id, message.role, content)
