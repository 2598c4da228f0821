"""Attempts to handle one event: a helper may die before it answers."""

import os
from typing import NamedTuple

VARIABLE = "TOOLMEM_HOOK_ATTEMPT"
"""Variable with an id of the event, a space, and the number of the attempt.

Lines of an attempt to handle an event count until a later attempt begins: a helper that
died has not answered.
"""
_FIRST = "0"


class Attempt(NamedTuple):
    """Id of an event that may be handled again, and whether this is the first time."""

    event: str
    is_first: bool


def current() -> Attempt | None:
    """Return the attempt that this process is; None if no helper can be involved."""
    event, _, number = os.environ.get(VARIABLE, "").partition(" ")
    return Attempt(event, number == _FIRST) if event else None
