"""``toolmem tool``: what tools are called, and the words that mean them."""

from collections.abc import Mapping, Sequence
from typing import Any

from toolmem.api.documents import plain
from toolmem.cli.operation import operation
from toolmem.cli.output import emit, emit_lines, emit_table, fields
from toolmem.cli.tree import group
from toolmem.core.shown import counted, tool_label
from toolmem.ops.access.manifests import ToolChange, ToolRow

group("tool", "Tools: names, aliases and what they may query.")


@operation("tool.list")
def list_(rows: Sequence[ToolRow]) -> None:
    """List tools that have a manifest or rules."""
    lines = (
        (
            tool_label(row.name),
            counted(row.rules, "rule"),
            ", ".join(row.manifest.aliases) if row.manifest else "",
        )
        for row in rows
    )
    emit_table(lines, ("TOOL", "RULES", "ALIASES"))


@operation("tool.show")
def show(row: ToolRow) -> None:
    """Show one tool."""
    document = plain(row)
    open_types = _not_closed(document["memory_access"])
    emit(fields({**document, "memory_access": open_types}))


@operation("tool.add")
def add(change: ToolChange) -> None:
    """Create or extend the manifest of a tool."""
    emit_lines([f"{change.action} {change.path}"])


@operation("tool.import")
def import_(changes: Sequence[ToolChange]) -> None:
    """Create manifests for the tools of a program."""
    lines = ((c.name, c.action, c.reason or c.path) for c in changes)
    emit_table(lines, ("TOOL", "ACTION", "FILE"))


def _not_closed(access: Mapping[str, Any]) -> list[str]:
    """The memory types that a manifest declares and does not say no to."""
    return [
        name
        for name, table in access.items()
        if not (isinstance(table, Mapping) and table.get("enabled") is False)
    ]
