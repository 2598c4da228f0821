"""``toolmem memory``: what was learned, one markdown file each."""

from collections.abc import Sequence
from functools import partial

from toolmem.api.documents import plain
from toolmem.api.memories import ShownMemory
from toolmem.cli import editor
from toolmem.cli.inputs import Invocation
from toolmem.cli.operation import operation
from toolmem.cli.output import emit, emit_lines, emit_table, fields
from toolmem.cli.tree import group
from toolmem.ops.memories import change as memory_change
from toolmem.ops.memories import save as memory_save
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


@operation("memory.move", about="Move a memory to another scope.")
@operation("memory.archive", about="Move a memory to the archive, with a reason.")
def print_change(done: "memory_change.MemoryChange | memory_save.SaveResult") -> None:
    """Print what was done to a memory."""
    emit_lines([f"{done.action} {done.path}"])


@operation("memory.delete")
def delete(changes: "Sequence[memory_change.MemoryChange]") -> None:
    """Delete memories (git keeps what was committed)."""
    for change in changes:
        print_change(change)


operation("memory.save", about="Save a memory, unless it is known already.")(
    print_change
)


def _edited(call: Invocation) -> "memory_change.MemoryChange":
    """Change a memory by flags; without any, in the user's editor."""
    if not call.has_only("id", "allow_secret"):
        changed: memory_change.MemoryChange = call.perform()
        return changed
    vault = call.run.open(**call.names)
    path, before = memory_change.memory_source(vault, call.values["id"])
    allow_secret = call.values["allow_secret"]
    put = partial(memory_change.replace_memory, allow_secret=allow_secret)
    return editor.edited(vault, path, before, put)


operation(
    "memory.edit",
    perform=_edited,
    about="Change a memory by flags or in your editor.",
)(print_change)
