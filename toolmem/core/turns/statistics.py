"""Statistics of each tool: calls, durations and errors; never output."""

from collections.abc import Iterable
from typing import NamedTuple

from toolmem.core.transcript import events
from toolmem.core.turns.errors import error_class


class ToolStatistics(NamedTuple):
    """Calls of one tool.

    Calls that neither succeeded nor failed were refused, cancelled, blocked, are still
    running, or have no outcome. Durations include only the ``timed`` calls. ``errors``
    has each class of error once, with the exit code of its first occurrence.
    """

    tool: str
    calls: int
    successes: int
    failures: int
    timed: int
    total_ms: int
    errors: tuple[tuple[str, str], ...] = ()

    @property
    def mean_ms(self) -> int | None:
        """Mean duration in milliseconds; None if no call was timed."""
        return round(self.total_ms / self.timed) if self.timed else None


class _Tally:
    def __init__(self, tool: str) -> None:
        self.tool = tool
        self.statuses: list[events.CallStatus] = []
        self.durations: list[int] = []
        self.errors: dict[str, str] = {}


def statistics(turns: "Iterable[events.Turn]") -> tuple[ToolStatistics, ...]:
    """Return the statistics of each tool, by name, ignoring case."""
    tallies: dict[str, _Tally] = {}
    for turn in turns:
        for use in turn.uses:
            name = use.call.tool.strip()
            _count(use, tallies.setdefault(name.lower(), _Tally(name)))
    return tuple(_result(tallies[key]) for key in sorted(tallies))


def _count(use: "events.ToolUse", tally: _Tally) -> None:
    tally.statuses.append(use.status)
    if use.result is None:
        return
    if use.result.duration_ms is not None:
        tally.durations.append(use.result.duration_ms)
    if use.status is events.CallStatus.FAILED:
        name = error_class(use.result.output, use.result.exit_code)
        tally.errors.setdefault(name, _detail(use.result))


def _detail(result: "events.ToolResult") -> str:
    return "" if result.exit_code is None else f"exit code {result.exit_code}"


def _result(tally: _Tally) -> ToolStatistics:
    return ToolStatistics(
        tool=tally.tool,
        calls=len(tally.statuses),
        successes=tally.statuses.count(events.CallStatus.OK),
        failures=tally.statuses.count(events.CallStatus.FAILED),
        timed=len(tally.durations),
        total_ms=sum(tally.durations),
        errors=tuple(tally.errors.items()),
    )
