"""``toolmem tool``: what tools are called, and the words that mean them."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from typer import Argument, Context, Option

from toolmem.api.tools import ToolLookup, changes_document, tool_document
from toolmem.cli.operation import operation
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit, emit_json, emit_lines, emit_table, fields
from toolmem.cli.run import file_text, text_or_stdin
from toolmem.cli.tree import command, group, run_of
from toolmem.core.shown import counted, tool_label
from toolmem.ops.access.manifests import ToolChange, ToolRow

app = group("Tools: names, aliases and what they may query.")


@operation(app, "tool.list")
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


@operation(app, "tool.show")
def show(lookup: ToolLookup) -> None:
    """Show one tool."""
    if lookup.row is not None:
        document = tool_document(lookup.row)
        open_types = _not_closed(document["memory_access"])
        emit(fields({**document, "memory_access": open_types}))


@operation(app, "tool.add")
def add(change: ToolChange) -> None:
    """Create or extend the manifest of a tool."""
    emit_lines([f"{change.action} {change.path}"])


@command(app, "import")
def import_(
    ctx: Context,
    listing: Annotated[
        str,
        Argument(
            metavar="FILE",
            help="An MCP tools/list result, an OpenAI tools array or a manifest with "
            "memory_access (YAML or JSON); - reads standard input.",
        ),
    ],
    dry_run: Annotated[
        bool, Option("--dry-run", help="Only show what would be written.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Create manifests for the tools of a program."""
    run = run_of(ctx)
    run.access_for().require_allowed("tool.import", {"file": listing})
    text = (
        text_or_stdin("-", "listing") if listing == "-" else file_text(run.cwd, listing)
    )
    changes = run.vault_for().tool.import_(text, dry_run=dry_run)
    if as_json:
        emit_json(changes_document(changes))
    else:
        lines = ((c.name, c.action, c.reason or c.path) for c in changes)
        emit_table(lines, ("TOOL", "ACTION", "FILE"))


def _not_closed(access: Mapping[str, Any]) -> list[str]:
    """The memory types that a manifest declares and does not say no to."""
    return [
        name
        for name, table in access.items()
        if not (isinstance(table, Mapping) and table.get("enabled") is False)
    ]
