"""Counters in local state: calls of each tool, events of each rule, and failures.

Every count has a place (a turn, a message), so that reading the same transcript again
counts nothing twice.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from sqlite3 import Connection
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.names import fold
from toolmem.core.times import rfc3339
from toolmem.core.turns import statistics

_DAY = "day "
"""Prefix of the place of a daily count."""
_FORGET = "DELETE FROM calls WHERE session = ? AND turn = ?"
_PROJECT = (
    "coalesce((SELECT project FROM turns WHERE turns.session = calls.session"
    " AND turns.turn = calls.turn), '')"
)
_COUNT = """
    INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET calls = calls + excluded.calls,
    successes = successes + excluded.successes,
    failures = failures + excluded.failures, timed = timed + excluded.timed,
    total_ms = total_ms + excluded.total_ms, errors = excluded.errors, at = excluded.at
"""


class RuleEvents(NamedTuple):
    """Number of events of a kind for a rule, and the last time (RFC 3339)."""

    rule: str
    kind: str
    times: int
    last: str


class DailyEvents(NamedTuple):
    """Number of events on a day, by the tool called, if any."""

    rule: str
    kind: str
    day: str
    tool: str
    times: int


def count_calls(
    state: Connection,
    session: str,
    turn: int,
    tools: "Iterable[statistics.ToolStatistics]",
    now: datetime,
    *,
    add: bool = False,
) -> None:
    """Store the calls of one turn, replacing earlier counts, or ``add`` to them."""
    if not add:
        state.execute(_FORGET, (session, turn))
    state.executemany(
        _COUNT,
        [
            (
                fold(tool.tool),
                session,
                turn,
                tool.tool,
                tool.calls,
                tool.successes,
                tool.failures,
                tool.timed,
                tool.total_ms,
                json.dumps(tool.errors, ensure_ascii=False) if tool.errors else "",
                rfc3339(now),
            )
            for tool in tools
        ],
    )


def tool_statistics(
    state: Connection, tool: str | None = None
) -> "tuple[statistics.ToolStatistics, ...]":
    """Return the sums of each tool, by name, with its last distinct errors, newest
    first."""
    where, values = ("WHERE tool = ?", (fold(tool),)) if tool else ("", ())
    rows = state.execute(
        "SELECT tool, min(name), sum(calls), sum(successes), sum(failures), sum(timed),"
        f" sum(total_ms) FROM calls {where} GROUP BY tool ORDER BY tool",
        values,
    ).fetchall()
    return tuple(
        statistics.ToolStatistics(
            tool=row[1],
            calls=row[2],
            successes=row[3],
            failures=row[4],
            timed=row[5],
            total_ms=row[6],
            errors=_last_errors(state, row[0]),
        )
        for row in rows
    )


def _last_errors(state: Connection, tool: str) -> tuple[tuple[str, str], ...]:
    details: dict[str, str] = {}
    rows = state.execute(
        "SELECT errors FROM calls WHERE tool = ? AND errors != ''"
        " ORDER BY at DESC, session, turn DESC",
        (tool,),
    )
    for (errors,) in rows:
        for name, detail in reversed(json.loads(errors)):
            details.setdefault(name, detail)
        if len(details) >= limits.ERROR_CLASSES:
            break
    return tuple(details.items())[: limits.ERROR_CLASSES]


class ErrorCause(NamedTuple):
    """An error of a tool: its class, in how many turns it was, and the last time.

    ``message`` is the last exit code, or empty: what a call printed is not stored.
    """

    tool: str
    name: str
    message: str
    turns: int
    last: str


def error_causes(state: Connection) -> tuple[ErrorCause, ...]:
    """The errors of all tools by class, those of the most turns first."""
    causes: dict[tuple[str, str], ErrorCause] = {}
    rows = state.execute(
        "SELECT name, errors, at FROM calls WHERE errors != '' ORDER BY at"
    )
    for tool, errors, at in rows:
        for name, detail in json.loads(errors):
            key = (fold(tool), name)
            turns = causes[key].turns + 1 if key in causes else 1
            causes[key] = ErrorCause(tool, name, detail, turns, at)
    return tuple(
        sorted(
            causes.values(), key=lambda cause: (-cause.turns, cause.tool, cause.name)
        )
    )


def failed_calls(state: Connection) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield tool, session, class, exit code and project of the errors of each turn."""
    query = f"SELECT name, session, errors, {_PROJECT} FROM calls WHERE errors != ''"
    for tool, session, errors, project in state.execute(query):
        for name, detail in json.loads(errors):
            yield tool, session, name, detail, project


def repeated_errors(
    state: Connection, tool: str, project: str, now: datetime
) -> list[tuple[str, str]]:
    """Return class and exit code of the errors that a tool had in several sessions of
    a project since it last succeeded there.
    """
    query = f"FROM calls WHERE tool = ? AND at >= ? AND {_PROJECT} = ? AND"
    values = (fold(tool), _oldest(now), project)
    failed = f"SELECT at, session, errors {query} errors != '' ORDER BY at"
    rows = state.execute(failed, values).fetchall()
    if not rows:
        return []
    values = (fold(tool), rows[0][0], project)
    succeeded = state.execute(f"SELECT max(at) {query} successes", values)
    passed = succeeded.fetchone()[0] or ""
    sessions: dict[tuple[str, str], set[str]] = {}
    for at, session, errors in rows:
        for name, detail in json.loads(errors) if at > passed else ():
            sessions.setdefault((name, detail), set()).add(session)
    least = limits.FAILURE_SESSIONS
    return [error for error, where in sessions.items() if len(where) >= least]


def note_event(
    state: Connection, rule: str, kind: str, place: str, now: datetime, count: int = 1
) -> None:
    """Store an event of a rule at a place; a second one replaces its count."""
    state.execute(
        "INSERT OR REPLACE INTO rule_events VALUES (?, ?, ?, ?, ?)",
        (rule, kind, place, count, rfc3339(now)),
    )


def tools_called(
    state: Connection, session: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tools of a session's last turn with calls, and of all turns."""
    rows = state.execute(
        "SELECT name, turn FROM calls WHERE session = ? ORDER BY turn, tool",
        (session,),
    ).fetchall()
    last = tuple(name for name, turn in rows if turn == rows[-1][1])
    return last, tuple(dict.fromkeys(name for name, _ in rows))


def count_event(
    state: Connection, rule: str, kind: str, at: str, *, tool: str = "", count: int = 1
) -> None:
    """Add to a rule's events of a day, by tool.

    ``at`` is the time (RFC 3339).
    """
    place = f"{_DAY}{at[:10]} {fold(tool)}"
    state.execute(
        "INSERT INTO rule_events VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
        " SET count = count + excluded.count, at = max(at, excluded.at)",
        (rule, kind, place, count, at),
    )


def daily_events(state: Connection) -> tuple[DailyEvents, ...]:
    """Return events of rules, by day, rule, kind and tool."""
    rows = state.execute("SELECT rule, kind, place, at, count FROM rule_events")
    counter: Counter[tuple[str, str, str, str]] = Counter()
    for rule, kind, place, at, count in rows:
        tool = place[len(_DAY) + 11 :] if place.startswith(_DAY) else ""
        counter[at[:10], rule, kind, tool] += count
    return tuple(
        DailyEvents(rule, kind, day, tool, times)
        for (day, rule, kind, tool), times in sorted(counter.items())
    )


def event_counts(state: Connection, rule: str, kind: str) -> dict[str, int]:
    """Return the number of a rule's events of a kind, by place."""
    rows = state.execute(
        "SELECT place, count FROM rule_events WHERE rule = ? AND kind = ?",
        (rule, kind),
    )
    return dict(rows.fetchall())


def is_said(state: Connection, key: str) -> bool:
    """Return True if a rule was captured from a message."""
    query = "SELECT 1 FROM rule_events WHERE kind = 'said' AND place = ? LIMIT 1"
    return state.execute(query, (key,)).fetchone() is not None


def rule_events(state: Connection, rule: str | None = None) -> tuple[RuleEvents, ...]:
    """Return the sums of each kind, for one rule or all, by rule and kind."""
    where, values = ("WHERE rule = ?", (rule,)) if rule else ("", ())
    rows = state.execute(
        f"SELECT rule, kind, sum(count), max(at) FROM rule_events {where}"
        " GROUP BY rule, kind ORDER BY rule, kind",
        values,
    )
    return tuple(RuleEvents(*row) for row in rows)


class ObservedFailure(NamedTuple):
    """A repeated failure; ``id`` is that of the rule it may become.

    ``worked`` is the command that succeeded afterwards, or empty.
    """

    id: str
    scope: str
    tool: str
    text: str
    worked: str
    sessions: int


_COLUMNS = ", ".join(ObservedFailure._fields)


def store_failure(state: Connection, failure: ObservedFailure, now: datetime) -> None:
    """Store a repeated failure, replacing its previous state."""
    state.execute("DELETE FROM failures WHERE at < ?", (_oldest(now),))
    query = f"INSERT OR REPLACE INTO failures ({_COLUMNS}, at) VALUES (?,?,?,?,?,?,?)"
    state.execute(query, (*failure, rfc3339(now)))


def worked_after(state: Connection, failure_id: str) -> str:
    """Return the command that worked after this failure; empty if none is known."""
    query = "SELECT worked FROM failures WHERE id = ?"
    row = state.execute(query, (failure_id,)).fetchone()
    return str(row[0]) if row else ""


def failures_of_one_session(
    state: Connection, scopes: Iterable[str], now: datetime
) -> tuple[ObservedFailure, ...]:
    """Return the failures of these scopes that no rule file states yet, by id."""
    wanted = set(scopes)
    query = (
        f"SELECT {_COLUMNS} FROM failures WHERE at >= ? AND sessions < ? ORDER BY id"
    )
    rows = state.execute(query, (_oldest(now), limits.FAILURE_SESSIONS))
    failures = (ObservedFailure(*row) for row in rows)
    return tuple(failure for failure in failures if failure.scope in wanted)


def _oldest(now: datetime) -> str:
    return rfc3339(now - timedelta(days=limits.FAILURE_DAYS))
