"""``toolmem memory``: what was learned, one markdown file each."""

from collections.abc import Sequence

from toolmem.api.documents import plain
from toolmem.api.memories import ShownMemory
from toolmem.cli.operation import operation
from toolmem.cli.output import emit, emit_lines, emit_table, fields
from toolmem.cli.tree import group
from toolmem.ops.memories import change as memory_change
from toolmem.ops.memories.listing import MemoryListing

group("memory", "Memories: save, show, list, change.")


@operation("memory.show")
def show(shown: ShownMemory) -> None:
    """Show one memory."""
    document = plain(shown.memory)
    document.pop("summary", None)
    emit(fields(document) + "\n\n" + shown.text)


@operation("memory.list")
def list_(listing: MemoryListing) -> None:
    """List memories."""
    rows = (
        (m.id, str(m.scope), m.parsed.topic or "-", m.parsed.title)
        for m in listing.memories
        if m.parsed
    )
    emit_table(rows, ("ID", "SCOPE", "TOPIC", "TITLE"))


@operation("memory.archive")
def archive(change: "memory_change.MemoryChange") -> None:
    """Move a memory to the archive, with a reason."""
    print_change(change)


@operation("memory.move")
def move(change: "memory_change.MemoryChange") -> None:
    """Move a memory to another scope."""
    print_change(change)


@operation("memory.delete")
def delete(changes: "Sequence[memory_change.MemoryChange]") -> None:
    """Delete memories (git keeps what was committed)."""
    for change in changes:
        print_change(change)


def print_change(change: "memory_change.MemoryChange") -> None:
    """Print what was done to a memory."""
    emit_lines([f"{change.action} {change.path}"])
