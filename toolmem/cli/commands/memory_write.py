"""``toolmem memory save`` and ``edit``."""

from functools import partial

from toolmem.cli import editor
from toolmem.cli.commands.memory import print_change
from toolmem.cli.inputs import Invocation
from toolmem.cli.operation import operation
from toolmem.cli.output import emit_lines
from toolmem.ops.memories import change as memory_change
from toolmem.ops.memories import save as memory_save


@operation("memory.save")
def save(result: "memory_save.SaveResult") -> None:
    """Save a memory, unless it is known already."""
    emit_lines([f"{result.action} {result.path}"])


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


@operation("memory.edit", perform=_edited)
def edit(change: "memory_change.MemoryChange") -> None:
    """Change a memory by flags or in your editor."""
    print_change(change)
