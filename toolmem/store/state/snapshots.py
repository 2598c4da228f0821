"""Prompt blocks that stay the same for a session, by its id and the flags."""

from datetime import datetime, timedelta
from sqlite3 import Connection

from toolmem.core import limits
from toolmem.core.times import rfc3339


def stored_snapshot(
    state: Connection, session: str, flags: str, document: str, now: datetime
) -> str:
    """Store a document unless there is one; return the stored one.

    Storing one deletes old ones.
    """
    stored = state.execute(
        "INSERT OR IGNORE INTO frozen VALUES (?, ?, ?, ?)",
        (session, flags, document, rfc3339(now)),
    )
    if stored.rowcount:
        oldest = rfc3339(now - timedelta(days=limits.TURN_DAYS))
        state.execute("DELETE FROM frozen WHERE created_at < ?", (oldest,))
    row = state.execute(
        "SELECT document FROM frozen WHERE session = ? AND flags = ?", (session, flags)
    ).fetchone()
    return str(row[0]) if row else ""


def drop_snapshot(state: Connection, session: str, flags: str) -> None:
    """Delete the document of a session, so that the next one is stored."""
    state.execute(
        "DELETE FROM frozen WHERE session = ? AND flags = ?", (session, flags)
    )
