"""``toolmem conversation``: recent messages."""

from collections.abc import Sequence

from toolmem.api.session import message_document
from toolmem.cli.commands.entries import emit_entry, state
from toolmem.cli.operation import operation
from toolmem.cli.output import emit_table
from toolmem.cli.tree import group
from toolmem.core.access.dialogue import Message
from toolmem.core.text.safetext import one_line

app = group("Conversation memory: messages of recent sessions.")
_SHOWN_CHARS = 60


@operation(app, "conversation.list", state)
def list_(messages: Sequence[Message]) -> None:
    """List the last messages, oldest first."""
    emit_table(map(_row, messages), ("ID", "ROLE", "CONTENT"))


@operation(app, "conversation.show", state)
def show(message: Message) -> None:
    """Show one message."""
    emit_entry(message_document(message))


@operation(app, "conversation.clear", state)
def clear(count: int) -> None:
    """Delete messages of a session, of an agent, or all."""


def _row(message: Message) -> tuple[str, ...]:
    content = one_line(message.content)
    if len(content) > _SHOWN_CHARS:
        content = f"{content[:_SHOWN_CHARS]}…"
    return (message.id, message.role, content)
