"""``toolmem turn``: what the turns of a session changed and broke."""

import sys
from typing import Annotated

from typer import Argument, Context, Option

from toolmem.api.documents import rendered_document, turn_document, turns_document
from toolmem.cli.commands.transcript import (
    FormatOption,
    TranscriptArgument,
    transcript_input,
)
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit, emit_json, emit_table, print_notice
from toolmem.cli.run import Run, file_text
from toolmem.cli.tree import Exit, command, group, run_of
from toolmem.core import limits
from toolmem.core.shown import counted
from toolmem.core.times import local_text
from toolmem.errors import NotFoundError, UsageError
from toolmem.ops.session.turns import SessionRow, TurnNote, render_turns

app = group("Turn memory: what tools did in each turn.")

SessionOption = Annotated[str, Option("--session", metavar="ID", help="Session id.")]
LastOption = Annotated[
    int,
    Option(
        "--last", metavar="N", min=1, help="Number of turns, counted from the last."
    ),
]


@command(app, "add")
def add(
    ctx: Context,
    transcript: TranscriptArgument = "-",
    session: SessionOption = "",
    format_: FormatOption = "auto",
    as_json: JsonFlag = False,
) -> None:
    """Store the turns of a transcript.

    Reads only what was added since the last time.
    """
    run = run_of(ctx)
    file, text = transcript_input(run, transcript)
    notes = run.vault_for().turn.add(file, text=text, session=session, format=format_)
    if as_json:
        emit_json(turns_document(notes))
    else:
        emit("\n\n".join(map(_block, notes)))


@command(app, "list")
def list_(
    ctx: Context,
    session: SessionOption = "",
    last: LastOption = limits.TURNS_SHOWN,
    as_json: JsonFlag = False,
) -> None:
    """List sessions, or the turns of one session."""
    found = run_of(ctx).vault_for().turn.list(session=session, last=last)
    if as_json:
        emit_json(turns_document(found))
    elif session:
        emit("\n\n".join(_block(note) for note in found if isinstance(note, TurnNote)))
    else:
        rows = (
            (row.session, counted(row.turns, "turn"), local_text(row.last))
            for row in found
            if isinstance(row, SessionRow)
        )
        emit_table(rows, ("SESSION", "TURNS", "LAST"))


@command(app, "show")
def show(
    ctx: Context,
    number: Annotated[
        int,
        Argument(metavar="TURN", help="Turn number, from 0; default: the last one."),
    ] = -1,
    session: SessionOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Show one turn."""
    note = run_of(ctx).vault_for().turn.show(number, session=session)
    if as_json:
        emit_json(turn_document(note))
    elif note is not None:
        emit(render_turns([note]))
    if note is None:
        print_notice("no such turn, or nothing was stored for it")
        raise Exit(NotFoundError.exit_code)


@command(app, "render")
def render(
    ctx: Context,
    session: SessionOption = "",
    last: LastOption = limits.TURNS_SHOWN,
    message: Annotated[
        str,
        Option(
            "--append-to",
            metavar="FILE",
            help="File with an assistant's message to append the block to; - reads "
            "standard input.",
        ),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Print the prompt block of a session's last turns."""
    run = run_of(ctx)
    text = _message(run, message) if message else ""
    shown = run.vault_for().turn.render(session=session, last=last, append_to=text)
    if as_json:
        emit_json(rendered_document(shown))
    else:
        emit(shown.text)


def _message(run: Run, name: str) -> str:
    """Return the message in a file or on standard input; it may be empty."""
    run.access_for().require_allowed("turn.render", {"message": name})
    if name != "-":
        return file_text(run.cwd, name).rstrip("\r\n")
    if sys.stdin.isatty():
        raise UsageError("name a file with the message, or pass it on standard input")
    return sys.stdin.buffer.read().decode("utf-8", "replace").rstrip("\r\n")


def _block(note: TurnNote) -> str:
    return f"turn {note.turn}\n{render_turns([note])}"
