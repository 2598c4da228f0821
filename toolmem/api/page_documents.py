"""The JSON documents of scratch page, working memory, conversation and trace."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from toolmem.core.times import rfc3339_ms

if TYPE_CHECKING:
    from toolmem.api.pages import EntryKept, MessageKept
    from toolmem.core.access.dialogue import Message
    from toolmem.core.access.scratch_page import Entry
    from toolmem.core.access.working_memory import Value
    from toolmem.ops.access.apply import Applied
    from toolmem.ops.access.query import Answered
    from toolmem.ops.session.working import WorkingSet
    from toolmem.store.state.trace import TraceLine


def entry_document(entry: "Entry") -> dict[str, Any]:
    """An entry of the scratch page."""
    held = entry._asdict()
    return held | {"context": dict(entry.context), "metadata": dict(entry.metadata)}


def kept_entry_document(kept: "EntryKept") -> dict[str, Any]:
    """An entry that was put or changed."""
    return entry_document(kept.entry)


def found_entry_document(entry: "Entry | None") -> dict[str, Any] | None:
    """An entry that was asked for, or null."""
    return entry_document(entry) if entry else None


def entries_document(entries: "Sequence[Entry]") -> list[dict[str, Any]]:
    """The entries of a listing."""
    return [entry_document(entry) for entry in entries]


def value_document(value: "Value") -> dict[str, Any]:
    """A value of working memory."""
    return value._asdict() | {"metadata": dict(value.metadata)}


def set_document(kept: "WorkingSet") -> dict[str, Any]:
    """A value that was kept."""
    return value_document(kept.value)


def values_document(values: "Sequence[Value]") -> list[dict[str, Any]]:
    """What is in mind."""
    return [value_document(value) for value in values]


def message_document(message: "Message") -> dict[str, Any]:
    """A message of a conversation."""
    return message._asdict() | {"metadata": dict(message.metadata)}


def kept_message_document(kept: "MessageKept") -> dict[str, Any]:
    """A message that was kept."""
    return message_document(kept.message)


def found_message_document(message: "Message | None") -> dict[str, Any] | None:
    """A message that was asked for, or null."""
    return message_document(message) if message else None


def messages_document(messages: "Sequence[Message]") -> list[dict[str, Any]]:
    """The messages of a listing."""
    return [message_document(message) for message in messages]


def cleared_document(count: int) -> dict[str, int]:
    """How much was forgotten."""
    return {"cleared": count}


def line_document(line: "TraceLine") -> dict[str, Any]:
    """A line of the trace."""
    return line._asdict() | {"at": rfc3339_ms(line.at)}


def trace_document(lines: "Sequence[TraceLine]") -> list[dict[str, Any]]:
    """The lines of the trace."""
    return [line_document(line) for line in lines]


def answered_document(answered: "Answered | Applied") -> dict[str, Any]:
    """A request or a response again, with what became of it."""
    return answered.document
