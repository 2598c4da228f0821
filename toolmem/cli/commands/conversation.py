"""``toolmem conversation``: recent messages."""

from collections.abc import Sequence

from toolmem.api.documents import plain
from toolmem.cli.commands.entries import emit_entry, shortened
from toolmem.cli.operation import operation
from toolmem.cli.output import emit_table
from toolmem.cli.tree import group
from toolmem.core.access.dialogue import Message

group("conversation", "Conversation memory: messages of recent sessions.")


@operation("conversation.list", uses_state=True)
def list_(messages: Sequence[Message]) -> None:
    """List the last messages, oldest first."""
    rows = (
        (message.id, message.role, shortened(message.content)) for message in messages
    )
    emit_table(rows, ("ID", "ROLE", "CONTENT"))


@operation("conversation.show", uses_state=True)
def show(message: Message) -> None:
    """Show one message."""
    emit_entry(plain(message))


@operation("conversation.clear", uses_state=True)
def clear(count: int) -> None:
    """Delete messages of a session, of an agent, or all."""
