"""Messages that the user typed: those of a session, and those that wait.

One journal per session, without credentials, serves the check of quotations; it is
deleted with the session's journals. The database has those that were captured while the
vault could not be written.
"""

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from toolmem.core import limits
from toolmem.core.times import rfc3339
from toolmem.store.journal import journal, journal_edit

if TYPE_CHECKING:  # a hook stores what was typed without the database
    from sqlite3 import Connection

TYPED = ".typed"
"""Suffix of the journal of the user's messages."""
_SECONDS = 24 * 3600
"""Maximum age of a message if no session is named."""


class TypedMessage(NamedTuple):
    """A message that the user typed; ``at`` is in seconds since 1970.

    ``cut``: only its beginning was stored.
    """

    session: str
    agent: str
    text: str
    at: float
    cut: bool = False


def store_typed(root: Path, message: TypedMessage) -> None:
    """Append a message to its session's journal. Raises ``StorageError``."""
    name = journal.name_of(message.session) + TYPED
    journal.append(root, name, message._asdict(), most=limits.TYPED_BYTES)


def typed_messages(root: Path, session: str = "") -> Iterator[TypedMessage]:
    """Yield the messages of a session, or those of the last day; newest first."""
    if session:
        names = [journal.name_of(session) + TYPED]
    else:
        names = [name for name in journal.names(root) if name.endswith(TYPED)]
    lines = [line for name in names for line in journal.read(root, name)]
    oldest = 0.0 if session else time.time() - _SECONDS
    messages = [message for line in lines if (message := _message(line))]
    messages.sort(key=lambda message: message.at, reverse=True)
    yield from (message for message in messages if message.at >= oldest)


def forget(root: Path, *, agent: str | None = None, session: str | None = None) -> None:
    """Delete the messages to an agent in a session, or in any."""

    def is_other(line: dict[str, object]) -> bool:
        return agent not in (None, line.get("agent")) or (
            session not in (None, line.get("session"))
        )

    for name in journal.names(root):
        if name.endswith(TYPED):
            journal_edit.edit(root, name, lambda line: line if is_other(line) else None)


def _message(line: dict[str, object]) -> TypedMessage | None:
    session, agent, text, at, cut = map(line.get, TypedMessage._fields)
    if not isinstance(text, str) or not isinstance(at, int | float):
        return None
    return TypedMessage(str(session), str(agent), text, float(at), bool(cut))


def spool(
    state: "Connection", documents: Iterable[Mapping[str, Any]], now: datetime
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


def spooled(state: "Connection") -> tuple[tuple[int, dict[str, Any]], ...]:
    """Return the waiting messages, oldest first, each with its number."""
    rows = state.execute("SELECT number, document FROM spool ORDER BY number")
    return tuple((row[0], json.loads(row[1])) for row in rows)


def unspool(state: "Connection", numbers: Iterable[int]) -> None:
    """Delete messages that have been captured."""
    state.executemany("DELETE FROM spool WHERE number = ?", [(n,) for n in numbers])
