"""Data files of this package, read as the import system reads its modules."""

from typing import Any

_LOADER: Any = globals()["__loader__"]
_FOLDER = __file__.rpartition("data.py")[0]


def read_data(name: str) -> bytes:
    """Return the content of a file next to this module."""
    return bytes(_LOADER.get_data(_FOLDER + name))
