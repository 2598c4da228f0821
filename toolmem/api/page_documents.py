"""The JSON documents of scratch page, working memory, conversation and trace."""

from collections.abc import Sequence
from typing import Any

from toolmem.api import pages
from toolmem.core.access import dialogue, scratch_page, working_memory
from toolmem.core.times import rfc3339_ms
from toolmem.ops.access import apply, query
from toolmem.ops.session import working
from toolmem.store.state import trace


def entry_document(entry: "scratch_page.ScratchEntry") -> dict[str, Any]:
    """An entry of the scratch page."""
    held = entry._asdict()
    return held | {"context": dict(entry.context), "metadata": dict(entry.metadata)}


def kept_entry_document(kept: "pages.SavedEntry") -> dict[str, Any]:
    """An entry that was put or changed."""
    return entry_document(kept.entry)


def found_entry_document(
    entry: "scratch_page.ScratchEntry | None",
) -> dict[str, Any] | None:
    """An entry that was asked for, or null."""
    return entry_document(entry) if entry else None


def entries_document(
    entries: "Sequence[scratch_page.ScratchEntry]",
) -> list[dict[str, Any]]:
    """The entries of a listing."""
    return [entry_document(entry) for entry in entries]


def value_document(value: "working_memory.WorkingValue") -> dict[str, Any]:
    """A value of working memory."""
    return value._asdict() | {"metadata": dict(value.metadata)}


def set_document(kept: "working.WorkingSet") -> dict[str, Any]:
    """A value that was kept."""
    return value_document(kept.value)


def values_document(
    values: "Sequence[working_memory.WorkingValue]",
) -> list[dict[str, Any]]:
    """What is in mind."""
    return [value_document(value) for value in values]


def message_document(message: "dialogue.Message") -> dict[str, Any]:
    """A message of a conversation."""
    return message._asdict() | {"metadata": dict(message.metadata)}


def kept_message_document(kept: "pages.SavedMessage") -> dict[str, Any]:
    """A message that was kept."""
    return message_document(kept.message)


def found_message_document(message: "dialogue.Message | None") -> dict[str, Any] | None:
    """A message that was asked for, or null."""
    return message_document(message) if message else None


def messages_document(messages: "Sequence[dialogue.Message]") -> list[dict[str, Any]]:
    """The messages of a listing."""
    return [message_document(message) for message in messages]


def cleared_document(count: int) -> dict[str, int]:
    """How much was forgotten."""
    return {"cleared": count}


def line_document(line: "trace.TraceLine") -> dict[str, Any]:
    """A line of the trace."""
    return line._asdict() | {"at": rfc3339_ms(line.at)}


def trace_document(lines: "Sequence[trace.TraceLine]") -> list[dict[str, Any]]:
    """The lines of the trace."""
    return [line_document(line) for line in lines]


def answered_document(
    answered: "query.QueryResult | apply.ApplyResult",
) -> dict[str, Any]:
    """A request or a response again, with what became of it."""
    return answered.document
