"""``vault.memory``: knowledge, one markdown file each."""

from collections.abc import Sequence
from typing import NamedTuple

from toolmem.api.access import Operations, bounded, names_of
from toolmem.core.times import expiry_of
from toolmem.ops.memories import change as memory_change
from toolmem.ops.memories import listing, new_memory
from toolmem.ops.memories import save as memory_save
from toolmem.ops.memories.listing import MemoryFilter, MemoryListing
from toolmem.ops.search.retrieval_counts import count_found
from toolmem.store.vault.memory_files import Memory, find_memory
from toolmem.store.vault.vault import Vault


class ShownMemory(NamedTuple):
    """A memory, and its text."""

    memory: Memory
    text: str


@bounded("memory")
class Memories(Operations):
    """Operations on memories: markdown with a topic, tags and a kind."""

    def save(
        self,
        text: str,
        *,
        scope: str = "",
        topic: str = "",
        tag: Sequence[str] = (),
        kind: str = "insight",
        importance: float | None = None,
        source_task: str = "",
        source: str = "",
        private: bool = False,
        expires: str = "",
        replaces: Sequence[str] = (),
        allow_secret: bool = False,
        create: bool = False,
    ) -> "memory_save.SaveResult":
        """Save a memory; a known one is not written twice. Durable.

        ``importance`` is from 0 to 1; an empty topic is inferred from the
        text. ``replaces`` are memories that it supersedes: they stay and rank below.
        Raises ``UsageError`` and ``SecretError``.
        """
        vault = self._access.write()
        wanted = new_memory.NewMemory(
            text,
            topic=topic or None,
            tags=tuple(tag),
            kind=kind or None,
            importance=importance,
            source=source or None,
            source_task=source_task or None,
            private=private,
            expires_at=expiry_of(expires, vault.now),
            allow_secret=allow_secret,
            replaces=tuple(replaces),
        )
        target, remarks = self._access.place(vault, scope, create=create)
        done = memory_save.save_memory(vault, wanted, target)
        return done._replace(remarks=(*remarks, *done.remarks))

    def show(self, id: str, *, full: bool = False) -> ShownMemory | None:
        """Return a memory: its summary if it has one, or with ``full`` all of it.

        Raises ``UsageError`` for an ambiguous prefix.
        """
        vault = self._access.read()
        memory = listing.show_memory(vault, id, self._access.bounds.allows)
        if memory is None:
            return None
        count_found(vault, (memory.id,))
        return ShownMemory(memory, listing.shown_text(vault, memory, full=full))

    def list(
        self,
        *,
        scope: str = "",
        topic: str = "",
        tag: str = "",
        kind: str = "",
        limit: int | None = None,
    ) -> MemoryListing:
        """Return memories of a scope, of the chain, or of the whole vault."""
        wanted = MemoryFilter(
            self._access.scope(scope), topic or None, tag or None, kind or None
        )
        listed = listing.list_memories(self._access.read(), wanted)
        seen = self._access.seen
        return MemoryListing(
            seen(listed.memories, lambda memory: memory.scope)[:limit],
            seen(listed.unreadable, lambda memory: memory.scope),
        )

    def edit(
        self,
        id: str,
        *,
        text: str = "",
        topic: str = "",
        tag: Sequence[str] = (),
        kind: str = "",
        importance: float | None = None,
        private: bool | None = None,
        expires: str = "",
        uncontested: bool = False,
        allow_secret: bool = False,
    ) -> "memory_change.MemoryChange":
        """Change a memory; empty arguments change nothing (a tag of "" removes all
        tags).

        ``expires`` is a date, a span such as 30d, or ``never``; ``uncontested`` removes
        the links to memories that contradict it. Raises ``NotFoundError``,
        ``UsageError``, ``SecretError`` and ``InvalidFileError``.
        """
        vault = self._access.write()
        edits = memory_change.MemoryEdits(
            body=text or None,
            topic=topic or None,
            tags=tuple(tag) if tag else None,
            kind=kind or None,
            importance=importance,
            private=private,
            expires_at=expiry_of(expires, vault.now),
            never_expires=expires == "never",
            uncontested=uncontested,
            allow_secret=allow_secret,
        )
        return memory_change.edit_memory(vault, self._id(vault, id), edits)

    def archive(self, id: str, *, reason: str) -> "memory_change.MemoryChange":
        """Retire a memory: it moves to ``archive/`` with the reason.

        Raises ``NotFoundError``.
        """
        vault = self._access.write()
        return memory_change.archive_memory(vault, self._id(vault, id), reason)

    def move(
        self, id: str, *, scope: str, create: bool = False
    ) -> "memory_change.MemoryChange":
        """Move a memory to another scope; its id stays.

        Raises ``NotFoundError`` and ``ExistsError``.
        """
        memory_id = self._id(vault := self._access.write(), id)
        target, remarks = self._access.place(vault, scope, create=create)
        done = memory_change.change_scope(vault, memory_id, target)
        return done._replace(remarks=remarks)

    def delete(
        self, id: str | Sequence[str]
    ) -> "tuple[memory_change.MemoryChange, ...]":
        """Delete memories: all that are named, or none (git keeps what was committed).

        Raises ``NotFoundError``.
        """
        vault = self._access.write()
        ids = names_of([self._id(vault, name) for name in names_of(id)])
        return tuple(memory_change.delete_memory(vault, memory_id) for memory_id in ids)

    def _id(self, vault: Vault, prefix: str) -> str:
        """Return the whole id; a memory out of bounds does not exist. See
        ``find_memory``."""
        return find_memory(vault, prefix, self._access.bounds.allows).id
