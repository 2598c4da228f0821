"""Read data files of the core in the same way as the import system."""

from typing import Any

_LOADER: Any = globals()["__loader__"]


def read_data(path: str) -> bytes:
    """Return the content of a file; ``path`` is relative to ``toolmem/core``."""
    return bytes(_LOADER.get_data(__file__.rpartition("package_data")[0] + path))
