"""A number for the code that decides what is in a cache."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from zlib import crc32


def code_version(folders: Iterable[Path], *made_of: object) -> str:
    """Return a number that changes with the code in some folders, and with values."""
    found: list[object] = [sys.version, *made_of]
    for folder in folders:
        with os.scandir(folder) as entries:
            files = [(one.name, one.stat()) for one in entries if one.is_file()]
        found += sorted((name, s.st_size, s.st_mtime_ns) for name, s in files)
    return f"{crc32(repr(found).encode()):08x}"
