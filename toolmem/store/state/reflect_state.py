"""When somebody last stepped back, and what the vault held then."""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from toolmem.core.times import parse_moment, rfc3339
from toolmem.store.state.database import has_state, open_state

_MARK = 12
"""Characters of a blob id that are kept: enough to see that a file changed."""


class ReflectState(NamedTuple):
    """When it was, and a mark of each file of then, by path."""

    at: datetime
    marks: Mapping[str, str]


def mark_of(blob: str) -> str:
    """What is kept of the git blob id of a file."""
    return blob[:_MARK]


def note_reflected(root: Path, blobs: Mapping[str, str], now: datetime) -> None:
    """Keep that somebody stepped back now, over files with these blob ids.

    Raises ``StorageError``.
    """
    marks = {path: mark_of(blob) for path, blob in blobs.items()}
    document = json.dumps({"at": rfc3339(now), "marks": marks})
    with open_state(root) as state:
        state.execute(
            "INSERT OR REPLACE INTO notes VALUES ('reflected', ?)", (document,)
        )


def last_reflected(root: Path) -> ReflectState | None:
    """The last time, or None when there was none here. Raises ``StorageError``."""
    if not has_state(root):
        return None
    with open_state(root) as state:
        row = state.execute("SELECT document FROM notes WHERE name = 'reflected'")
        found = row.fetchone()
    document = json.loads(found[0]) if found else {}
    at = parse_moment(document.get("at", ""))
    return ReflectState(at, document["marks"]) if at else None
