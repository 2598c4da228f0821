"""How long what was said stays in local state, and how all of it is deleted."""

from datetime import datetime
from sqlite3 import Connection

from toolmem.core.access.dialogue import USER
from toolmem.core.access.working_memory import GOAL, TASK
from toolmem.core.times import rfc3339
from toolmem.store.journal import pending_turns
from toolmem.store.state import typed_messages
from toolmem.store.state.database import begin_write, has_state, open_state
from toolmem.store.state.rows import is_of_project
from toolmem.store.vault.vault import Vault


def forget_expired(state: Connection, now: datetime) -> None:
    """Delete messages and values whose time is over, in an open transaction."""
    for table in ("conversation", "working"):
        state.execute(f"DELETE FROM {table} WHERE expires_at <= ?", (rfc3339(now),))


def forget_dialogue(
    vault: Vault, *, agent: str | None = None, session: str | None = None
) -> int:
    """Delete what was said to an agent in a session, or in any; return how many.

    That is messages, expired ones too, tasks that repeat them, and the copies in the
    journals of sessions. What was said in other projects than the vault's stays.
    """
    gone = pending_turns.forget(
        vault,
        lambda project: is_of_project(project, vault),
        agent=agent,
        session=session,
    )
    typed_messages.forget(vault.root, agent=agent, session=session)
    if not has_state(vault.root):
        return gone
    asked = {"agent": agent, "session": session}
    with open_state(vault.root) as state:
        begin_write(state)
        gone += _forget_rows(state, vault, asked)
        state.commit()
        # What was deleted is in the write-ahead log until then.
        state.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return gone


def _forget_rows(state: Connection, vault: Vault, asked: dict[str, str | None]) -> int:
    given = {key: value for key, value in asked.items() if value is not None}
    where = "".join(f" AND {key} = ?" for key in given)
    rows = state.execute(
        f"SELECT number, project FROM conversation WHERE TRUE{where}",
        tuple(given.values()),
    ).fetchall()
    messages = [(number,) for number, project in rows if is_of_project(project, vault)]
    state.executemany("DELETE FROM conversation WHERE number = ?", messages)
    rows = state.execute(
        "SELECT number, project FROM working WHERE name = ?"
        " AND json_extract(document, '$.type') = ?"
        f" AND json_extract(document, '$.source') = ?{where}",
        (TASK, GOAL, USER, *given.values()),
    ).fetchall()
    tasks = [(number,) for number, project in rows if is_of_project(project, vault)]
    state.executemany("DELETE FROM working WHERE number = ?", tasks)
    return len(messages)
