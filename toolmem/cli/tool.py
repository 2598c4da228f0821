"""``toolmem tool``: what tools are called, and the words that mean them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from toolmem.cli.options import JsonFlag, ToolArgument
from toolmem.cli.output import emit, emit_json, fields, remark, table
from toolmem.cli.run import text_or_stdin
from toolmem.cli.tree import command, group, run_of
from toolmem.core.access.permit import ACCESS
from toolmem.core.manifest import Manifest
from toolmem.errors import StorageError
from toolmem.ops import tools

app = group("Tools: names, aliases and words, for rules and capture.")


@command(app, "list")
def list_(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """List the tools that have a manifest or rules."""
    rows = tools.list_tools(run_of(ctx).open())
    if as_json:
        emit_json([_document(row) for row in rows])
    else:
        emit(
            table(
                (
                    row.name,
                    f"{row.rules} rule{'' if row.rules == 1 else 's'}",
                    ", ".join(row.manifest.aliases) if row.manifest else "",
                )
                for row in rows
            )
        )


@command(app, "show")
def show(ctx: typer.Context, tool: ToolArgument, as_json: JsonFlag = False) -> None:
    """Show one tool."""
    row = tools.show_tool(run_of(ctx).open(), tool)
    if row is None:
        remark(f"no tool {tool!r}: `toolmem tool list` shows the names")
        raise typer.Exit(1)
    if as_json:
        emit_json(_document(row))
    else:
        document = _document(row)
        emit(fields({**document, "memory_access": list(document["memory_access"])}))


@command(app, "add")
def add(
    ctx: typer.Context,
    tool: ToolArgument,
    alias: Annotated[
        list[str], typer.Option("--alias", metavar="NAME", help="Another name.")
    ] = [],  # noqa: B006
    verb: Annotated[
        list[str],
        typer.Option("--verb", metavar="WORD", help="What one does with it: email."),
    ] = [],  # noqa: B006
    argument: Annotated[
        list[str],
        typer.Option("--argument", metavar="NAME", help="What it takes: to."),
    ] = [],  # noqa: B006
    description: Annotated[
        str, typer.Option("--description", metavar="TEXT", help="What it does.")
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Write a tool's manifest, or add words to the one it has."""
    wanted = tools.ToolWordsWanted(
        tool, tuple(alias), tuple(verb), tuple(argument), description
    )
    change = tools.add_tool(run_of(ctx).open(), wanted)
    if as_json:
        emit_json(change._asdict())
    else:
        emit(f"{change.action} {change.path}")


@command(app, "import")
def import_(
    ctx: typer.Context,
    listing: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="An MCP tools/list result, an OpenAI tools array or a manifest with "
            "memory_access (YAML or JSON); - reads standard input.",
        ),
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be written.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write manifests for the tools that a program lists."""
    text = text_or_stdin("-", "listing") if listing == "-" else _read(listing)
    changes = tools.import_tools(run_of(ctx).open(), text, dry_run=dry_run)
    if as_json:
        emit_json([change._asdict() for change in changes])
    else:
        emit(table((c.name, c.action, c.reason or c.path) for c in changes))


def _read(name: str) -> str:
    try:
        return Path(name).read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise StorageError(f"{name}: {error.strerror}") from error


def _document(row: tools.ToolRow) -> dict[str, Any]:
    manifest = row.manifest
    return {
        "name": row.name,
        "key": row.key,
        "aliases": list(manifest.aliases) if manifest else [],
        "verbs": list(manifest.verbs) if manifest else [],
        "arguments": list(manifest.arguments) if manifest else [],
        "description": manifest.description if manifest else "",
        "memory_access": _access(manifest),
        "path": manifest.path if manifest else None,
        "rules": row.rules,
    }


def _access(manifest: Manifest | None) -> Any:
    """What a manifest states of access, as it stands."""
    stated = manifest.stated.get(ACCESS, {}) if manifest else {}
    return stated if isinstance(stated, Mapping) else {}
