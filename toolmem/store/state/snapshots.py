"""Prompt blocks that stay the same for a session, by its id and the flags."""

from datetime import datetime
from sqlite3 import Connection

from toolmem.core.times import rfc3339


def stored_snapshot(
    state: Connection, session: str, flags: str, document: str, now: datetime
) -> str:
    """Store a document unless there is one; return the stored one.

    ``now`` is stored as the time of its last use.
    """
    state.execute(
        "INSERT INTO frozen VALUES (?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET created_at = excluded.created_at",
        (session, flags, document, rfc3339(now)),
    )
    row = state.execute(
        "SELECT document FROM frozen WHERE session = ? AND flags = ?", (session, flags)
    ).fetchone()
    return str(row[0]) if row else ""


def drop_snapshot(state: Connection, session: str, flags: str) -> None:
    """Delete the document of a session, so that the next one is stored."""
    state.execute(
        "DELETE FROM frozen WHERE session = ? AND flags = ?", (session, flags)
    )
