"""Attempts to handle one event: a helper may end before its answer is received."""

from typing import NamedTuple


class Attempt(NamedTuple):
    """Id of an event, and the number of the attempt to handle it.

    Lines of an attempt count until a later attempt begins.
    """

    event: str
    number: int

    def __str__(self) -> str:
        return f"{self.event} {self.number}"


_now: list[Attempt] = []


def begin(event: str, number: int) -> None:
    """Mark the lines that this process writes from now on."""
    _now[:] = [Attempt(event, number)]


def current() -> Attempt | None:
    """Return the attempt that this process makes; None if no helper is involved."""
    return _now[0] if _now else None
