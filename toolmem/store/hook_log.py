"""What went wrong in hooks: a short log that ``toolmem doctor`` shows."""

import json
from datetime import UTC, datetime
from pathlib import Path

from toolmem.store.settings import state_folder

_MOST_BYTES = 256 * 1024
"""A hook that fails fails often: the log begins anew at this size."""


def log_path() -> Path:
    """Where the log is: the user's state, not the vault, which may be the trouble."""
    return state_folder() / "hook.log"


def note(agent: str, event: str, error: BaseException) -> None:
    """Append a line about a failure; never raises."""
    line = {
        "when": datetime.now(UTC).replace(microsecond=0).isoformat(),
        "agent": agent,
        "event": event,
        "error": f"{type(error).__name__}: {error}"[:500],
    }
    try:
        path = log_path()
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > _MOST_BYTES:
            path.replace(path.with_suffix(".log.1"))
        with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(json.dumps(line) + "\n")
    except (OSError, RuntimeError):
        # There is nowhere left to say it, and the agent must go on.
        return
