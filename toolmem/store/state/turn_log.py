"""Turns of sessions in local state, with their memory; steps and prompt blocks."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from sqlite3 import Connection
from typing import Any, NamedTuple

from toolmem.core.times import rfc3339
from toolmem.core.turns.places import StoredTurn, TurnMark

_PROCESSED_FILES = 100
_OF_PROJECT = "(? = '' OR project IN ('', ?))"
_FORGET = (
    "DELETE FROM turns WHERE session IN"
    " (SELECT session FROM turns GROUP BY session HAVING max(at) < ?)",
    "DELETE FROM transcripts WHERE at < ?",
    "DELETE FROM frozen WHERE created_at < ?",
    "DELETE FROM steps WHERE at < ?",
)


class LoggedTurn(NamedTuple):
    """A stored turn; ``captured``: its message was searched for decrees.

    ``document`` is the turn's memory as plain values, empty if it has none.
    """

    number: int
    mark: TurnMark
    captured: bool
    document: Mapping[str, Any]


def logged_marks(state: Connection, session: str) -> dict[int, tuple[TurnMark, bool]]:
    """Return the mark of each turn of a session and its ``captured``, by index."""
    rows = state.execute(
        "SELECT turn, mark, calls, digest, heard FROM turns WHERE session = ?"
        " ORDER BY turn",
        (session,),
    )
    return {row[0]: (_mark(*row[1:4]), bool(row[4])) for row in rows}


def turns_of_others(
    state: Connection, session: str, checksums: Iterable[str]
) -> tuple[StoredTurn, ...]:
    """Return the turns of other sessions whose messages have one of the checksums."""
    rows = state.execute(
        "SELECT session, turn, mark, calls, digest, heard FROM turns WHERE session != ?"
        " AND substr(mark, 1, 8) IN (SELECT value FROM json_each(?))"
        " ORDER BY session, turn",
        (session, json.dumps([*checksums])),
    )
    return tuple(
        StoredTurn(row[0], row[1], _mark(*row[2:5]), bool(row[5])) for row in rows
    )


def processed_files(state: Connection) -> frozenset[str]:
    """Return the journal files that were processed last, by name."""
    row = state.execute("SELECT document FROM notes WHERE name = 'processed'")
    stored = row.fetchone()
    return frozenset(json.loads(stored[0]) if stored else ())


def note_processed(state: Connection, names: Sequence[str]) -> None:
    """Store that journal files were processed, until they are deleted.

    A process that dies before it deletes them leaves them to the next one.
    """
    row = state.execute("SELECT document FROM notes WHERE name = 'processed'")
    stored = row.fetchone()
    processed = [*(json.loads(stored[0]) if stored else ()), *names]
    document = json.dumps(processed[-_PROCESSED_FILES:])
    state.execute("INSERT OR REPLACE INTO notes VALUES ('processed', ?)", (document,))


def log_turns(
    state: Connection,
    session: str,
    turns: Sequence[LoggedTurn],
    now: datetime,
    project: str,
) -> None:
    """Store turns of a session in a project; turns with the same index are replaced.

    A turn that was once searched for decrees stays so.
    """
    at = rfc3339(now)
    state.executemany(
        "INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (session, turn) DO UPDATE SET mark = excluded.mark,"
        " calls = excluded.calls, digest = excluded.digest,"
        " heard = max(excluded.heard, CASE mark WHEN excluded.mark THEN heard ELSE 0"
        " END), document = excluded.document, at = excluded.at",
        [
            (
                session,
                turn.number,
                turn.mark.message + ("!" if turn.mark.sure else ""),
                turn.mark.calls,
                turn.mark.digest,
                turn.captured,
                json.dumps(turn.document, ensure_ascii=False),
                at,
                project,
            )
            for turn in turns
        ],
    )


def forget_sessions(state: Connection, now: datetime, days: int) -> None:
    """Delete turns, transcripts, blocks and steps of sessions that ended so long
    ago."""
    oldest = rfc3339(now - timedelta(days=days))
    for statement in _FORGET:
        state.execute(statement, (oldest,))


def extend_turn(
    state: Connection, session: str, turn: int, document: Mapping[str, Any]
) -> None:
    """Replace a turn's memory; does nothing if the turn is gone."""
    state.execute(
        "UPDATE turns SET document = ? WHERE session = ? AND turn = ?",
        (json.dumps(document, ensure_ascii=False), session, turn),
    )


def turn_documents(
    state: Connection, session: str, last: int | None = None, project: str = ""
) -> tuple[tuple[int, Mapping[str, Any]], ...]:
    """Return index and document of the ``last`` turns with a memory, in order.

    With a ``project`` only its own turns and those of no project.
    """
    rows = state.execute(
        "SELECT turn, document FROM turns WHERE session = ? AND document != '{}'"
        f" AND {_OF_PROJECT} ORDER BY turn DESC LIMIT ?",
        (session, project, project, -1 if last is None else last),
    ).fetchall()
    return tuple((index, json.loads(document)) for index, document in reversed(rows))


def unfixed_turns(
    state: Connection, session: str, before: int
) -> tuple[tuple[int, Mapping[str, Any]], ...]:
    """Return index and document of turns ``before`` one with unfixed failures."""
    rows = state.execute(
        "SELECT turn, document FROM turns WHERE session = ? AND turn < ?"
        " AND document LIKE '%\"fixed\": false%' ORDER BY turn",
        (session, before),
    ).fetchall()
    return tuple((index, json.loads(document)) for index, document in rows)


def every_turn(state: Connection) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield session, project and memory of each turn that has one."""
    query = "SELECT session, project, document FROM turns WHERE document != '{}'"
    for session, project, document in state.execute(f"{query} ORDER BY session, turn"):
        yield session, project, json.loads(document)


def sessions(state: Connection, project: str = "") -> tuple[tuple[str, int, str], ...]:
    """Return each session with its number of turns and its last time, newest first.

    With a ``project`` only its own turns and those of no project count.
    """
    rows = state.execute(
        f"SELECT session, count(*), max(at) FROM turns WHERE {_OF_PROJECT}"
        " GROUP BY session ORDER BY max(at) DESC, session",
        (project, project),
    )
    return tuple((row[0], row[1], row[2]) for row in rows)


def _mark(message: str, calls: int, digest: int) -> TurnMark:
    return TurnMark(message.removesuffix("!"), calls, digest, message.endswith("!"))


def stored_snapshot(
    state: Connection, session: str, flags: str, document: str, now: datetime
) -> str:
    """Store a document unless there is one; return the stored one.

    ``now`` is stored as the time of its last use.
    """
    state.execute(
        "INSERT INTO frozen VALUES (?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET created_at = excluded.created_at",
        (session, flags, document, rfc3339(now)),
    )
    row = state.execute(
        "SELECT document FROM frozen WHERE session = ? AND flags = ?", (session, flags)
    ).fetchone()
    return str(row[0]) if row else ""


def drop_snapshot(state: Connection, session: str, flags: str) -> None:
    """Delete the document of a session, so that the next one is stored."""
    state.execute(
        "DELETE FROM frozen WHERE session = ? AND flags = ?", (session, flags)
    )


def stored_steps(state: Connection, session: str) -> list[list[Any]]:
    """Return the rows of a session's steps, oldest first."""
    row = state.execute("SELECT document FROM steps WHERE session = ?", (session,))
    stored = row.fetchone()
    return list(json.loads(stored[0])) if stored else []


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
