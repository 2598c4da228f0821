"""``toolmem working``: working memory of an agent."""

from collections.abc import Sequence

from toolmem.cli.operation import operation
from toolmem.cli.output import emit, emit_table
from toolmem.cli.tree import group
from toolmem.core.access.working_memory import WorkingValue

group("working", "Working memory: values of the current task.")


@operation("working.show", uses_state=True)
def show(values: Sequence[WorkingValue], name: str) -> None:
    """Show working memory, or one value."""
    if name:
        emit("\n".join(value.content for value in values))
        return
    rows = ((value.name, value.type, value.content) for value in values)
    emit_table(rows, ("NAME", "TYPE", "CONTENT"))


@operation("working.clear", uses_state=True)
def clear(count: int) -> None:
    """Clear working memory."""
