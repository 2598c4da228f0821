"""Time of the last reflection, and the state of the vault at that time."""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from toolmem.core.times import parse_moment, rfc3339
from toolmem.store.state.database import has_state, open_state

_MARK = 12
"""Stored characters of a blob id: enough to detect a change."""


class ReflectState(NamedTuple):
    """Time, and a mark of each file at that time, by path."""

    at: datetime
    marks: Mapping[str, str]


def mark_of(blob: str) -> str:
    """Return the stored part of the git blob id of a file."""
    return blob[:_MARK]


def note_reflected(root: Path, blobs: Mapping[str, str], now: datetime) -> None:
    """Store that a reflection took place now, on files with these blob ids.

    Raises ``StorageError``.
    """
    marks = {path: mark_of(blob) for path, blob in blobs.items()}
    document = json.dumps({"at": rfc3339(now), "marks": marks})
    with open_state(root) as state:
        state.execute(
            "INSERT OR REPLACE INTO notes VALUES ('reflected', ?)", (document,)
        )


def last_reflected(root: Path) -> ReflectState | None:
    """Return the last reflection, or None. Raises ``StorageError``."""
    if not has_state(root):
        return None
    with open_state(root) as state:
        row = state.execute("SELECT document FROM notes WHERE name = 'reflected'")
        found = row.fetchone()
    document = json.loads(found[0]) if found else {}
    at = parse_moment(document.get("at", ""))
    return ReflectState(at, document["marks"]) if at else None
