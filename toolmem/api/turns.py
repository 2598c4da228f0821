"""``vault.turn``: what the turns of a session changed and broke."""

from pathlib import Path
from typing import NamedTuple

from toolmem.api.access import Access, bounded
from toolmem.core import limits
from toolmem.core.transcript.fields import clean
from toolmem.core.turns.render import append_to
from toolmem.errors import UsageError
from toolmem.ops.session import turns
from toolmem.ops.session.turns import SessionRow, TurnNote


class RenderedTurns(NamedTuple):
    """The block of some turns, and a message with it below."""

    session: str
    block: str
    text: str


@bounded("turn")
class Turns:
    """The operations on turns; ``text`` is a transcript, ``file`` names one."""

    def __init__(self, access: Access) -> None:
        self._access = access

    def add(
        self,
        file: str = "",
        *,
        text: str | bytes = "",
        session: str = "",
        format: str = "auto",
    ) -> tuple[TurnNote, ...]:
        """Keep the turns of a transcript, or of its new end.

        Raises ``UsageError`` and ``StorageError``.
        """
        vault = self._access.write()
        cwd = self._access.cwd
        path = cwd / Path(file).expanduser() if file else None
        found = turns.read_turns(path, data_of(text), format)
        name = named(session or found.session.id)
        return turns.add_turns(vault, name, found, str(cwd))

    def list(
        self, *, session: str = "", last: int = limits.TURNS_SHOWN
    ) -> tuple[TurnNote, ...] | tuple[SessionRow, ...]:
        """The last turns of a session; without one, the sessions."""
        vault = self._access.read()
        if session:
            return turns.list_turns(vault, named(session), _last(last))
        return turns.list_sessions(vault)

    def show(self, turn: int = -1, *, session: str) -> TurnNote | None:
        """One turn of a session, from 0; the last one for -1; None if it left
        nothing."""
        vault = self._access.read()
        return turns.show_turn(vault, named(session), None if turn < 0 else turn)

    def render(
        self,
        *,
        session: str,
        last: int = limits.TURNS_SHOWN,
        append_to: str = "",
    ) -> RenderedTurns:
        """The block about the last turns of a session, below a message if given."""
        found = turns.list_turns(self._access.read(), named(session), _last(last))
        block = turns.render_turns(found)
        return RenderedTurns(session, block, below(append_to, block))


def below(message: str, block: str) -> str:
    """A message with the block under it."""
    return append_to(message, block) if message else block


def named(session: str) -> str:
    """A session's id as it is kept; ``UsageError`` for an empty one."""
    if not session:
        raise UsageError("--session says which session")
    return clean(session)


def _last(number: int) -> int:
    if number < 1:
        raise UsageError("--last wants a number above 0")
    return number


def data_of(text: str | bytes) -> bytes:
    """A transcript as it is read."""
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
