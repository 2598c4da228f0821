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
    """Time of the last reflection on all files, None if all were on single folders.

    ``marks`` are those of the files at the last reflection on each, by path.
    """

    at: datetime | None
    marks: Mapping[str, str]


def mark_of(blob: str) -> str:
    """Return the stored part of the git blob id of a file."""
    return blob[:_MARK]


def note_reflected(
    root: Path, blobs: Mapping[str, str], now: datetime, folder: str = ""
) -> None:
    """Store that a reflection took place now, on files with these blob ids.

    With a ``folder`` it was on the files below it alone. Raises ``StorageError``.
    """
    marks = {path: mark_of(blob) for path, blob in blobs.items()}
    document = json.dumps({"at": rfc3339(now), "marks": marks})
    with open_state(root) as state:
        if not folder:
            state.execute("DELETE FROM notes WHERE name LIKE 'reflected/%'")
        name = f"reflected/{folder}" if folder else "reflected"
        state.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (name, document))


def last_reflected(root: Path) -> ReflectState | None:
    """Return the last reflections, or None. Raises ``StorageError``.

    Those on one folder count since the last on all files.
    """
    if not has_state(root):
        return None
    with open_state(root) as state:
        rows = state.execute(
            "SELECT name, document FROM notes "
            "WHERE name = 'reflected' OR name LIKE 'reflected/%' ORDER BY name"
        ).fetchall()
    marks: dict[str, str] = {}
    whole: datetime | None = None
    known = False
    for name, text in rows:
        document = json.loads(text)
        at = parse_moment(document.get("at", ""))
        if at is None:
            continue
        known = True
        folder = name.removeprefix("reflected").removeprefix("/")
        if not folder:
            whole = at
        else:
            marks = {p: m for p, m in marks.items() if not p.startswith(f"{folder}/")}
        marks |= document["marks"]
    return ReflectState(whole, marks) if known else None
