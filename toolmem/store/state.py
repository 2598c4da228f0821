"""Local state of a vault: one SQLite file that may be deleted at any time.

A file that is no database any more is moved aside and begun anew; a newer
toolmem's is left alone and not used.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from toolmem.errors import StorageError
from toolmem.store.layout import STATE
from toolmem.store.lock import prepare_state

_FILE = "state.db"
_BUSY_SECONDS = 2.0
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
)
"""The schema, a step a version: ``user_version`` counts those that were taken."""


@contextmanager
def open_state(root: Path) -> Iterator[sqlite3.Connection]:
    """The state database; what is done in the block is one transaction.

    Raises ``StorageError`` when it cannot be opened or written.
    """
    prepare_state(root)
    path = root / STATE / _FILE
    try:
        connection = _connect(path)
    except sqlite3.DatabaseError as error:
        raise StorageError(f"{path}: {error}") from error
    try:
        with connection:
            yield connection
    except sqlite3.DatabaseError as error:
        raise StorageError(f"{path}: {error}") from error
    finally:
        connection.close()


def _connect(path: Path) -> sqlite3.Connection:
    try:
        return _opened(path)
    except sqlite3.OperationalError:
        raise  # locked, read only, no room: the file itself may be sound
    except sqlite3.DatabaseError:
        _set_aside(path)
        return _opened(path)


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS)
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


def _set_aside(path: Path) -> None:
    number = 1
    while (aside := path.with_name(f"{path.name}.corrupt-{number}")).exists():
        number += 1
    path.replace(aside)
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
