"""``toolmem stats``: what happened to each tool."""

from typing import Annotated

import typer

from toolmem.api.documents import records_document
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit, emit_json, emit_lines, print_notice, table
from toolmem.cli.tree import run_of
from toolmem.core import limits
from toolmem.core.shown import counted
from toolmem.ops.reports.statistics import ToolRecord


def stats_command(
    ctx: typer.Context,
    tool: Annotated[
        str,
        typer.Argument(metavar="TOOL", help="Show only this tool, with its errors."),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Show calls, failures and durations of each tool."""
    records = run_of(ctx).vault_for().stats(tool)
    if as_json:
        emit_json(records_document(records))
    elif tool:
        emit_lines(line for record in records for line in _details(record))
    else:
        # Of a tool that was not called, only its rules have something to tell.
        emit(table(_row(record) for record in records if record.statistics.calls))
    if tool and not records:
        print_notice(f"no calls of {tool!r} were captured")
        raise typer.Exit(1)


def _row(record: ToolRecord) -> tuple[str, ...]:
    found = record.statistics
    return (
        found.tool,
        counted(found.calls, "call"),
        f"{found.failures} failed",
        "-" if found.mean_ms is None else f"{found.mean_ms} ms",
        ", ".join(name for name, _ in found.errors),
    )


def _details(record: ToolRecord) -> list[str]:
    found = record.statistics
    lines = [
        f"{found.tool}: {counted(found.calls, 'call')}, "
        f"{found.successes} ok, "
        f"{found.failures} failed"
        + ("" if found.mean_ms is None else f", {found.mean_ms} ms on average")
    ]
    lines += [
        f"  {name}: {line}" if line else f"  {name}" for name, line in found.errors
    ]
    for hit in record.rules:
        events = ", ".join(f"{kind} {count}" for kind, count in hit.events.items())
        lines.append(f"  rule {hit.id[: limits.ID_SHOWN]} ({events}): {hit.rule}")
    return lines
