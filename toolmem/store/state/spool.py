"""Messages captured while the vault could not be written, stored for later."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from sqlite3 import Connection
from typing import Any

from toolmem.core import limits
from toolmem.core.times import rfc3339


def spool(
    state: Connection, documents: Iterable[Mapping[str, Any]], now: datetime
) -> None:
    """Store messages for the next capture; the oldest above the limit are deleted."""
    state.executemany(
        "INSERT INTO spool (document, at) VALUES (?, ?)",
        [(json.dumps(each, ensure_ascii=False), rfc3339(now)) for each in documents],
    )
    state.execute(
        "DELETE FROM spool WHERE number <= (SELECT max(number) FROM spool) - ?",
        (limits.SPOOL_MESSAGES,),
    )


def spooled(state: Connection) -> tuple[tuple[int, dict[str, Any]], ...]:
    """Return the waiting messages, oldest first, each with its number."""
    rows = state.execute("SELECT number, document FROM spool ORDER BY number")
    return tuple((row[0], json.loads(row[1])) for row in rows)


def unspool(state: Connection, numbers: Iterable[int]) -> None:
    """Delete messages that have been captured."""
    state.executemany("DELETE FROM spool WHERE number = ?", [(n,) for n in numbers])
