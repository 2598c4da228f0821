"""``toolmem conversation``: recent messages."""

from typing import Annotated

from typer import Argument, Context, Option

from toolmem.api.session import (
    cleared_document,
    found_message_document,
    message_document,
    messages_document,
)
from toolmem.cli.commands.entries import SessionOption, opened, pairs_shown
from toolmem.cli.options import AgentOption, JsonFlag
from toolmem.cli.output import (
    emit,
    emit_json,
    emit_lines,
    emit_table,
    fields,
    print_notice,
)
from toolmem.cli.tree import Exit, command, group
from toolmem.core.access.dialogue import Message
from toolmem.core.text.safetext import one_line

app = group("Conversation memory: messages of recent sessions.")
_LISTED = 20
_SHOWN_CHARS = 60


@command(app, "list")
def list_(
    ctx: Context,
    session: SessionOption = "",
    last: Annotated[
        int,
        Option(
            "--last",
            metavar="N",
            min=1,
            help="Number of messages, counted from the last.",
        ),
    ] = _LISTED,
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """List the last messages, oldest first."""
    found = opened(ctx, agent=agent).conversation.list(session=session, last=last)
    if as_json:
        emit_json(messages_document(found))
    else:
        emit_table(map(_row, found), ("ID", "ROLE", "CONTENT"))


@command(app, "show")
def show(
    ctx: Context,
    message_id: Annotated[str, Argument(metavar="ID", help="Message id.")],
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Show one message."""
    message = opened(ctx, agent=agent).conversation.show(message_id)
    if as_json:
        emit_json(found_message_document(message))
    elif message is not None:
        document = message_document(message)
        content = document.pop("content")
        document["metadata"] = pairs_shown(document["metadata"])
        emit(fields(document) + "\n\n" + content)
    if message is None:
        print_notice(f"no message has the id {message_id!r}")
        raise Exit(1)


@command(app, "clear")
def clear(
    ctx: Context,
    session: SessionOption = "",
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Delete messages of a session, of an agent, or all."""
    count = opened(ctx, agent=agent).conversation.clear(session=session)
    if as_json:
        emit_json(cleared_document(count))


def _row(message: Message) -> tuple[str, ...]:
    content = one_line(message.content)
    if len(content) > _SHOWN_CHARS:
        content = f"{content[:_SHOWN_CHARS]}…"
    return (message.id, message.role, content)
