"""Scratch page, working memory and conversation, and their documents."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from toolmem.api.access import Access, bounded
from toolmem.core.access import dialogue, scratch_page, working_memory
from toolmem.core.times import checked_ttl, rfc3339_ms
from toolmem.ops.access import apply, query
from toolmem.ops.capture import process_journal
from toolmem.ops.session import conversation, scratch, working
from toolmem.store.state import trace

_NOTHING: Mapping[str, Any] = {}
_LISTED = 20


class SavedEntry(NamedTuple):
    """An entry of the scratch page as it is now, and warnings about it."""

    entry: "scratch_page.ScratchEntry"
    warnings: tuple[str, ...] = ()


class SavedMessage(NamedTuple):
    """A message as it is kept, and warnings about it."""

    message: "dialogue.Message"
    warnings: tuple[str, ...] = ()


@bounded("scratch")
class Scratch:
    """The operations on the scratch page of the agent (a person: of all agents).

    ``fields`` is a whole document, as the specification has it; what is given
    besides beats its keys.
    """

    def __init__(self, access: Access) -> None:
        self._access = access

    def add(
        self,
        text: str = "",
        *,
        type: str = "",
        source: str = "",
        owner: str = "",
        status: str = "",
        confidence: float | None = None,
        tag: Sequence[str] = (),
        ttl: str = "",
        context: Mapping[str, Any] = _NOTHING,
        metadata: Mapping[str, Any] = _NOTHING,
        fields: Mapping[str, Any] = _NOTHING,
    ) -> SavedEntry:
        """Put an entry on the page; it counts for 7 days unless ``ttl`` says else.

        Raises ``UsageError`` and ``ScratchFullError``.
        """
        given = {
            "content": text,
            "type": type,
            "source": source,
            "owner": owner,
            "status": status,
            "confidence": confidence,
            "tags": list(tag),
            "ttl": checked_ttl(ttl),
            "context": context,
            "metadata": metadata,
        }
        vault = self._access.write()
        document = {**fields, **_given(given)}
        return SavedEntry(*scratch.add_entry(vault, document, self._access.new_id()))

    def list(
        self,
        *,
        type: str = "",
        status: str = "",
        owner: str = "",
        source: str = "",
        tag: Sequence[str] = (),
        confidence: float = 0.0,
        context: Mapping[str, Any] = _NOTHING,
        all: bool = False,
    ) -> "tuple[scratch_page.ScratchEntry, ...]":
        """Entries, newest first, that fit exactly; ``all``: also what is archived."""
        pairs = tuple((key, str(value)) for key, value in context.items())
        wanted = scratch_page.EntryFilter(
            type, status, owner, source, tuple(tag), confidence, pairs
        )
        return scratch.list_entries(self._access.read(), wanted, everything=all)

    def show(self, id: str) -> "scratch_page.ScratchEntry | None":
        """One entry, or None."""
        return scratch.show_entry(self._access.read(), id)

    def edit(
        self,
        id: str,
        *,
        text: str = "",
        type: str = "",
        owner: str = "",
        confidence: float | None = None,
        tag: Sequence[str] = (),
        ttl: str = "",
        context: Mapping[str, Any] = _NOTHING,
        metadata: Mapping[str, Any] = _NOTHING,
        fields: Mapping[str, Any] = _NOTHING,
    ) -> SavedEntry:
        """Change an entry; what is empty stays.

        Raises ``NotFoundError`` and ``UsageError``.
        """
        given = {
            "content": text,
            "type": type,
            "owner": owner,
            "confidence": confidence,
            "tags": list(tag),
            "ttl": checked_ttl(ttl),
            "context": context,
            "metadata": metadata,
        }
        document = {**fields, **_given(given)}
        return SavedEntry(*scratch.edit_entry(self._access.write(), id, document))

    def set_status(self, id: str, status: str) -> SavedEntry:
        """Move an entry on: active, pending_review, resolved, archived; never back.

        Raises ``NotFoundError`` and ``UsageError``.
        """
        return SavedEntry(scratch.set_status(self._access.write(), id, status))

    def resolve(self, id: str) -> SavedEntry:
        """Say that an entry needs nobody any more; ``NotFoundError``."""
        return self.set_status(id, "resolved")

    def archive(self, id: str) -> SavedEntry:
        """Put an entry away; ``NotFoundError``."""
        return self.set_status(id, "archived")

    def clear(self, id: Sequence[str] = ()) -> "tuple[scratch_page.ScratchEntry, ...]":
        """Remove entries that are resolved or archived: all that are named, or none.

        Raises ``NotFoundError`` and ``UsageError``.
        """
        return scratch.clear_entries(self._access.write(), tuple(id))


@bounded("working")
class WorkingMemory:
    """The operations on working memory: values under names, for 24 hours."""

    def __init__(self, access: Access) -> None:
        self._access = access

    def set(
        self,
        name: str,
        text: str = "",
        *,
        type: str = "",
        source: str = "",
        confidence: float | None = None,
        tag: Sequence[str] = (),
        ttl: str = "",
        metadata: Mapping[str, Any] = _NOTHING,
        fields: Mapping[str, Any] = _NOTHING,
        session: str = "",
    ) -> "working.WorkingSet":
        """Keep a value under a name, in the place of what is there.

        Raises ``UsageError`` and ``StorageError``.
        """
        given = {
            "content": text,
            "type": type,
            "source": source,
            "confidence": confidence,
            "tags": list(tag),
            "ttl": checked_ttl(ttl),
            "metadata": metadata,
        }
        document = {**fields, **_given(given)}
        return working.set_value(self._access.write(), name, document, session)

    def show(
        self, name: str = "", *, session: str = ""
    ) -> "tuple[working_memory.WorkingValue, ...]":
        """Return the values, newest first; under one name, or all."""
        return working.show_values(self._access.read(), name, session or None)

    def clear(self, name: Sequence[str] = (), *, session: str = "") -> int:
        """Forget values by name, or all; how many there were."""
        vault = self._access.write()
        # What was typed in a turn that goes on is forgotten, too.
        process_journal.process_pending(vault, session or None)
        return working.clear_values(vault, tuple(name), session or None)


@bounded("conversation")
class Conversation:
    """The operations on conversation memory: messages, for 30 days."""

    def __init__(self, access: Access) -> None:
        self._access = access

    def add(
        self,
        text: str = "",
        *,
        role: str = "",
        source: str = "",
        confidence: float | None = None,
        tag: Sequence[str] = (),
        ttl: str = "",
        metadata: Mapping[str, Any] = _NOTHING,
        fields: Mapping[str, Any] = _NOTHING,
        session: str = "",
    ) -> SavedMessage:
        """Keep a message. Raises ``UsageError`` and ``StorageError``."""
        given = {
            "content": text,
            "role": role,
            "source": source,
            "confidence": confidence,
            "tags": list(tag),
            "ttl": checked_ttl(ttl),
            "metadata": metadata,
        }
        document = {**fields, **_given(given)}
        vault, new_id = self._access.write(), self._access.new_id()
        return SavedMessage(*conversation.add_message(vault, document, new_id, session))

    def list(
        self, *, session: str = "", last: int = _LISTED
    ) -> "tuple[dialogue.Message, ...]":
        """The last messages, oldest first."""
        vault = self._access.read()
        return conversation.list_messages(vault, session or None, max(last, 1))

    def show(self, id: str) -> "dialogue.Message | None":
        """One message, or None."""
        return conversation.show_message(self._access.read(), id)

    def clear(self, *, session: str = "") -> int:
        """Forget what was said: in a session, to the agent, or all; how much it was."""
        vault = self._access.write()
        process_journal.process_pending(vault, session or None)
        return conversation.clear_messages(vault, session or None)


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Those that were given; a number of 0 is one."""
    return {k: v for k, v in values.items() if v not in (None, "", [], {})}


def entry_document(entry: "scratch_page.ScratchEntry") -> dict[str, Any]:
    """An entry of the scratch page."""
    fields = entry._asdict()
    return fields | {"context": dict(entry.context), "metadata": dict(entry.metadata)}


def saved_entry_document(saved: "SavedEntry") -> dict[str, Any]:
    """An entry that was put or changed."""
    return entry_document(saved.entry)


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


def set_document(saved: "working.WorkingSet") -> dict[str, Any]:
    """A value that was kept."""
    return value_document(saved.value)


def values_document(
    values: "Sequence[working_memory.WorkingValue]",
) -> list[dict[str, Any]]:
    """Values of working memory."""
    return [value_document(value) for value in values]


def message_document(message: "dialogue.Message") -> dict[str, Any]:
    """A message of a conversation."""
    return message._asdict() | {"metadata": dict(message.metadata)}


def saved_message_document(saved: "SavedMessage") -> dict[str, Any]:
    """A message that was kept."""
    return message_document(saved.message)


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
