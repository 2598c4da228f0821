"""Trace: a line for each query, denial, error, budget cut, write and verdict.

It records requests and the number of results, never contents of memories.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from sqlite3 import Connection
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.secrets.detect import redact
from toolmem.core.times import rfc3339_ms
from toolmem.core.transcript.fields import clean
from toolmem.store.state.database import has_state, open_state
from toolmem.store.state.rows import is_of_project, revived
from toolmem.store.vault.vault import Vault

EVENTS = ("query", "denied", "error", "cut", "write", "guard")
GUARD = "guard"
"""A verdict on a call: ``status`` is that verdict, ``reason`` the text of its rule."""
_INSERT = (
    "INSERT INTO trace (at, request_id, query_id, tool, agent, event, memory_type,"
    " status, reason, returned, total, tokens, took_ms, project, rule)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_NUMBERS = ("returned", "total", "tokens", "took_ms")
_TEXTS = (
    *("request_id", "query_id", "tool", "agent", "event", "memory_type"),
    *("status", "reason", "project", "rule"),
)
_FORGET = "DELETE FROM trace WHERE number <= (SELECT max(number) FROM trace) - ?"


class TraceLine(NamedTuple):
    """One event; ``event`` is one of ``EVENTS``, times are in ms.

    ``rule`` is the id of the rule that decided, if any.
    """

    at: datetime
    request_id: str = ""
    query_id: str = ""
    tool: str = ""
    agent: str = ""
    event: str = "query"
    memory_type: str = ""
    status: str = ""
    reason: str = ""
    returned: int = 0
    total: int = 0
    tokens: int = 0
    took_ms: int = 0
    project: str = ""
    rule: str = ""

    def document(self) -> dict[str, object]:
        """Return the line for JSON, its time in milliseconds."""
        return self._asdict() | {"at": rfc3339_ms(self.at)}

    @property
    def stored(self) -> "TraceLine":
        """Return the line for storage: without credentials, and each field cut."""
        texts: dict[str, Any] = {
            name: _storable(getattr(self, name)) for name in _TEXTS
        }
        return self._replace(**texts)


class NumberedLine(NamedTuple):
    """A line with its number in the trace; later lines have greater ones."""

    number: int
    line: TraceLine


def moment() -> datetime:
    """Return the current time, in whole milliseconds."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


def add(vault: Vault, *lines: TraceLine) -> None:
    """Add lines; the oldest above the limit are deleted. Raises ``StorageError``."""
    if lines:
        with open_state(vault.root) as state:
            add_to(state, lines)


def add_to(state: Connection, lines: Iterable[TraceLine]) -> None:
    """Add lines in an open transaction."""
    state.executemany(_INSERT, [_row(line) for line in lines])
    state.execute(_FORGET, (limits.TRACE_LINES,))


def read(
    vault: Vault,
    *,
    request: str = "",
    since: datetime | None = None,
    agent: str = "",
    after: int = 0,
) -> tuple[NumberedLine, ...]:
    """Return the lines of the vault's project, oldest first; empty filters match all.

    ``after`` is the number of the last known line. Raises ``StorageError``.
    """
    if not has_state(vault.root):
        return ()
    asked = {
        "number > ?": after,
        "request_id = ?": request,
        "agent = ?": agent,
        "at >= ?": rfc3339_ms(since) if since else "",
    }
    wanted = {clause: value for clause, value in asked.items() if value}
    where = f" WHERE {' AND '.join(wanted)}" if wanted else ""
    with open_state(vault.root) as state:
        rows = state.execute(
            "SELECT number, at, request_id, query_id, tool, agent, event, memory_type,"
            " status, reason, returned, total, tokens, took_ms, project, rule"
            f" FROM trace{where} ORDER BY number",
            tuple(wanted.values()),
        ).fetchall()
    lines = (NumberedLine(row[0], _line(row[1:])) for row in rows)
    return tuple(line for line in lines if is_of_project(line.line.project, vault))


def last_number(vault: Vault) -> int:
    """Return the number of the newest line, 0 without one."""
    if not has_state(vault.root):
        return 0
    with open_state(vault.root) as state:
        newest = state.execute("SELECT max(number) FROM trace").fetchone()[0]
    return int(newest or 0)


def _line(row: Sequence[Any]) -> TraceLine:
    fields = dict(zip(TraceLine._fields, row, strict=True))
    numbers = {key: fields.pop(key) for key in _NUMBERS}
    return revived(partial(TraceLine, **numbers), fields, ("at",))


def _row(line: TraceLine) -> tuple[str | int, ...]:
    stored = line.stored
    numbers = (int(getattr(stored, name)) for name in _NUMBERS)
    return (rfc3339_ms(stored.at), *stored[1:9], *numbers, *stored[13:])


def _storable(value: object) -> str:
    return redact(clean(str(value)))[: limits.TRACE_CHARS]
