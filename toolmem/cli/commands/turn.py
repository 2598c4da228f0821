"""``toolmem turn``: the changes and failures of a session's turns."""

from collections.abc import Sequence

from toolmem.api.capture import RenderedTurns
from toolmem.cli.operation import operation
from toolmem.cli.output import emit, emit_table
from toolmem.cli.tree import group
from toolmem.core.shown import counted
from toolmem.core.times import local_text
from toolmem.ops.session.turns import SessionRow, TurnNote, render_turns

group("turn", "Turn memory: what tools did in each turn.")


@operation("turn.add")
def add(notes: Sequence[TurnNote]) -> None:
    """Store the turns of a transcript.

    Reads only what was added since the last time.
    """
    emit("\n\n".join(map(_block, notes)))


@operation("turn.list")
def list_(rows: Sequence[TurnNote | SessionRow]) -> None:
    """List sessions, or the turns of one session."""
    emit("\n\n".join(_block(row) for row in rows if isinstance(row, TurnNote)))
    sessions = (
        (row.session, counted(row.turns, "turn"), local_text(row.last))
        for row in rows
        if isinstance(row, SessionRow)
    )
    emit_table(sessions, ("SESSION", "TURNS", "LAST"))


@operation("turn.show")
def show(note: TurnNote) -> None:
    """Show one turn."""
    emit(render_turns([note]))


@operation("turn.render")
def render(shown: RenderedTurns) -> None:
    """Print the prompt block of a session's last turns."""
    emit(shown.text)


def _block(note: TurnNote) -> str:
    return f"turn {note.turn}\n{render_turns([note])}"
