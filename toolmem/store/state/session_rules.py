"""Decrees that hold for one session: kept in local state, told with its prompt."""

from collections.abc import Iterable
from datetime import datetime
from sqlite3 import Connection
from typing import NamedTuple

from toolmem.core.times import rfc3339


class SessionRule(NamedTuple):
    """A decree about the task at hand."""

    id: str
    tool: str
    priority: str
    rule: str


def keep_session_rules(
    state: Connection, session: str, rules: Iterable[SessionRule], now: datetime
) -> None:
    """Keep decrees of a session; those that are known stay as they are."""
    state.executemany(
        "INSERT OR IGNORE INTO session_rules VALUES (?, ?, ?, ?, ?, ?)",
        [(session, *rule, rfc3339(now)) for rule in rules],
    )


def session_rules(state: Connection, session: str) -> tuple[SessionRule, ...]:
    """The decrees of a session, by tool and text."""
    rows = state.execute(
        "SELECT id, tool, priority, rule FROM session_rules WHERE session = ?"
        " ORDER BY tool, rule",
        (session,),
    )
    return tuple(SessionRule(*row) for row in rows)
