"""``toolmem stats``: what happened to each tool."""

from collections.abc import Sequence

from toolmem.cli.operation import operation
from toolmem.cli.output import emit, emit_lines, emit_table
from toolmem.core import limits
from toolmem.core.duties.record import DUTY_EVENTS
from toolmem.core.shown import counted, tool_label
from toolmem.core.times import local_text
from toolmem.core.turns.errors import shown_error
from toolmem.ops.reports.statistics import RuleHits, ToolRecord


@operation("stats")
def stats(records: Sequence[ToolRecord], tool: str) -> None:
    """Show calls, failures and durations of each tool.

    Without a tool also the calls that rules denied, and how often duties were due,
    fulfilled without and after a reminder, and passed.
    """
    if tool:
        emit_lines(line for record in records for line in _details(record))
        return
    # Of a tool that was not called, only its rules have something to report.
    calls = [_row(record) for record in records if record.statistics.calls]
    denials = list(map(_denial, _denied(records)))
    emit_table(calls, ("TOOL", "CALLS", "FAILED", "MEAN", "LAST ERROR"))
    if denials:
        emit("\nDenied calls by rule:" if calls else "Denied calls by rule:")
    emit_table(denials, ("RULE", "TOOL", "DENIED", "ASKED", "LAST", "TEXT"))
    duties = [_duty(hit) for each in records for hit in each.rules if _has_duty(hit)]
    if duties:
        emit("\nDuties of rules:" if calls or denials else "Duties of rules:")
    emit_table(duties, ("RULE", "DUE", "UNPROMPTED", "REMINDED", "PASSED", "TEXT"))


def _row(record: ToolRecord) -> tuple[str, ...]:
    figures = record.statistics
    return (
        tool_label(figures.tool),
        counted(figures.calls, "call"),
        f"{figures.failures} failed",
        "-" if figures.mean_ms is None else f"{figures.mean_ms} ms",
        shown_error(*figures.errors[0]) if figures.errors else "",
    )


def _denied(records: Sequence[ToolRecord]) -> list[tuple[str, RuleHits]]:
    """The rules that denied calls or asked about them, the most frequent first."""
    denied = [
        (record.statistics.tool, hit)
        for record in records
        for hit in record.rules
        if hit.stopped
    ]
    return sorted(denied, key=lambda pair: (-pair[1].stopped, pair[1].id))


def _denial(denied: tuple[str, RuleHits]) -> tuple[str, ...]:
    tool, hit = denied
    return (
        hit.id[: limits.ID_SHOWN],
        tool_label(tool),
        f"{hit.events.get('denied', 0)} denied",
        f"{hit.events.get('asked', 0)} asked",
        local_text(hit.last),
        hit.rule,
    )


def _has_duty(hit: RuleHits) -> bool:
    return any(hit.events.get(kind) for kind in DUTY_EVENTS)


def _duty(hit: RuleHits) -> tuple[str, ...]:
    """How often a duty was due, and fulfilled without and after a word, or passed."""
    due, fulfilled, reminded, passed = (
        hit.events.get(event, 0) for event in DUTY_EVENTS
    )
    return (
        hit.id[: limits.ID_SHOWN],
        f"{due} due",
        f"{fulfilled} fulfilled",
        f"{reminded} after a reminder",
        f"{passed} passed",
        hit.rule,
    )


def _details(record: ToolRecord) -> list[str]:
    figures = record.statistics
    lines = [
        f"{figures.tool}: {counted(figures.calls, 'call')}, "
        f"{figures.successes} ok, "
        f"{figures.failures} failed"
        + ("" if figures.mean_ms is None else f", {figures.mean_ms} ms on average")
    ]
    lines += [
        f"  {name}: {code}" if code else f"  {name}" for name, code in figures.errors
    ]
    for hit in record.rules:
        events = ", ".join(f"{kind} {count}" for kind, count in hit.events.items())
        last = f", last {local_text(hit.last)}" if hit.stopped else ""
        lines.append(f"  rule {hit.id[: limits.ID_SHOWN]} ({events}{last}): {hit.rule}")
    return lines
