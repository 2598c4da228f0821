"""``toolmem trace``: queries and writes of tools, and verdicts on their calls."""

import time
from typing import Annotated

from typer import Context, Option

from toolmem.api.session import line_document
from toolmem.cli.commands.entries import repaired_vault
from toolmem.cli.options import AgentOption, JsonFlag
from toolmem.cli.output import emit, emit_json, emit_table, table
from toolmem.cli.tree import Exit
from toolmem.core import limits
from toolmem.core.formats.json_text import json_text
from toolmem.core.times import local_time, parse_since
from toolmem.ops.access.trace import TraceFilter, follow_trace, show_trace
from toolmem.store.state.trace import TraceLine

_PAUSE_SECONDS = 0.2
_HEADS = ("TIME", "EVENT", "STATUS", "MEMORY", "TOOL", "REQUEST/RULE", "DETAILS")


def trace_command(
    ctx: Context,
    request: Annotated[
        str, Option("--request", metavar="ID", help="Only this request.")
    ] = "",
    tool: Annotated[str, Option("--tool", metavar="NAME", help="Only this tool.")] = "",
    since: Annotated[
        str,
        Option(
            "--since",
            metavar="WHEN",
            help="Since a date, a time or a span such as 10m.",
        ),
    ] = "",
    follow: Annotated[
        bool,
        Option("--follow", help="Print new lines as they are written, until Ctrl-C."),
    ] = False,
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Show what tools asked for and which calls were denied.

    Oldest first: queries, writes, errors, budget cuts, and the verdicts of the guard
    with their rules.
    """
    vault = repaired_vault(ctx, agent=agent)
    when = parse_since(since, vault.now) if since else None
    wanted = TraceFilter(request, tool, when)
    if follow:
        try:
            for line in follow_trace(vault, wanted, lambda: time.sleep(_PAUSE_SECONDS)):
                emit(_as_line(line, as_json))
        except KeyboardInterrupt:
            raise Exit(130) from None
    elif as_json:
        emit_json([line_document(line) for line in show_trace(vault, wanted)])
    else:
        emit_table(map(_columns, show_trace(vault, wanted)), _HEADS)


def _as_line(line: TraceLine, as_json: bool) -> str:
    if as_json:
        return json_text(line_document(line), indent=None)
    return table([_columns(line)])


def _columns(line: TraceLine) -> tuple[str, ...]:
    asked = "/".join(filter(None, (line.request_id, line.query_id)))
    asked = asked or line.rule[: limits.ID_SHOWN]
    rest = (
        f"{line.returned} of {line.total}" if line.total or line.returned else "",
        f"{line.tokens} tokens" if line.tokens else "",
        f"{line.took_ms} ms" if line.took_ms else "",
        line.reason,
    )
    return (
        local_time(line.at, ms=True),
        line.event,
        line.status or "-",
        line.memory_type or "-",
        line.tool or line.agent or "-",
        asked or "-",
        ", ".join(filter(None, rest)),
    )
