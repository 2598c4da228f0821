"""Result of capturing while a session runs."""

from typing import TYPE_CHECKING, NamedTuple

from toolmem.errors import ToolmemError

if TYPE_CHECKING:  # the database is not loaded for most messages
    from toolmem.store.state.candidates import StoredCandidate


class LiveCapture(NamedTuple):
    """A line for each rule that a capture wrote, and the candidates to judge.

    ``failure`` is why the message of the event was not captured.
    """

    lines: list[str]
    candidates: "tuple[StoredCandidate, ...]" = ()
    failure: ToolmemError | None = None
