"""Steps of a session that duties depend on, in local state."""

import json
from collections.abc import Sequence
from datetime import datetime
from sqlite3 import Connection
from typing import Any

from toolmem.core.times import rfc3339


def stored_steps(state: Connection, session: str) -> list[list[Any]]:
    """Return the rows of a session's steps, oldest first."""
    row = state.execute("SELECT document FROM steps WHERE session = ?", (session,))
    found = row.fetchone()
    return list(json.loads(found[0])) if found else []


def sessions_with_steps(state: Connection) -> list[str]:
    """Return the sessions whose steps are stored, the newest first."""
    rows = state.execute("SELECT session FROM steps ORDER BY at DESC, session")
    return [row[0] for row in rows]


def store_steps(
    state: Connection, session: str, rows: Sequence[Sequence[Any]], now: datetime
) -> None:
    """Replace the rows of a session's steps."""
    document = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    state.execute(
        "INSERT OR REPLACE INTO steps VALUES (?, ?, ?)",
        (session, document, rfc3339(now)),
    )
