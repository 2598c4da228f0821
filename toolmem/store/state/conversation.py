"""Conversation memory in local state: the last messages of each agent's sessions."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from sqlite3 import Connection
from typing import Any

from toolmem.core import limits
from toolmem.core.access.dialogue import Message
from toolmem.core.times import rfc3339
from toolmem.store.journal import pending_turns
from toolmem.store.state.agent_table import AgentTable
from toolmem.store.state.database import has_state, open_state
from toolmem.store.state.retention import forget_expired
from toolmem.store.state.rows import is_of_project, revived
from toolmem.store.vault.vault import Vault

_COLUMNS = "id, role, content, at, expires_at, agent, session, turn, document"
_NAMES = tuple(_COLUMNS.split(", "))
_TIMES = ("at", "expires_at")
_INSERT = (
    f"INSERT INTO conversation ({_COLUMNS}, project)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_AGAIN = (
    " ON CONFLICT (session, turn, role) DO UPDATE SET content = excluded.content,"
    " agent = excluded.agent, document = excluded.document,"
    " project = excluded.project,"
    " expires_at = excluded.expires_at"
)
_SELECT_CONTENT = (
    "SELECT content FROM conversation WHERE session = ? AND turn = ? AND role = ?"
)


def add(vault: Vault, message: Message) -> None:
    """Store a message, deleting old ones. Raises ``StorageError``."""
    with open_state(vault.root) as state:
        state.execute("BEGIN IMMEDIATE")
        add_in(state, (message,), vault.now)


def add_in(
    state: Connection, messages: Iterable[Message], now: datetime, *, more: bool = False
) -> None:
    """Store messages in an open transaction.

    A message replaces that of the same turn, or with ``more`` continues it.
    """
    added = tuple(messages)
    for message in added:
        state.execute(_INSERT + _AGAIN, _row(_going_on(state, message, more)))
    forget_expired(state, now)
    for owner in dict.fromkeys((message.agent, message.project) for message in added):
        _TABLE.keep_newest(state, owner, limits.CONVERSATION_MESSAGES)


def messages(
    vault: Vault,
    *,
    agent: str | None = None,
    session: str | None = None,
    last: int | None = None,
) -> tuple[Message, ...]:
    """Return the ``last`` messages (or all) of an agent and a session, or of any.

    Messages of other projects than the vault's are left out; those of turns in progress
    are included. Raises ``StorageError``.
    """
    stored: tuple[Message, ...] = ()
    # Read first: a message moved meanwhile is there twice rather than missing.
    typed = pending_turns.messages(vault, agent=agent, session=session)
    if has_state(vault.root):
        with open_state(vault.root) as state:
            stored = _read(state, vault, agent, session)
    known = {(each.session, each.at, each.content) for each in stored}
    typed = tuple(m for m in typed if is_of_project(m.project, vault))
    new = (m for m in typed if (m.session, m.at, m.content) not in known)
    stored = (*stored, *new)
    return stored if last is None else stored[-last:]


def _going_on(state: Connection, message: Message, more: bool) -> Message:
    if not more or message.turn is None:
        return message
    place = (message.session, message.turn, message.role)
    row = state.execute(_SELECT_CONTENT, place).fetchone()
    if row is None:
        return message
    if row[0].endswith(message.content):
        return message._replace(content=row[0])  # a turn may end several times
    return message._replace(content=f"{row[0]}\n\n{message.content}")


def _read(
    state: Connection, vault: Vault, agent: str | None, session: str | None
) -> tuple[Message, ...]:
    asked = {"agent": agent, "session": session}
    return _TABLE.select(state, vault, asked, "expires_at > ?", (rfc3339(vault.now),))


def _row(message: Message) -> tuple[str | int | None, ...]:
    rest = {
        "source": message.source,
        "confidence": message.confidence,
        "tags": message.tags,
        "metadata": message.metadata,
        "project": message.project,
    }
    return (
        message.id,
        message.role,
        message.content,
        rfc3339(message.at),
        rfc3339(message.expires_at),
        message.agent,
        message.session,
        message.turn,
        json.dumps(rest, ensure_ascii=False, default=dict),
        message.project,
    )


def _message(row: Sequence[Any]) -> Message:
    fields = dict(zip(_NAMES, row, strict=True))
    rest = _rest(fields.pop("document"))
    return revived(Message, fields | rest, _TIMES)


@lru_cache(maxsize=256)
def _rest(document: Any) -> dict[str, Any]:
    """Return the fields that most messages share; read only."""
    return revived(dict, document, ())


_TABLE = AgentTable(
    "conversation", _COLUMNS, _message, "at, number", "at DESC, number DESC"
)
