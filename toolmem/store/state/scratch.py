"""Scratch pages in local state: one per agent, safe with concurrent writers."""

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from sqlite3 import Connection
from uuid import uuid4

from toolmem.core import limits
from toolmem.core.access.item import AccessItem
from toolmem.core.access.scratch_page import (
    ACTIVE,
    ARCHIVED,
    CLOSED,
    PENDING,
    RESOLVED,
    NewEntry,
    ScratchEntry,
    as_of,
    item_of,
)
from toolmem.core.times import rfc3339
from toolmem.core.transcript.fields import clean
from toolmem.core.ulid import ulid
from toolmem.errors import NextStep, NotFoundError, ScratchFullError, UsageError
from toolmem.store.state import trace
from toolmem.store.state.database import has_state, open_state
from toolmem.store.state.rows import is_of_project, revived
from toolmem.store.state.trace import TraceLine
from toolmem.store.vault.vault import Vault

_PAGE = "SELECT document FROM scratch WHERE agent = ?"
_ALL = "SELECT document FROM scratch"
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
    order = " ORDER BY number DESC"
    with open_state(vault.root) as state:
        if agent is None:
            rows = state.execute(_ALL + order).fetchall()
        else:
            rows = state.execute(_PAGE + order, (agent,)).fetchall()
    return _of_project(_live(rows, vault.now), vault)


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


def items(
    vault: Vault,
    *,
    agent: str,
    now: datetime,
    project: str = "",
    statuses: Iterable[str] = (ACTIVE,),
) -> list[AccessItem]:
    """Return the active entries of an agent's page as query items, newest first.

    ``statuses`` selects others instead. With a ``project``, entries of other projects
    are left out, but not those of none. Raises ``StorageError``.
    """
    if not has_state(vault.root):
        return []
    wanted = frozenset(statuses)
    # Resolved entries become archived ones by time alone.
    stored = sorted(wanted | ({RESOLVED} if ARCHIVED in wanted else set()))
    marks = ", ".join("?" * len(stored))
    with open_state(vault.root) as state:
        rows = state.execute(
            f"{_PAGE} AND status IN ({marks}) ORDER BY number DESC", (agent, *stored)
        ).fetchall()
    return [
        item_of(entry)
        for entry in _live(rows, now)
        if entry.status in wanted and entry.project in ("", project or entry.project)
    ]


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
    state.execute(
        "DELETE FROM scratch WHERE number IN (SELECT number FROM scratch"
        " WHERE agent = ? AND project = ? AND status IN (?, ?)"
        " ORDER BY number DESC LIMIT -1 OFFSET ?)",
        (newest.agent, newest.project, *CLOSED, limits.SCRATCH_CLOSED),
    )


def _find(
    state: Connection, entry_id: str, agent: str | None, vault: Vault
) -> ScratchEntry | None:
    prefix = clean(entry_id.strip().upper())
    rows = state.execute(
        "SELECT document FROM scratch WHERE substr(id, 1, ?) = ? ORDER BY id",
        (len(prefix), prefix),
    ).fetchall()
    live = _of_project(_live(rows, vault.now), vault)
    candidates = [e for e in live if agent is None or e.agent == agent]
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
        where = "" if agent is None else " WHERE agent = ?"
        rows = state.execute(_ALL + where, () if agent is None else (agent,)).fetchall()
        live = _of_project(_live(rows, vault.now), vault)
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
    fields = entry._asdict() | {key: rfc3339(getattr(entry, key)) for key in _TIMES}
    document = json.dumps(fields, ensure_ascii=False, default=dict)
    return (entry.status, fields["updated_at"], fields["expires_at"], document)


def _live(rows: Iterable[Sequence[str]], now: datetime) -> tuple[ScratchEntry, ...]:
    aged = (as_of(_entry(row[0]), now) for row in rows)
    return tuple(entry for entry in aged if entry is not None)


def _of_project(
    entries: Iterable[ScratchEntry], vault: Vault
) -> tuple[ScratchEntry, ...]:
    return tuple(entry for entry in entries if is_of_project(entry.project, vault))


def _entry(document: str) -> ScratchEntry:
    return revived(ScratchEntry, document, _TIMES)
