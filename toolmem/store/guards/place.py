"""Places of the compiled guards in the user's state, and when they were checked."""

import os
import time
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from toolmem.store.files.settings import state_folder

FOLDER = "guards"
_LONG_SECONDS = 3600


def name_of(root: Path) -> str:
    """Return the name of a vault's file: two checksums of the vault's path."""
    path = os.fsencode(root)
    return f"{crc32(path):08x}{crc32(path[::-1]):08x}"


def forget_check(root: Path) -> None:
    """Set ``GuardFile.checked_at`` to long ago; a failure is ignored."""
    path = state_folder() / FOLDER / name_of(root)
    follow = os.utime not in os.supports_follow_symlinks
    when = time.time() - _LONG_SECONDS
    with suppress(OSError):
        os.utime(path, (when, when), follow_symlinks=follow)
