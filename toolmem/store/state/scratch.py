"""Scratch pages in local state: one per agent, safe with concurrent writers."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from sqlite3 import Connection
from uuid import uuid4

from toolmem.core import limits
from toolmem.core.access.scratch_page import (
    ACTIVE,
    ARCHIVED,
    CLOSED,
    PENDING,
    RESOLVED,
    NewEntry,
    ScratchEntry,
    as_of,
)
from toolmem.core.times import rfc3339
from toolmem.core.transcript.fields import clean
from toolmem.core.ulid import ulid
from toolmem.errors import NextStep, NotFoundError, ScratchFullError, UsageError
from toolmem.store.state import trace
from toolmem.store.state.agent_table import AgentTable, document_of
from toolmem.store.state.database import has_state, open_state
from toolmem.store.state.rows import revived
from toolmem.store.state.trace import TraceLine
from toolmem.store.vault.vault import Vault

_TIMES = ("created_at", "updated_at", "expires_at")


def add(
    vault: Vault, new: NewEntry, *, agent: str, project: str = "", entry_id: str = ""
) -> ScratchEntry:
    """Add an entry to an agent's page and return it as stored.

    ``entry_id`` is its ULID, by default a new one. Raises ``ScratchFullError`` at the
    limit of active entries, and ``StorageError``.
    """
    now = vault.now
    entry = ScratchEntry(
        id=entry_id or ulid(now, uuid4().hex),
        **new._asdict(),
        created_at=now,
        updated_at=now,
        agent=agent,
        project=project,
    )
    with open_state(vault.root) as state:
        state.execute("BEGIN IMMEDIATE")
        _tidy(state, now)
        _require_free_entry(state, entry)
        state.execute(
            "INSERT INTO scratch"
            " (id, agent, project, status, updated_at, expires_at, document)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (entry.id, agent, project, *_row(entry)),
        )
        _forget_old(state, entry)
    return entry


def entries(vault: Vault, *, agent: str | None = None) -> tuple[ScratchEntry, ...]:
    """Return the entries of an agent's page, or of all, newest first, without expired
    ones.

    Raises ``StorageError``.
    """
    if not has_state(vault.root):
        return ()
    with open_state(vault.root) as state:
        return _live(_TABLE.select(state, vault, {"agent": agent}), vault.now)


def find(
    vault: Vault, entry_id: str, *, agent: str | None = None
) -> ScratchEntry | None:
    """Return the entry with this id or unique prefix of an id; None without one.

    Raises ``UsageError`` for an ambiguous prefix.
    """
    if not has_state(vault.root):
        return None
    with open_state(vault.root) as state:
        return _find(state, entry_id, agent, vault)


def change(
    vault: Vault,
    entry_id: str,
    edit: Callable[[ScratchEntry], ScratchEntry],
    *,
    agent: str | None = None,
) -> ScratchEntry:
    """Replace an entry with the result of ``edit``; the last writer wins.

    Raises ``NotFoundError`` without such an entry.
    """
    if not has_state(vault.root):
        raise _missing(entry_id)
    with open_state(vault.root) as state:
        state.execute("BEGIN IMMEDIATE")
        _tidy(state, vault.now)
        before = _find(state, entry_id, agent, vault)
        if before is None:
            raise _missing(entry_id)
        after = edit(before)
        state.execute(
            "UPDATE scratch SET status = ?, updated_at = ?, expires_at = ?,"
            " document = ? WHERE id = ?",
            (*_row(after), before.id),
        )
        _forget_old(state, before)
    return after


def clear(
    vault: Vault, entry_ids: Sequence[str] = (), *, agent: str | None = None
) -> tuple[ScratchEntry, ...]:
    """Remove entries that are resolved or archived; without ids, all of them.

    All or none: raises ``NotFoundError`` and, for an open one, ``UsageError``.
    """
    if not has_state(vault.root):
        if entry_ids:
            raise _missing(entry_ids[0])
        return ()
    with open_state(vault.root) as state:
        state.execute("BEGIN IMMEDIATE")
        _tidy(state, vault.now)
        gone = _to_clear(state, entry_ids, agent, vault)
        state.executemany(
            "DELETE FROM scratch WHERE id = ?", [(entry.id,) for entry in gone]
        )
    return gone


def page(vault: Vault, agent: str, status: str = ACTIVE) -> list[ScratchEntry]:
    """Return the entries of an agent's page that have a status, newest first.

    Raises ``StorageError``.
    """
    if not has_state(vault.root):
        return []
    # Resolved entries become archived ones by time alone.
    stored = (RESOLVED, ARCHIVED) if status == ARCHIVED else (status,)
    more = f"status IN ({', '.join('?' * len(stored))})"
    with open_state(vault.root) as state:
        listed = _TABLE.select(state, vault, {"agent": agent}, more, stored)
    return [entry for entry in _live(listed, vault.now) if entry.status == status]


def _require_free_entry(state: Connection, entry: ScratchEntry) -> None:
    most = {ACTIVE: limits.SCRATCH_ACTIVE, PENDING: limits.SCRATCH_CLOSED}
    if entry.status not in most:
        return
    count = state.execute(
        "SELECT count(*) FROM scratch WHERE agent = ? AND project = ? AND status = ?",
        (entry.agent, entry.project, entry.status),
    ).fetchone()[0]
    if count >= most[entry.status]:
        raise ScratchFullError(
            f"the scratch page has {count} {entry.status} entries, the maximum: "
            "resolve or archive some (",
            NextStep("scratch.list"),
            ")",
        )


def _tidy(state: Connection, now: datetime) -> None:
    """Delete expired entries, and add their number to the trace."""
    at = rfc3339(now)
    archived = rfc3339(now - timedelta(days=limits.SCRATCH_ARCHIVE_DAYS))
    expired = state.execute(
        "DELETE FROM scratch WHERE status IN (?, ?) AND expires_at <= ?"
        " RETURNING id, agent, project",
        (ACTIVE, PENDING, at),
    ).fetchall()
    state.execute(
        "DELETE FROM scratch WHERE status IN (?, ?) AND updated_at <= ?",
        (*CLOSED, archived),
    )
    moment = trace.moment()
    trace.add_to(
        state,
        [
            TraceLine(
                moment,
                agent=agent,
                event="write",
                memory_type="scratch_page",
                status="expired",
                reason=entry_id,
                project=project,
            )
            for entry_id, agent, project in expired
        ],
    )


def _forget_old(state: Connection, newest: ScratchEntry) -> None:
    """Delete the oldest closed entries of the agent and project of ``newest``."""
    owner = (newest.agent, newest.project)
    _TABLE.keep_newest(state, owner, limits.SCRATCH_CLOSED, "status IN (?, ?)", CLOSED)


def _find(
    state: Connection, entry_id: str, agent: str | None, vault: Vault
) -> ScratchEntry | None:
    prefix = clean(entry_id.strip().upper())
    starts = ("substr(id, 1, length(?)) = ?", (prefix, prefix))
    listed = _TABLE.select(state, vault, {"agent": agent}, *starts)
    candidates = sorted(_live(listed, vault.now), key=lambda entry: entry.id)
    exact = [entry for entry in candidates if entry.id == prefix]
    if not prefix or not candidates:
        return None
    if len(candidates) > 1 and not exact:
        raise UsageError(
            f"{entry_id!r} is a prefix of several ids: "
            + ", ".join(entry.id for entry in candidates[:5])
        )
    return (exact or candidates)[0]


def _to_clear(
    state: Connection, entry_ids: Sequence[str], agent: str | None, vault: Vault
) -> tuple[ScratchEntry, ...]:
    if not entry_ids:
        live = _live(_TABLE.select(state, vault, {"agent": agent}), vault.now)
        return tuple(entry for entry in live if entry.status in CLOSED)
    chosen: dict[str, ScratchEntry] = {}
    for entry_id in entry_ids:
        entry = _find(state, entry_id, agent, vault)
        if entry is None:
            raise _missing(entry_id)
        if entry.status not in CLOSED:
            raise UsageError(
                f"{entry.id} is {entry.status}: only resolved or archived entries can "
                "be cleared; nothing was removed"
            )
        chosen[entry.id] = entry
    return tuple(chosen.values())


def _missing(entry_id: str) -> NotFoundError:
    return NotFoundError(f"no entry on the scratch page has the id {entry_id!r}")


def _row(entry: ScratchEntry) -> tuple[str, str, str, str]:
    stored = document_of(entry._asdict(), _TIMES)
    return (
        entry.status,
        stored["updated_at"],
        stored["expires_at"],
        stored["document"],
    )


def _live(entries: Iterable[ScratchEntry], now: datetime) -> tuple[ScratchEntry, ...]:
    aged = (as_of(entry, now) for entry in entries)
    return tuple(entry for entry in aged if entry is not None)


def _entry(row: Sequence[str]) -> ScratchEntry:
    return revived(ScratchEntry, row[0], _TIMES)


_TABLE = AgentTable("scratch", "document", _entry)
