"""``toolmem tool``: what tools are called, and the words that mean them."""

from collections.abc import Mapping
from typing import Annotated, Any

from typer import Argument, Context, Option

from toolmem.api.tools import (
    change_document,
    changes_document,
    found_tool_document,
    tool_document,
    tools_document,
)
from toolmem.cli.options import JsonFlag, ToolArgument
from toolmem.cli.output import (
    emit,
    emit_json,
    emit_lines,
    emit_table,
    fields,
    print_notice,
)
from toolmem.cli.run import file_text, text_or_stdin
from toolmem.cli.tree import Exit, command, group, run_of
from toolmem.core.shown import counted, tool_label
from toolmem.errors import NotFoundError

app = group("Tools: names, aliases and what they may query.")


@command(app, "list")
def list_(ctx: Context, as_json: JsonFlag = False) -> None:
    """List tools that have a manifest or rules."""
    rows = run_of(ctx).vault_for().tool.list()
    if as_json:
        emit_json(tools_document(rows))
    else:
        lines = (
            (
                tool_label(row.name),
                counted(row.rules, "rule"),
                ", ".join(row.manifest.aliases) if row.manifest else "",
            )
            for row in rows
        )
        emit_table(lines, ("TOOL", "RULES", "ALIASES"))


@command(app, "show")
def show(ctx: Context, tool: ToolArgument, as_json: JsonFlag = False) -> None:
    """Show one tool."""
    found = run_of(ctx).vault_for().tool.show(tool)
    if as_json:
        emit_json(found_tool_document(found))
    elif found.row is not None:
        document = tool_document(found.row)
        open_types = _not_closed(document["memory_access"])
        emit(fields({**document, "memory_access": open_types}))
    if found.row is None:
        print_notice(f"no tool {tool!r}: `toolmem tool list` shows the names")
        raise Exit(NotFoundError.exit_code)


@command(app, "add")
def add(
    ctx: Context,
    tool: ToolArgument,
    alias: Annotated[
        list[str], Option("--alias", metavar="NAME", help="An alias of the tool.")
    ] = [],  # noqa: B006
    verb: Annotated[
        list[str],
        Option("--verb", metavar="WORD", help="A verb for its use, such as email."),
    ] = [],  # noqa: B006
    argument: Annotated[
        list[str],
        Option("--argument", metavar="NAME", help="Name of an argument, such as to."),
    ] = [],  # noqa: B006
    description: Annotated[
        str,
        Option("--description", metavar="TEXT", help="Description of the tool."),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Create or extend the manifest of a tool."""
    change = (
        run_of(ctx)
        .vault_for()
        .tool.add(
            tool, alias=alias, verb=verb, argument=argument, description=description
        )
    )
    if as_json:
        emit_json(change_document(change))
    else:
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
