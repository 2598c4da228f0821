"""Noting that memories were found: a line in a file of local state, and no more.

What the lines come to is added up elsewhere (see ``retrievals``): whoever asks a
question is not to wait for a database.
"""

import json
import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from toolmem.core.times import rfc3339
from toolmem.store.files import folders
from toolmem.store.files.layout import STATE
from toolmem.store.files.lock import prepare_state

FILE = "retrieved.jsonl"
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | folders.READ


def note_retrieved(root: Path, ids: Sequence[str], now: datetime) -> int:
    """Note that these memories were found; how many bytes of notes there are.

    Raises ``OSError`` and ``StorageError``.
    """
    line = json.dumps({"at": rfc3339(now), "ids": ids}) + "\n"
    prepare_state(root)
    return _append(root, line.encode())


def _append(root: Path, data: bytes) -> int:
    """Append a line; how large the file is now."""
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
        os.write(fd, data)  # whole at once: lines of two programs do not mix
        return os.fstat(fd).st_size
    finally:
        os.close(fd)
