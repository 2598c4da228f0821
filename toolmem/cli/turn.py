"""``toolmem turn``: what the turns of a session changed and broke."""

import sys
from typing import Annotated

import typer

from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit, emit_json, remark, table
from toolmem.cli.run import text_or_stdin
from toolmem.cli.transcript import (
    FormatOption,
    TranscriptArgument,
    transcript_input,
)
from toolmem.cli.tree import command, group, run_of
from toolmem.core import limits
from toolmem.core.transcript.fields import clean
from toolmem.core.turns.render import append_to
from toolmem.errors import UsageError
from toolmem.ops import turns

app = group("Turn memory: files, failures and dangerous commands of a session.")

SessionOption = Annotated[
    str, typer.Option("--session", metavar="ID", help="The session.")
]
LastOption = Annotated[
    int,
    typer.Option("--last", metavar="N", min=1, help="How many turns, the last ones."),
]


@command(app, "add")
def add(
    ctx: typer.Context,
    transcript: TranscriptArgument = "-",
    session: SessionOption = "",
    format_: FormatOption = "auto",
    as_json: JsonFlag = False,
) -> None:
    """Keep the turns of a transcript, or of its new end."""
    run = run_of(ctx)
    found = turns.read_turns(*transcript_input(run, transcript), format_)
    notes = turns.add_turns(
        run.open(), _named(session or found.session.id), found, str(run.cwd)
    )
    _show(notes, as_json)


@command(app, "list")
def list_(
    ctx: typer.Context,
    session: SessionOption = "",
    last: LastOption = limits.TURNS_SHOWN,
    as_json: JsonFlag = False,
) -> None:
    """List the turns of a session; without one, the sessions."""
    vault = run_of(ctx).open()
    if session:
        _show(turns.list_turns(vault, _named(session), last), as_json)
        return
    rows = turns.list_sessions(vault)
    if as_json:
        emit_json([row._asdict() for row in rows])
    else:
        emit(table((row.session, f"{row.turns} turns", row.last) for row in rows))


@command(app, "show")
def show(
    ctx: typer.Context,
    number: Annotated[
        int,
        typer.Argument(
            metavar="TURN", help="Which turn, from 0; without it the last one."
        ),
    ] = -1,
    session: SessionOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Show one turn."""
    note = turns.show_turn(
        run_of(ctx).open(), _named(session), None if number < 0 else number
    )
    if note is None:
        remark("no such turn, or it left nothing behind")
        raise typer.Exit(1)
    if as_json:
        emit_json(note.document())
    else:
        emit(turns.render_turns([note]))


@command(app, "render")
def render(
    ctx: typer.Context,
    session: SessionOption = "",
    last: LastOption = limits.TURNS_SHOWN,
    message: Annotated[
        str,
        typer.Option(
            "--append-to",
            metavar="TEXT",
            help="An assistant's message to put the block under; - reads standard "
            "input.",
        ),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Print the block about the last turns of a session."""
    vault = run_of(ctx).open()
    block = turns.render_turns(turns.list_turns(vault, _named(session), last))
    text = append_to(_message(message), block) if message else block
    if as_json:
        emit_json({"session": session, "block": block, "text": text})
    else:
        emit(text)


def _message(given: str) -> str:
    """The message; an empty one on standard input is one, too."""
    if given == "-" and not sys.stdin.isatty():
        return sys.stdin.buffer.read().decode("utf-8", "replace").rstrip("\r\n")
    return text_or_stdin(given, "message")


def _named(session: str) -> str:
    if not session:
        raise UsageError("--session says which session")
    return clean(session)


def _show(notes: tuple[turns.TurnNote, ...], as_json: bool) -> None:
    if as_json:
        emit_json([note.document() for note in notes])
        return
    blocks = (f"turn {note.turn}\n{turns.render_turns([note])}" for note in notes)
    emit("\n\n".join(blocks))
