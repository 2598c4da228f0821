"""Memories: one by id, and listings."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.memories.memory_text import ParsedMemory
from toolmem.core.model import Scope
from toolmem.core.names import fold
from toolmem.core.scope import weight
from toolmem.core.text.terms import normal_tags, normal_topic
from toolmem.core.times import as_moment
from toolmem.errors import NotFoundError
from toolmem.store.files import layout
from toolmem.store.vault.memory_files import (
    Memory,
    MemoryLocations,
    find_memory,
    memory_paths,
    read_memory,
)
from toolmem.store.vault.vault import Vault


class MemoryFilter(NamedTuple):
    """Filter of memories; None does not restrict."""

    scope: Scope | None = None
    topic: str | None = None
    tag: str | None = None
    kind: str | None = None


class MemoryListing(NamedTuple):
    """Memories by scope and id, and those that could not be read."""

    memories: tuple[Memory, ...]
    unreadable: tuple[Memory, ...]


def most_important(memories: Iterable[Memory]) -> list[Memory]:
    """Return memories in the order in which a prompt shows those of a topic.

    By the weight of the scope and the importance, then the newest first.
    """

    def order(memory: Memory) -> tuple[float, float, str]:
        parsed = memory.parsed
        importance = parsed.importance if parsed else 0.0
        changed = parsed and (as_moment(parsed.updated) or as_moment(parsed.created))
        age = -changed.timestamp() if changed else 0.0
        return -weight(memory.scope) * importance, age, memory.path

    return sorted(memories, key=order)


def show_memory(
    vault: Vault, prefix: str, allows: Callable[[Scope], bool] | None = None
) -> Memory | None:
    """The memory with this id (or unique beginning) in an allowed scope, or None.

    Raises ``UsageError`` when several ids begin so.
    """
    try:
        return read_memory(vault, find_memory(vault, prefix, allows))
    except NotFoundError:
        return None


def original_text(vault: Vault, parsed: ParsedMemory) -> str:
    """The whole text of a memory: below its summary, in its file, or the body."""
    if parsed.original_path:
        path = f"{parsed.path.rpartition('/')[0]}/{parsed.original_path}"
        text = vault.text(path, limits.ORIGINAL_BYTES)
        if text is not None:
            return text
    return parsed.original or parsed.body


def shown_text(vault: Vault, memory: Memory, *, full: bool) -> str:
    """Return the summary of a memory, or its text without one."""
    parsed = memory.parsed
    if parsed is None:
        return ""
    if full:
        return original_text(vault, parsed)
    # If the original is in a separate file, the text is the summary.
    inside = parsed.body if parsed.original_path else parsed.original or parsed.body
    return parsed.summary or inside


def list_memories(vault: Vault, wanted: MemoryFilter) -> MemoryListing:
    """The memories of a scope; without one of the chain, or of all scopes.

    Their texts are left out: there may be a million of them.
    """
    matching: list[Memory] = []
    broken: list[Memory] = []
    locations = MemoryLocations(vault)
    for where in memory_paths(vault.tree, _scopes(vault, wanted)):
        tree = vault.tree.unrecorded
        memory = read_memory(vault, where, locations=locations, tree=tree)
        if memory.parsed is None:
            broken.append(memory)
        elif _matches(memory.parsed, wanted):
            parsed = memory.parsed._replace(body="", original="")
            matching.append(memory._replace(parsed=parsed))
    matching.sort(key=lambda memory: (str(memory.scope), memory.id))
    return MemoryListing(tuple(matching), tuple(broken))


def _scopes(vault: Vault, wanted: MemoryFilter) -> Iterable[Scope]:
    if wanted.scope is not None:
        return (wanted.scope,)
    return vault.chain if len(vault.chain) > 1 else layout.all_scopes(vault.tree)


def _matches(parsed: ParsedMemory, wanted: MemoryFilter) -> bool:
    return (
        (wanted.topic is None or _is_topic(parsed.topic, wanted.topic))
        and (
            wanted.tag is None or normal_tags([wanted.tag]) <= normal_tags(parsed.tags)
        )
        and (wanted.kind is None or fold(parsed.kind or "") == fold(wanted.kind))
    )


def _is_topic(topic: str | None, wanted: str) -> bool:
    return normal_topic(topic or "") == normal_topic(wanted)
