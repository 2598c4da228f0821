"""Scratch page, working memory and conversation."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from toolmem.api.access import Operations, bounded
from toolmem.core.access import dialogue, scratch_page, working_memory
from toolmem.core.times import checked_ttl
from toolmem.ops.capture import process_journal
from toolmem.ops.session import conversation, scratch, working

_NOTHING: Mapping[str, Any] = {}
_LISTED = 20


class SavedEntry(NamedTuple):
    """An entry of the scratch page as it is now, and warnings about it."""

    entry: "scratch_page.ScratchEntry"
    warnings: tuple[str, ...] = ()


class SavedMessage(NamedTuple):
    """A stored message, and warnings about it."""

    message: "dialogue.Message"
    warnings: tuple[str, ...] = ()


@bounded("scratch")
class Scratch(Operations):
    """Operations on the scratch page of the agent (for a person: of all agents).

    ``fields`` is a whole document in the specification's form; other arguments take
    precedence over its keys.
    """

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
        """Put an entry on the page; it expires after 7 days or ``ttl``.

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
        limit: int | None = None,
    ) -> "tuple[scratch_page.ScratchEntry, ...]":
        """Return entries, newest first, that match exactly; ``all``: archived ones,
        too."""
        pairs = tuple((key, str(value)) for key, value in context.items())
        wanted = scratch_page.EntryFilter(
            type, status, owner, source, tuple(tag), confidence, pairs
        )
        entries = scratch.list_entries(self._access.read(), wanted, everything=all)
        return entries[:limit]

    def show(self, id: str) -> "scratch_page.ScratchEntry | None":
        """Return one entry, or None."""
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
        """Change an entry; empty arguments change nothing.

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
        """Advance the status: active, pending_review, resolved, archived; never back.

        Raises ``NotFoundError`` and ``UsageError``.
        """
        return SavedEntry(scratch.set_status(self._access.write(), id, status))

    def clear(self, id: Sequence[str] = ()) -> "tuple[scratch_page.ScratchEntry, ...]":
        """Remove resolved or archived entries: all of those named, or none.

        Raises ``NotFoundError`` and ``UsageError``.
        """
        return scratch.clear_entries(self._access.write(), tuple(id))


@bounded("working")
class WorkingMemory(Operations):
    """Operations on working memory: named values, for 24 hours."""

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
        """Store a value under a name, replacing an existing one.

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
        self, name: str = "", *, session: str = "", limit: int | None = None
    ) -> "tuple[working_memory.WorkingValue, ...]":
        """Return the values, newest first; that of one name, or all."""
        values = working.show_values(self._access.read(), name, session or None)
        return values[:limit]

    def clear(self, name: Sequence[str] = (), *, session: str = "") -> int:
        """Delete values by name, or all; return how many there were."""
        vault = self._access.write()
        # Messages of a turn in progress are deleted, too.
        process_journal.process_pending(vault, session or None)
        return working.clear_values(vault, tuple(name), session or None)


@bounded("conversation")
class Conversation(Operations):
    """Operations on conversation memory: messages, for 30 days."""

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
        """Store a message. Raises ``UsageError`` and ``StorageError``."""
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
        self, *, session: str = "", limit: int = _LISTED
    ) -> "tuple[dialogue.Message, ...]":
        """Return the last messages, oldest first."""
        vault = self._access.read()
        return conversation.list_messages(vault, session or None, max(limit, 1))

    def show(self, id: str) -> "dialogue.Message | None":
        """Return one message, or None."""
        return conversation.show_message(self._access.read(), id)

    def clear(self, *, session: str = "") -> int:
        """Delete messages: of a session, to the agent, or all; return how many."""
        vault = self._access.write()
        process_journal.process_pending(vault, session or None)
        return conversation.clear_messages(vault, session or None)


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that were given; the number 0 is one."""
    return {k: v for k, v in values.items() if v not in (None, "", [], {})}
