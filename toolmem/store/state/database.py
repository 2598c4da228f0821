"""Local state of a vault: one SQLite file that may be deleted at any time.

A damaged file is moved aside and replaced with a new one; that of a newer toolmem is
left alone and not used.
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
from toolmem.store.state.schema import SCHEMA_VERSION, STEPS

_FILE = "state.db"
_PAUSE_SECONDS = 0.005


def has_state(root: Path) -> bool:
    """Return True if there is local state."""
    return (root / STATE / _FILE).is_file()


@contextmanager
def open_state(
    root: Path, remarks: list[str] | None = None
) -> Iterator[sqlite3.Connection]:
    """Open the state database for a block that is one transaction.

    ``remarks`` gets a line if a damaged file was replaced. Raises ``StorageError`` if
    it cannot be opened or written.
    """
    state = State(root, [] if remarks is None else remarks)
    try:
        with state.transaction() as connection:
            yield connection
    finally:
        state.close()


class State:
    """State database, open for several transactions until ``close``."""

    def __init__(self, root: Path, remarks: list[str]) -> None:
        """Open the database as ``open_state`` does."""
        prepare_state(root)
        self._path = root / STATE / _FILE
        if self._path.is_symlink():  # a vault may come with one that leads outside
            raise StorageError(
                f"{self._path}: is a symbolic link: delete it and try again"
            )
        with self._reported():
            self._connection = _connect(self._path, remarks)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Begin a transaction. Raises ``StorageError``."""
        with self._reported(), self._connection:
            yield self._connection

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, OSError) as error:
            raise StorageError(f"{self._path}: {_explain(error)}") from error


def begin_write(state: sqlite3.Connection) -> None:
    """Begin a transaction that excludes other writers."""
    state.execute("BEGIN IMMEDIATE")


def _explain(error: Exception) -> str:
    if isinstance(error, sqlite3.OperationalError | OSError):
        return str(error)
    return f"{error}; it contains no rules and no memories: delete it to go on"


def _connect(path: Path, remarks: list[str]) -> sqlite3.Connection:
    try:
        return _opened_in_time(path)
    except sqlite3.OperationalError:
        raise  # locked, read only or disk full: the file itself may be fine
    except sqlite3.DatabaseError:
        aside = _set_aside(path)
        remarks.append(
            f"the local state was damaged and was created again (moved to {aside}): "
            "turns, counts, scratch pages, conversations and the trace were lost, "
            "rules and memories were not"
        )
        return _opened(path)


def _opened_in_time(path: Path) -> sqlite3.Connection:
    """Open the database; SQLite itself does not wait for one that is being created."""
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
        # SQLite would wait forever for a pipe in its place.
        folders.require_regular(path.lstat())
    connection = sqlite3.connect(path, timeout=timeouts().state)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA secure_delete = ON")
        _upgrade(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _upgrade(connection: sqlite3.Connection, path: Path) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA_VERSION:
        raise StorageError(
            f"{path}: written by a newer toolmem; upgrade, or delete it (it contains "
            "no rules and no memories)"
        )
    if version == SCHEMA_VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    for number, step in enumerate(STEPS[version:], version + 1):
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
