"""Read scripts that were written recently."""

import stat
import time
from pathlib import Path

from toolmem.core import limits

_RECENT = 3600.0
"""Age in seconds up to which a script counts as written in the same session."""


def recent_script(path: str) -> str:
    """Return the text of a small, recently changed file; empty for any other."""
    try:
        found = Path(path).stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > limits.SHELL_BYTES:
            return ""
        if time.time() - found.st_mtime > _RECENT:
            return ""
        with Path(path).open("rb") as file:
            return file.read(limits.SHELL_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
