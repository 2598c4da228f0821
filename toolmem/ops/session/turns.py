"""Turn memory: what the turns of a session changed and broke, kept and shown."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from sqlite3 import Connection
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.transcript.events import Transcript, Turn
from toolmem.core.transcript.fields import clean
from toolmem.core.transcript.read import read_transcript, require_format
from toolmem.core.transcript.records import Lines
from toolmem.core.turns.document import turn_document, turn_from
from toolmem.core.turns.memory import (
    TurnMemory,
    merged,
    passed_commands,
    turn_memory,
    with_passed,
)
from toolmem.core.turns.places import mark_of
from toolmem.core.turns.render import render
from toolmem.core.turns.statistics import statistics
from toolmem.ops.session.messages import NumberedTurn, marks_in_order, place_turns
from toolmem.store.state.counters import count_calls
from toolmem.store.state.database import begin_write, has_state, open_state
from toolmem.store.state.rows import project_of
from toolmem.store.state.turn_log import (
    LoggedTurn,
    extend_turn,
    forget_sessions,
    log_turns,
    logged_marks,
    sessions,
    turn_documents,
    unfixed_turns,
)
from toolmem.store.vault.transcripts import open_transcript
from toolmem.store.vault.vault import Vault


class TurnNote(NamedTuple):
    """One turn of a session and what it left behind."""

    turn: int
    memory: TurnMemory

    def document(self) -> dict[str, Any]:
        """The turn as JSON shows it."""
        return {"turn": self.turn, **turn_document(self.memory)}


class SessionRow(NamedTuple):
    """A session that turns are kept of."""

    session: str
    turns: int
    last: str


def turn_notes(placed: Iterable[NumberedTurn], cwd: str) -> tuple[TurnNote, ...]:
    """Return the turn memory of turns that have one; files relative to ``cwd``."""
    made = ((number, turn_memory(turn, cwd)) for number, turn, _ in placed)
    return tuple(TurnNote(number, memory) for number, memory in made if memory)


def keep_turns(
    vault: Vault,
    state: Connection,
    session: str,
    placed: Sequence[NumberedTurn],
    notes: Iterable[TurnNote],
    *,
    captured: bool,
    logged: bool = True,
    project: str,
) -> None:
    """Keep turns, with the ``notes`` about them, and the calls in them.

    ``captured`` says that they were searched for decrees. The first turn of a session
    deletes old sessions.

    For turns that are not ``logged`` only calls are counted. What
    ran before the first message is added to the turn before it.
    """
    memories = {note.turn: note.memory for note in notes}
    now = vault.now
    logged_turns = []
    for number, turn, _ in placed:
        memory = memories.get(number)
        follows = turn.index < 0 <= number
        if follows:
            _extend(state, session, number, turn, memory)
        else:
            document = turn_document(memory) if memory else {}
            logged_turns.append(LoggedTurn(number, mark_of(turn), captured, document))
        count_calls(state, session, number, statistics([turn]), now, add=follows)
    if logged:
        log_turns(state, session, logged_turns, now, project)
        if any(part.number == 0 for part in placed):
            forget_sessions(state, now, vault.session_days)
        _note_passed(state, session, placed)


def _extend(
    state: Connection, session: str, number: int, turn: Turn, memory: TurnMemory | None
) -> None:
    """Add what a turn did after it was stored."""
    known = dict(turn_documents(state, session)).get(number)
    before = turn_from(known) if known else TurnMemory()
    after = merged([with_passed(before, passed_commands(turn)), memory])
    if after != before:
        extend_turn(state, session, number, turn_document(after))


def _note_passed(
    state: Connection, session: str, placed: Sequence[NumberedTurn]
) -> None:
    """Note in earlier turns which of their failed commands passed in these."""
    if not placed:
        return
    for number, document in unfixed_turns(state, session, placed[-1].number):
        later = (part.turn for part in placed if part.number > number)
        before = turn_from(document)
        after = before
        for turn in later:
            after = with_passed(after, passed_commands(turn))
        if after != before:
            extend_turn(state, session, number, turn_document(after))


def read_turns(path: Path | None, data: Lines, name: str) -> Transcript:
    """The transcript of a file, or the one in ``data``, in the format named.

    Raises ``StorageError`` for the file, and ``UsageError`` for a format that does
    not exist and for text that has none.
    """
    if path is None:
        transcript = read_transcript(data, format=name)
    else:
        with open_transcript(path) as file:
            transcript = read_transcript(file, format=name)
    require_format(transcript)
    return transcript


def add_turns(
    vault: Vault, session: str, transcript: Transcript, cwd: str
) -> tuple[TurnNote, ...]:
    """Keep the turns of a transcript, or of its new end, without looking for rules.

    Calls without any message are a separate, new turn. ``cwd`` is
    where files are seen from when the transcript does not say it. Raises
    ``StorageError`` when local state cannot be written.
    """
    cwd = transcript.session.cwd or clean(cwd)
    with open_state(vault.root) as state:
        begin_write(state)
        marks = logged_marks(state, session)
        known = marks_in_order({index: mark for index, (mark, _) in marks.items()})
        if any(turn.index >= 0 for turn in transcript.turns):
            placed = place_turns(transcript.turns, known, None)
        else:
            placed = tuple(
                NumberedTurn(len(known), turn._replace(index=0))
                for turn in transcript.turns
            )
        notes = turn_notes(placed, cwd)
        keep_turns(
            vault,
            state,
            session,
            placed,
            notes,
            captured=False,
            project=project_of(vault),
        )
    return notes


def list_sessions(vault: Vault) -> tuple[SessionRow, ...]:
    """The sessions of the vault's project that turns are kept of, newest first."""
    if not has_state(vault.root):
        return ()
    with open_state(vault.root) as state:
        return tuple(SessionRow(*row) for row in sessions(state, project_of(vault)))


def list_turns(
    vault: Vault, session: str, last: int | None = limits.TURNS_SHOWN
) -> tuple[TurnNote, ...]:
    """The last turns (or all) of a session that left something, in order.

    Turns of other projects than the vault's are left out.
    """
    if not has_state(vault.root):
        return ()
    with open_state(vault.root) as state:
        documents = turn_documents(state, session, last, project_of(vault))
    return tuple(TurnNote(index, turn_from(document)) for index, document in documents)


def show_turn(vault: Vault, session: str, index: int | None) -> TurnNote | None:
    """One turn of a session, or its last one; None where it left nothing."""
    if index is None:
        return next(iter(list_turns(vault, session, 1)), None)
    turns = list_turns(vault, session, None)
    return next((note for note in turns if note.turn == index), None)


def render_turns(notes: Iterable[TurnNote]) -> str:
    """The block of these turns; empty when they left nothing."""
    return render(note.memory for note in notes)
