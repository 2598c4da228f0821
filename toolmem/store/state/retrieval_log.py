"""Log retrieved memories as lines in a file of local state.

They are added up elsewhere (see ``retrieval_counts``), so that a query does not wait
for a database.
"""

import json
import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from toolmem.core.times import rfc3339
from toolmem.errors import NoVaultError
from toolmem.store.files import folders, lock
from toolmem.store.files.layout import STATE

FILE = "retrieved.jsonl"
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | folders.READ


def note_retrieved(root: Path, ids: Sequence[str], now: datetime) -> int:
    """Log the retrieval of these memories; return the size of the log in bytes.

    Raises ``OSError`` and ``StorageError``.
    """
    line = (json.dumps({"at": rfc3339(now), "ids": ids}) + "\n").encode()
    try:
        return _append(root, line)
    except (FileNotFoundError, NoVaultError):
        lock.prepare_state(root)
        return _append(root, line)


def _append(root: Path, data: bytes) -> int:
    """Append a line; return the new size of the file."""
    base = folders.open_root(root)
    try:
        folder = folders.open_child(base, STATE)
    finally:
        base.close()
    try:
        fd = os.open(folder.at(FILE), _APPEND, 0o600, dir_fd=folder.fd)
    finally:
        folder.close()
    try:
        folders.require_regular(os.fstat(fd))
        os.write(fd, data)  # written at once: lines of two programs do not mix
        return os.fstat(fd).st_size
    finally:
        os.close(fd)
