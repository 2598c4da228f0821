"""Working out what hooks left in a session's journal: turns, counts, failures.

A journal holds a line an event: ``prompt`` (a message began a turn), ``call``
(a call has ended), ``shown``, ``matched``, ``asked`` and ``denied`` (rules).
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any, NamedTuple

from toolmem.core.on_demand import OnDemand
from toolmem.core.scope import write_scope
from toolmem.core.transcript.events import Turn
from toolmem.core.transcript.read import read_transcript
from toolmem.core.turns.failures import repeated_failures
from toolmem.core.turns.places import Mark
from toolmem.ops.hearing import Placed
from toolmem.ops.notebook import Notebook
from toolmem.ops.turns import keep_turns, turn_notes
from toolmem.store import journal
from toolmem.store.journal import Taken
from toolmem.store.state import open_state
from toolmem.store.tally import count_event, note_event
from toolmem.store.turn_log import LoggedTurn, log_turns, logged_marks
from toolmem.store.vault import Vault

if TYPE_CHECKING:
    from toolmem.ops import failures, known
    from toolmem.ops.failures import FailureNote
else:
    # Most turns repeat no failure.
    failures = OnDemand("toolmem.ops.failures")
    known = OnDemand("toolmem.ops.known")

RULE_EVENTS = ("shown", "matched", "asked", "denied")
"""What befalls rules while an agent works."""


class _Part(NamedTuple):
    """The calls of one turn, and the mark of the message that began it, if known."""

    mark: str
    turn: Turn


def settle(vault: Vault, session: str) -> tuple["FailureNote", ...]:
    """Work out what waits of a session; the tools that failed again and again in it.

    Raises ``LockedError`` and ``StorageError`` where it cannot be written: then it
    goes on waiting.
    """
    return _settle(vault, journal.name_of(session))


def settle_all(vault: Vault) -> None:
    """Work out what waits of every session; what cannot be written goes on waiting."""
    for name in journal.names(vault.root):
        if "." not in name:
            _settle(vault, name)


def _settle(vault: Vault, name: str) -> tuple["FailureNote", ...]:
    taken = journal.take(vault.root, name)
    try:
        notes = _worked_out(vault, taken) if taken.lines else ()
    except BaseException:
        journal.give_back(taken)
        raise
    journal.forget(taken)
    return notes


def _worked_out(vault: Vault, taken: Taken) -> tuple["FailureNote", ...]:
    lines = taken.lines
    session = next((str(line["session"]) for line in lines if line.get("session")), "")
    key = session or f"run:{taken.files[0].name}"
    cwd = next((str(line["cwd"]) for line in lines if line.get("cwd")), "")
    parts = _parts(lines)
    notebook = Notebook(vault)
    first = 1 + max(notebook.read(lambda state: logged_marks(state, key)) or [-1])
    placed = _placed(parts, first)
    notes = _failures(vault, notebook, [one for one, _ in placed], session)
    with open_state(vault.root) as state:
        state.execute("BEGIN IMMEDIATE")
        for one, mark in placed:
            if mark is not None:
                started = LoggedTurn(one.number, mark, True, {})
                log_turns(state, key, [started], vault.now)
            keep_turns(
                state,
                key,
                [one],
                turn_notes([one], cwd),
                vault.now,
                heard=True,
                logged=bool(session),
            )
        _count_rules(state, lines, key, vault)
        for note in notes:
            if note.id:
                note_event(state, note.id, "failed", note.place, vault.now, note.times)
    return notes


def _parts(lines: Iterable[Mapping[str, Any]]) -> list[_Part]:
    marks, calls = [""], [[]]  # type: tuple[list[str], list[list[Any]]]
    for line in lines:
        if isinstance(line.get("prompt"), str):
            marks.append(line["prompt"])
            calls.append([])
        elif isinstance(line.get("call"), dict):
            calls[-1].append(line["call"])
    return [_Part(mark, _turn(held)) for mark, held in zip(marks, calls, strict=True)]


def _turn(calls: Sequence[Mapping[str, Any]]) -> Turn:
    """The calls as the turn that goes on: their message is not among them."""
    message = {"role": "assistant", "tool_calls": list(calls)}
    document = json.dumps({"messages": [message]}).encode()
    turns = read_transcript(document, format="toolmem").turns if calls else ()
    return turns[0] if turns else Turn(-1)


def _placed(parts: Sequence[_Part], first: int) -> list[tuple[Placed, Mark | None]]:
    """The turns with their numbers, and the marks of those that begin."""
    found: list[tuple[Placed, Mark | None]] = []
    for part in parts:
        begins = bool(part.mark)
        if not begins and not part.turn.uses:
            continue
        if not begins and first == 0:
            begins = True  # nothing is known of the message: it counts all the same
        first += begins
        mark = Mark(part.mark, 0, 0, bool(part.mark)) if begins else None
        found.append((Placed(first - 1, part.turn), mark))
    return found


def _failures(
    vault: Vault, notebook: Notebook, placed: Iterable[Placed], session: str
) -> tuple["FailureNote", ...]:
    failed = [one for one in placed if repeated_failures(one.turn)]
    if not failed or vault.setting("capture.mode") == "off" or vault.is_newer:
        return ()
    held = known.Known(vault, write_scope(vault.chain))
    writer = failures.FailureWriter(vault, held, notebook, dry_run=False)
    place = f"session {session}" if session else ""
    return tuple(note for one in failed for note in writer.note(one, session, place))


def _count_rules(
    state: Connection, lines: Iterable[Mapping[str, Any]], session: str, vault: Vault
) -> None:
    counted = Counter(
        (str(rule), kind)
        for line in lines
        for kind in RULE_EVENTS
        if isinstance(line.get(kind), list)
        for rule in line[kind]
    )
    for (rule, kind), count in sorted(counted.items()):
        count_event(state, rule, kind, f"session {session}", vault.now, count)
