"""Data files of capture, read as the import system reads its modules."""

from typing import Any

_LOADER: Any = globals()["__loader__"]


def read_data(name: str) -> bytes:
    """Return the content of a file; its name begins with that of its package."""
    return bytes(_LOADER.get_data(__file__.rpartition("text")[0] + name))
