"""Local counters of retrievals of each memory, never in a tracked file."""

import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from sqlite3 import Connection
from typing import NamedTuple

from toolmem.errors import StorageError
from toolmem.store.files import folders
from toolmem.store.files.layout import STATE
from toolmem.store.state.database import has_state, open_state
from toolmem.store.state.retrieval_log import FILE

_TAKEN = "retrieved.taken-"
_COUNT = """
    INSERT INTO retrievals VALUES (?, ?, ?) ON CONFLICT DO UPDATE
    SET count = count + excluded.count, at = max(at, excluded.at)
"""


class RetrievalCount(NamedTuple):
    """Number of retrievals of a memory, and the last time (RFC 3339)."""

    times: int
    last: str


def retrievals(root: Path) -> dict[str, RetrievalCount]:
    """Return the retrievals by memory id, without memories that have none.

    Raises ``StorageError`` if local state cannot be read.
    """
    add_up(root)
    if not has_state(root):
        return {}
    with open_state(root) as state:
        rows = state.execute("SELECT memory, count, at FROM retrievals")
        return {row[0]: RetrievalCount(row[1], row[2]) for row in rows}


def counting_since(root: Path) -> str:
    """Return the start of counting (RFC 3339); empty before the first retrieval.

    Raises ``StorageError``.
    """
    if not has_state(root):
        return ""
    with open_state(root) as state:
        row = state.execute("SELECT document FROM notes WHERE name = 'counting'")
        first = row.fetchone()
    return str(first[0]) if first else ""


def add_up(root: Path) -> None:
    """Move the log into the state database, counting nothing twice.

    The file is renamed first, so that the next process completes an interrupted move.
    Raises ``StorageError``.
    """
    state = root / STATE
    try:
        _take(state)
        taken = sorted(state.glob(f"{_TAKEN}*"))
        if not taken:
            return
        with open_state(root) as database:
            database.execute("BEGIN IMMEDIATE")
            for path in taken:
                _count(database, path)
        for path in taken:
            path.unlink(missing_ok=True)
        with open_state(root) as database:
            names = [(f"taken {path.name}",) for path in taken]
            database.executemany("DELETE FROM notes WHERE name = ?", names)
    except OSError as error:
        raise StorageError(f"{state}: {folders.reason(error)}") from error


def _take(state: Path) -> None:
    file = state / FILE
    with suppress(FileNotFoundError):
        status = file.lstat()
        folders.require_regular(status)
        file.rename(state / f"{_TAKEN}{status.st_mtime_ns:x}-{os.getpid()}")


def _count(database: Connection, path: Path) -> None:
    name = f"taken {path.name}"
    if database.execute("SELECT 1 FROM notes WHERE name = ?", (name,)).fetchone():
        return  # it was added up, but not deleted
    folders.require_regular(path.lstat())
    counts: Counter[str] = Counter()
    last: dict[str, str] = {}
    first = ""
    for at, ids in _parsed(path.read_bytes()):
        counts.update(ids)
        last.update(dict.fromkeys(ids, at))
        first = first or at
    database.executemany(
        _COUNT, [(doc_id, n, last[doc_id]) for doc_id, n in counts.items()]
    )
    if first:
        database.execute("INSERT OR IGNORE INTO notes VALUES ('counting', ?)", (first,))
    database.execute("INSERT INTO notes VALUES (?, '')", (name,))


def _parsed(data: bytes) -> Iterator[tuple[str, list[str]]]:
    """Yield time and memories of each complete line."""
    for line in data.split(b"\n"):
        with suppress(ValueError, RecursionError):
            document = json.loads(line)
            if isinstance(document, dict) and isinstance(document.get("ids"), list):
                ids = [doc_id for doc_id in document["ids"] if isinstance(doc_id, str)]
                yield str(document.get("at", "")), ids
