"""Local state of a vault: one SQLite file that may be deleted at any time.

A file that is no database any more is moved aside and begun anew; a newer
toolmem's is left alone and not used.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from toolmem.errors import StorageError
from toolmem.store.files import folders
from toolmem.store.files.layout import STATE
from toolmem.store.files.lock import prepare_state
from toolmem.store.files.timeouts import timeouts

_FILE = "state.db"
_PAUSE_SECONDS = 0.005
_STEPS = (
    """
    CREATE TABLE frozen (
        session TEXT NOT NULL,
        flags TEXT NOT NULL,
        document TEXT NOT NULL,
        created_at TEXT NOT NULL,
        PRIMARY KEY (session, flags)
    ) WITHOUT ROWID
    """,
    # What a session's turns left behind; ``mark``, ``calls`` and ``digest`` tell
    # whether a turn that is read again is this one; ``heard``: searched for decrees.
    """
    CREATE TABLE turns (
        session TEXT NOT NULL,
        turn INTEGER NOT NULL,
        mark TEXT NOT NULL,
        calls INTEGER NOT NULL,
        digest INTEGER NOT NULL,
        heard INTEGER NOT NULL,
        document TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (session, turn)
    ) WITHOUT ROWID
    """,
    # How far a session's transcript file was read.
    """
    CREATE TABLE transcripts (
        session TEXT PRIMARY KEY,
        path TEXT NOT NULL,
        document TEXT NOT NULL,
        at TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    # The calls of one tool in one turn; reading a turn again replaces its row.
    """
    CREATE TABLE calls (
        tool TEXT NOT NULL,
        session TEXT NOT NULL,
        turn INTEGER NOT NULL,
        name TEXT NOT NULL,
        calls INTEGER NOT NULL,
        successes INTEGER NOT NULL,
        failures INTEGER NOT NULL,
        timed INTEGER NOT NULL,
        total_ms INTEGER NOT NULL,
        errors TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (tool, session, turn)
    ) WITHOUT ROWID
    """,
    # What happened to a rule (``kind``: said, failed), once a message or turn.
    """
    CREATE TABLE rule_events (
        rule TEXT NOT NULL,
        kind TEXT NOT NULL,
        place TEXT NOT NULL,
        count INTEGER NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (rule, kind, place)
    ) WITHOUT ROWID
    """,
    # Decrees that hold for one session only.
    """
    CREATE TABLE session_rules (
        session TEXT NOT NULL,
        id TEXT NOT NULL,
        tool TEXT NOT NULL,
        priority TEXT NOT NULL,
        rule TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (session, id)
    ) WITHOUT ROWID
    """,
    # Proposals that a person has turned down.
    """
    CREATE TABLE rejected (
        id TEXT PRIMARY KEY,
        at TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    # Messages that were heard while nothing could be written.
    """
    CREATE TABLE spool (
        number INTEGER PRIMARY KEY,
        document TEXT NOT NULL,
        at TEXT NOT NULL
    )
    """,
    # The scratch pages of agents; ``document`` is the entry.
    """
    CREATE TABLE scratch (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        agent TEXT NOT NULL,
        status TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        document TEXT NOT NULL
    )
    """,
    "CREATE INDEX scratch_pages ON scratch (agent, status)",
    # What agents have in mind; ``session`` is empty for what no session ends.
    """
    CREATE TABLE working (
        number INTEGER PRIMARY KEY,
        agent TEXT NOT NULL,
        session TEXT NOT NULL,
        name TEXT NOT NULL,
        at TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        document TEXT NOT NULL,
        UNIQUE (agent, session, name)
    )
    """,
    # What was said; a message has a ``turn`` when its place in its session is known.
    """
    CREATE TABLE conversation (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        agent TEXT NOT NULL,
        session TEXT NOT NULL,
        turn INTEGER,
        role TEXT NOT NULL,
        content TEXT NOT NULL,
        document TEXT NOT NULL,
        at TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        UNIQUE (session, turn, role)
    )
    """,
    "CREATE INDEX conversations ON conversation (agent, at)",
    # What tools asked and were given; a number is never used twice.
    """
    CREATE TABLE trace (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,
        request_id TEXT NOT NULL,
        query_id TEXT NOT NULL,
        tool TEXT NOT NULL,
        agent TEXT NOT NULL,
        event TEXT NOT NULL,
        memory_type TEXT NOT NULL,
        status TEXT NOT NULL,
        reason TEXT NOT NULL,
        returned INTEGER NOT NULL,
        total INTEGER NOT NULL,
        tokens INTEGER NOT NULL,
        took_ms INTEGER NOT NULL
    )
    """,
    # How often a memory was found by a search.
    """
    CREATE TABLE retrievals (
        memory TEXT PRIMARY KEY,
        count INTEGER NOT NULL,
        at TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    # Single things to keep in mind: since when is counted, the last reflection.
    """
    CREATE TABLE notes (
        name TEXT PRIMARY KEY,
        document TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    # Candidates of capture until they are judged.
    """
    CREATE TABLE candidates (
        id TEXT PRIMARY KEY,
        session TEXT NOT NULL,
        kind TEXT NOT NULL,
        sentence TEXT NOT NULL,
        text TEXT NOT NULL,
        before TEXT NOT NULL,
        after TEXT NOT NULL,
        tools TEXT NOT NULL,
        rules TEXT NOT NULL,
        scope TEXT NOT NULL,
        place TEXT NOT NULL,
        agent TEXT NOT NULL,
        score REAL NOT NULL,
        exception INTEGER NOT NULL,
        status TEXT NOT NULL,
        at TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    "CREATE INDEX candidate_sessions ON candidates (session)",
    "DROP TABLE session_rules",
)
"""The schema, a step a version: ``user_version`` counts those that were taken."""
SCHEMA_VERSION = len(_STEPS)
"""The newest schema that this program knows."""


def has_state(root: Path) -> bool:
    """Whether there is local state; without any, nothing need be asked of it."""
    return (root / STATE / _FILE).is_file()


@contextmanager
def open_state(
    root: Path, remarks: list[str] | None = None
) -> Iterator[sqlite3.Connection]:
    """The state database; what is done in the block is one transaction.

    ``remarks`` gets a line when a damaged file had to be begun anew. Raises
    ``StorageError`` when it cannot be opened or written.
    """
    state = State(root, [] if remarks is None else remarks)
    try:
        with state.transaction() as connection:
            yield connection
    finally:
        state.close()


class State:
    """The state database, held open for several transactions until ``close``."""

    def __init__(self, root: Path, remarks: list[str]) -> None:
        """See ``open_state``."""
        prepare_state(root)
        self._path = root / STATE / _FILE
        if self._path.is_symlink():  # a vault may come with one that leads out of it
            raise StorageError(f"{self._path}: is a symbolic link: delete it")
        with self._reported():
            self._connection = _connect(self._path, remarks)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """The database for one transaction. Raises ``StorageError``."""
        with self._reported(), self._connection:
            yield self._connection

    def close(self) -> None:
        """Give the file back."""
        self._connection.close()

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, OSError) as error:
            raise StorageError(f"{self._path}: {_explain(error)}") from error


def begin_write(state: sqlite3.Connection) -> None:
    """Begin a transaction that no other writer can get into."""
    state.execute("BEGIN IMMEDIATE")


def _explain(error: Exception) -> str:
    if isinstance(error, sqlite3.OperationalError | OSError):
        return str(error)
    return f"{error}; it holds no rules and no memories: delete it to go on"


def _connect(path: Path, remarks: list[str]) -> sqlite3.Connection:
    try:
        return _opened_in_time(path)
    except sqlite3.OperationalError:
        raise  # locked, read only, no room: the file itself may be sound
    except sqlite3.DatabaseError:
        aside = _set_aside(path)
        remarks.append(
            f"the local state was damaged and is begun anew (moved to {aside}): "
            "turns, counts, scratch pages, conversations and the trace were lost, "
            "rules and memories were not"
        )
        return _opened(path)


def _opened_in_time(path: Path) -> sqlite3.Connection:
    """The database; SQLite itself does not wait for one that is being made."""
    deadline = time.monotonic() + timeouts().state
    while True:
        try:
            return _opened(path)
        except sqlite3.OperationalError as error:
            is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not is_busy or time.monotonic() >= deadline:
                raise
            time.sleep(_PAUSE_SECONDS)


def _opened(path: Path) -> sqlite3.Connection:
    with suppress(FileNotFoundError):
        # SQLite waits for ever for what a pipe in its place never gives.
        folders.require_regular(path.lstat())
    connection = sqlite3.connect(path, timeout=timeouts().state)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        _upgrade(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _upgrade(connection: sqlite3.Connection, path: Path) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(_STEPS):
        raise StorageError(
            f"{path}: written by a newer toolmem; upgrade, or delete it (it holds "
            "no rules and no memories)"
        )
    if version == len(_STEPS):
        return
    connection.execute("BEGIN IMMEDIATE")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    for number, step in enumerate(_STEPS[version:], version + 1):
        connection.execute(step)
        connection.execute(f"PRAGMA user_version = {number}")
    connection.commit()


def _set_aside(path: Path) -> str:
    number = 1
    while (aside := path.with_name(f"{path.name}.corrupt-{number}")).exists():
        number += 1
    path.replace(aside)
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    return aside.name
