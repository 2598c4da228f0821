"""Capture and turn memory."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from toolmem.api.access import Operations, bounded
from toolmem.core import limits
from toolmem.core.transcript import fields
from toolmem.core.turns import render
from toolmem.errors import Arg, UsageError
from toolmem.ops.capture import capture as capturing
from toolmem.ops.capture import live
from toolmem.ops.capture import transcript as capture_transcript
from toolmem.ops.judging import backlog
from toolmem.ops.rules import new_names
from toolmem.ops.session import turns


class RenderedTurns(NamedTuple):
    """Block of some turns, and a message with it appended."""

    session: str
    block: str
    text: str


@bounded("turn")
class Turns(Operations):
    """Operations on turns; ``text`` is a transcript, ``file`` names one."""

    def add(
        self,
        file: str = "",
        *,
        text: str | bytes = "",
        session: str = "",
        format: str = "auto",
    ) -> "tuple[turns.TurnNote, ...]":
        """Store the turns of a transcript, or of its new end.

        Raises ``UsageError`` and ``StorageError``.
        """
        vault = self._access.write()
        cwd = self._access.cwd
        path = cwd / Path(file).expanduser() if file else None
        read = turns.read_turns(path, data_of(text), format)
        name = named(session or read.session.id)
        return turns.add_turns(vault, name, read, str(cwd))

    def list(
        self, *, session: str = "", limit: int = limits.TURNS_SHOWN
    ) -> "tuple[turns.TurnNote, ...] | tuple[turns.SessionRow, ...]":
        """Return the last turns of a session; without one, the sessions."""
        vault = self._access.read()
        if session:
            return turns.list_turns(vault, named(session), limit)
        return turns.list_sessions(vault)[:limit]

    def show(self, turn: int = -1, *, session: str) -> "turns.TurnNote | None":
        """Return one turn of a session, from 0; -1 is the last; None if empty."""
        vault = self._access.read()
        return turns.show_turn(vault, named(session), None if turn < 0 else turn)

    def render(
        self,
        *,
        session: str,
        last: int = limits.TURNS_SHOWN,
        append_to: str = "",
    ) -> RenderedTurns:
        """Return the block of a session's last turns, below a message if given."""
        turn_notes = turns.list_turns(self._access.read(), named(session), last)
        block = turns.render_turns(turn_notes)
        return RenderedTurns(session, block, below(append_to, block))


def below(message: str, block: str) -> str:
    """Append the block to a message."""
    return render.append_to(message, block) if message else block


def named(session: str) -> str:
    """Return a session's id as stored; raise ``UsageError`` for an empty one."""
    if not session:
        raise UsageError(Arg("session"), " is missing: name the session")
    return fields.clean(session)


def data_of(text: str | bytes) -> bytes:
    """Return a transcript as bytes."""
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


@bounded()
class Capturing(Operations):
    """Capture of what a transcript teaches."""

    def capture(
        self,
        file: str | Sequence[str] = "",
        *,
        text: str | bytes = "",
        format: str = "auto",
        tool: Sequence[str] = (),
        scope: str = "",
        session: str = "",
        since_last: bool = False,
        dry_run: bool = False,
        answers: str = "",
    ) -> "capturing.CaptureResult":
        """Learn from a transcript: decrees, repeated failures, turns. Durable.

        ``text`` is the transcript, or ``file`` names one or several. ``answers`` are
        JSON lines about their candidates: id, keep, tools. Raises ``UsageError`` and
        ``StorageError``.
        """
        vault = self._access.write(dry_run=dry_run).session_vault
        if not dry_run:
            vault.require_writable()
        request = capture_transcript.CaptureRequest(
            scope=self._access.target(vault, scope),
            new_run=self._access.new_id,
            lines=data_of(text),
            format=format,
            tools=tuple(tool),
            session=session,
            cwd=str(self._access.cwd),
            since_last=since_last,
            dry_run=dry_run,
            asked=bool(scope),
        )
        files = [file] if isinstance(file, str) else file
        paths = [self._access.cwd / Path(name).expanduser() for name in files if name]
        requests = [request._replace(path=path, lines=b"") for path in paths]
        if text or not requests:
            requests.append(request)
        names = new_names.remarks_on_names(vault, request.scope) if scope else ()
        late = live.Late() if dry_run else live.capture_waiting(vault)
        result = backlog.capture_backlog(vault, requests, answers)
        return result._replace(
            decrees=(*late.decrees, *result.decrees),
            remarks=(*names, *map(str, late.errors), *result.remarks),
        )
