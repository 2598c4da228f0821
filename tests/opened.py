"""Files that a piece of work opens, counted by an audit hook."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_lists: list[list[str]] = []


@contextmanager
def opened_files(suffix: str) -> Iterator[list[str]]:
    """Collect the names of files with a suffix that are opened in the block."""
    found: list[str] = []
    _lists.append(found)
    try:
        yield found
    finally:
        _lists.remove(found)
        found[:] = [name for name in found if name.endswith(suffix)]


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and _lists and isinstance(arguments[0], str | bytes):
        for one in _lists:
            one.append(os.fsdecode(arguments[0]).rpartition(os.sep)[2])


sys.addaudithook(_watch)
