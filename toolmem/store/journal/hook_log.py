"""Short log of errors in hooks, for ``toolmem doctor``."""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from toolmem.store.files import private
from toolmem.store.files.settings import state_folder

_KEYS = ("when", "agent", "event", "error")
_MOST_CHARS = 500
_TAIL_BYTES = 8 * 1024
_AGAIN_SECONDS = 3600
_MOST_BYTES = 256 * 1024
"""Size at which the log is rotated; one old log stays."""


def log_path() -> Path:
    """Return the log's path, in the user's state: the vault may be the problem."""
    return state_folder() / "hook.log"


def recent(most: int = 20) -> tuple[dict[str, str], ...]:
    """Return the last errors, oldest first, as tables of strings."""
    errors = []
    for line in _tail(log_path()):
        with suppress(ValueError, RecursionError):
            document = json.loads(line)
            if isinstance(document, dict) and document.keys() == set(_KEYS):
                errors.append({key: str(document[key]) for key in _KEYS})
    return tuple(errors[-most:])


def where_and_when(line: Mapping[str, str]) -> str:
    """Return the event, the agent and the time of an error, as far as known."""
    event, agent = line["event"] or "an event", line["agent"] or "an agent"
    return f"in {event} of {agent} at {line['when']}"


def note(agent: str, event: str, error: BaseException) -> None:
    """Append a line about a failure; never raises.

    The same one is logged once an hour: a hook that fails does so often.
    """
    now = datetime.now(UTC).replace(microsecond=0)
    entry = (agent, event, f"{type(error).__name__}: {error}"[:_MOST_CHARS])
    line = dict(zip(_KEYS, (now.isoformat(), *entry), strict=True))
    try:
        path = log_path()
        if any(_is_known(known, entry, now) for known in recent(most=100)):
            return
        if path.exists() and path.stat().st_size > _MOST_BYTES:
            path.replace(path.with_suffix(".log.1"))
        private.append_text(path, json.dumps(line) + "\n")
    except (OSError, RuntimeError):
        # It cannot be reported anywhere, and the agent must continue.
        return


def _is_known(known: dict[str, str], line: tuple[str, ...], now: datetime) -> bool:
    try:
        age = now - datetime.fromisoformat(known["when"])
    except (ValueError, TypeError):
        return False
    same = tuple(known[key] for key in _KEYS[1:]) == line
    return same and abs(age.total_seconds()) < _AGAIN_SECONDS


def _tail(path: Path) -> list[bytes]:
    try:
        with path.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - _TAIL_BYTES))
            return file.read().splitlines()
    except OSError:
        return []
