"""``toolmem trace``: queries and writes of tools, and verdicts on their calls."""

import time
from collections.abc import Sequence

from toolmem.cli.inputs import Invocation
from toolmem.cli.operation import operation
from toolmem.cli.output import emit, emit_table, table
from toolmem.cli.tree import Exit
from toolmem.core import limits
from toolmem.core.formats.json_text import json_text
from toolmem.core.times import local_time, parse_since
from toolmem.ops.access.trace import TraceFilter, follow_trace
from toolmem.store.state.trace import TraceLine

_PAUSE_SECONDS = 0.2
_HEADS = ("TIME", "EVENT", "STATUS", "MEMORY", "TOOL", "REQUEST/RULE", "DETAILS")


def _traced(call: Invocation) -> Sequence[TraceLine]:
    """Return the lines so far, or print new ones until the user interrupts."""
    if not call.more["follow"]:
        lines: Sequence[TraceLine] = call.perform()
        return lines
    vault, since = call.run.open(**call.names), call.values["since"]
    when = parse_since(since, vault.now) if since else None
    wanted = TraceFilter(call.values["request"], call.values["tool"], when)
    try:
        for line in follow_trace(vault, wanted, lambda: time.sleep(_PAUSE_SECONDS)):
            emit(_as_line(line, call.as_json))
    except KeyboardInterrupt:
        raise Exit(130) from None
    return ()


@operation("trace", perform=_traced, uses_state=True)
def trace(lines: Sequence[TraceLine], follow: bool = False) -> None:
    """Show what tools asked for and which calls were denied.

    Oldest first: queries, writes, errors, budget cuts, and the verdicts of the guard
    with their rules.
    """
    del follow
    emit_table(map(_columns, lines), _HEADS)


def _as_line(line: TraceLine, as_json: bool) -> str:
    if as_json:
        return json_text(line.document(), indent=None)
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
