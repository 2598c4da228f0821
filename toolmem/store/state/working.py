"""Working memory in local state: values of agents, by session and name."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from sqlite3 import Connection

from toolmem.core import limits
from toolmem.core.access.working_memory import TASK, WorkingValue, task_of
from toolmem.core.times import rfc3339
from toolmem.store.journal import pending_turns
from toolmem.store.state.agent_table import AgentTable, document_of
from toolmem.store.state.database import has_state, open_state
from toolmem.store.state.retention import forget_expired
from toolmem.store.state.rows import is_of_project, revived
from toolmem.store.vault.vault import Vault

_TIMES = ("at", "expires_at")


def put(vault: Vault, value: WorkingValue) -> tuple[WorkingValue, ...]:
    """Store a value, replacing the one of its name, agent, project and session.

    Returns the values deleted because of the limit. Raises ``StorageError``.
    """
    with open_state(vault.root) as state:
        state.execute("BEGIN IMMEDIATE")
        return put_in(state, (value,), vault.now)


def put_in(
    state: Connection, values: Iterable[WorkingValue], now: datetime
) -> tuple[WorkingValue, ...]:
    """Store values in an open transaction; see ``put``."""
    stored = tuple(values)
    forget_expired(state, now)
    # A value that is set again is the newest one.
    state.executemany(
        "INSERT OR REPLACE INTO working"
        " (agent, project, session, name, at, expires_at, document)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [_row(value) for value in stored],
    )
    gone: list[WorkingValue] = []
    for owner in dict.fromkeys((value.agent, value.project) for value in stored):
        gone += _TABLE.keep_newest(state, owner, limits.WORKING_VALUES)
    return tuple(gone)


def values(
    vault: Vault, *, agent: str | None = None, session: str | None = None
) -> tuple[WorkingValue, ...]:
    """Return the values of an agent (or any) in the vault's project, newest first.

    Raises ``StorageError``.
    """
    stored: tuple[WorkingValue, ...] = ()
    asked = pending_turns.messages(vault, agent=agent, session=session)
    if has_state(vault.root):
        with open_state(vault.root) as state:
            stored = _read(state, vault, agent, session)
    asked = tuple(m for m in asked if is_of_project(m.project, vault))
    now = {(each.agent, each.session): task_of(each) for each in asked}
    rest = (v for v in stored if v.name != TASK or (v.agent, v.session) not in now)
    return (*reversed(now.values()), *rest)


def clear(
    vault: Vault,
    names: Sequence[str] = (),
    *,
    agent: str | None = None,
    session: str | None = None,
) -> int:
    """Delete the values of these names, all without names; return how many."""
    if not has_state(vault.root):
        return 0
    wanted = frozenset(names)
    with open_state(vault.root) as state:
        state.execute("BEGIN IMMEDIATE")
        stored = _read(state, vault, agent, session)
        gone = [value for value in stored if not wanted or value.name in wanted]
        state.executemany(
            "DELETE FROM working"
            " WHERE agent = ? AND project = ? AND session = ? AND name = ?",
            [_place(value) for value in gone],
        )
    return len(gone)


def forget_session(state: Connection, session: str) -> None:
    """Delete the values that end with a session."""
    state.execute("DELETE FROM working WHERE session = ?", (session,))


def _read(
    state: Connection, vault: Vault, agent: str | None, session: str | None
) -> tuple[WorkingValue, ...]:
    asked = {"agent": agent, "session": session}
    return _TABLE.select(state, vault, asked, "expires_at > ?", (rfc3339(vault.now),))


def _place(value: WorkingValue) -> tuple[str, ...]:
    """Return the columns that identify a value."""
    return (value.agent, value.project, value.session, value.name)


def _row(value: WorkingValue) -> tuple[str, ...]:
    stored = document_of(value._asdict(), _TIMES)
    return (*_place(value), stored["at"], stored["expires_at"], stored["document"])


# Servers read the same values again for every query of a tool.
@lru_cache(maxsize=2 * limits.WORKING_VALUES)
def _value(document: str) -> WorkingValue:
    return revived(WorkingValue, document, _TIMES)


_TABLE = AgentTable("working", "document", lambda row: _value(row[0]))
