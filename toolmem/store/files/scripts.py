"""Read the small files that a command names: scripts, patches, lists and folders."""

import os
import stat
import time
from itertools import islice
from pathlib import Path

from toolmem.core import limits

_RECENT = 3600.0
"""Age in seconds up to which a script counts as written in the same session."""


def recent_script(path: str) -> str:
    """Return the text of a small, recently changed file; empty for any other."""
    try:
        if time.time() - Path(path).stat().st_mtime > _RECENT:
            return ""
    except OSError:
        return ""
    return small_text(path, limits.SHELL_BYTES)


def names_in(folder: str) -> tuple[str, ...] | None:
    """Return the names in a folder, up to a limit; None for anything else."""
    try:
        with os.scandir(folder) as entries:
            return tuple(entry.name for entry in islice(entries, limits.SHELL_LISTED))
    except (OSError, ValueError):
        return None


def small_text(path: str, limit: int = limits.TEXT_FILE_BYTES) -> str:
    """Return the text of a file of at most ``limit`` bytes; empty for any other."""
    try:
        status = Path(path).stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
            return ""
        with Path(path).open("rb") as file:
            return file.read(limit).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
