"""Check the links between the memories of a whole vault."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from toolmem.core.memories.memory_text import ParsedMemory
from toolmem.core.model import Problem


class MemoryLinks(NamedTuple):
    """A memory's id, its file, and the memories that it is contested with."""

    id: str
    path: str
    contested_with: tuple[str, ...]


def links_of(parsed: ParsedMemory) -> MemoryLinks:
    """Return the links of a memory."""
    return MemoryLinks(parsed.id, parsed.path, parsed.contested_with)


def link_problems(memories: Iterable[MemoryLinks]) -> Iterator[Problem]:
    """Report duplicate ids and contradictions with missing memories."""
    first: dict[str, str] = {}
    every = tuple(memories)
    for memory in every:
        known = first.setdefault(memory.id, memory.path)
        if known != memory.path:
            message = f"{memory.id} is also the id of {known}: rename one of the files"
            yield Problem(memory.path, 0, "duplicate-id", message)
    for memory in every:
        for rival in memory.contested_with:
            if rival not in first:
                message = (
                    f"contested with {rival}, which does not exist: `toolmem memory "
                    "edit "
                    f"{memory.id} --uncontested` removes the link"
                )
                yield Problem(memory.path, 0, "dangling-link", message, "warning")
