"""Repeated failures without a rule file, as they occurred in one session only."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from sqlite3 import Connection
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.times import rfc3339


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
