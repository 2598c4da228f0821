"""Working out what hooks left in a session's journal: turns, counts, failures.

A journal holds a line an event: ``prompt`` (a message began a turn; ``said`` is its
text, ``agent`` whom it was said to), ``call`` (a call has ended), ``outcome`` (how one
ended, where that was known later), ``reply`` (what the model said last), ``shown``,
``matched``, ``asked`` and ``denied`` (rules), ``verdict`` (the guard's, on a call).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from sqlite3 import Connection
from typing import Any, NamedTuple

from toolmem.core.access.dialogue import ASSISTANT, USER
from toolmem.core.transcript import read
from toolmem.core.transcript.events import Turn
from toolmem.core.turns.failures import repeated_failures
from toolmem.core.turns.places import TurnMark, typed_at
from toolmem.core.turns.statistics import ToolStatistics, statistics
from toolmem.ops.capture import context, failures, rule_events
from toolmem.ops.session import dialogue
from toolmem.ops.session.messages import NumberedTurn
from toolmem.ops.session.steps import keep_steps
from toolmem.ops.session.turns import TurnNote, keep_turns, render_turns, turn_notes
from toolmem.store.journal import journal
from toolmem.store.journal.journal import ClaimedLines
from toolmem.store.state import trace
from toolmem.store.state.counters import count_event
from toolmem.store.state.database import begin_write, open_state
from toolmem.store.state.notebook import Notebook
from toolmem.store.state.retention import forget_expired
from toolmem.store.state.turn_log import (
    LoggedTurn,
    log_turns,
    logged_marks,
    note_processed,
    processed_files,
)
from toolmem.store.vault.vault import Vault


class _Part(NamedTuple):
    """The calls of one turn, and the mark of the message that began it, if known.

    ``prompt`` is that message and ``reply`` the model's, where they are kept.
    """

    mark: str
    turn: Turn
    prompt: str = ""
    reply: str = ""


class _Place(NamedTuple):
    """The session that turns belong to, the folder that it is in, and its project."""

    key: str
    cwd: str
    project: str


class _PlacedPart(NamedTuple):
    """A turn in its place, and its mark if it begins here."""

    placed: NumberedTurn
    mark: TurnMark | None
    part: _Part


def process_journal(vault: Vault, session: str) -> tuple["failures.FailureNote", ...]:
    """Work out what waits of a session; the tools that failed again and again in it.

    Raises ``LockedError`` and ``StorageError`` where it cannot be written: then it
    goes on waiting.
    """
    return _process_session(vault, journal.name_of(session))


class PendingCounts(NamedTuple):
    """Waiting journal records: calls by tool, events of rules, and verdicts."""

    calls: tuple[ToolStatistics, ...]
    rules: tuple["rule_events.RuleEvent", ...]
    verdicts: tuple["trace.TraceLine", ...]


def pending_counts(vault: Vault) -> PendingCounts:
    """Read the waiting entries of unfinished turns without removing them."""
    lines = [
        line
        for name in journal.names(vault.root)
        if "." not in name
        for line in journal.read(vault.root, name)
    ]
    return PendingCounts(
        statistics([part.turn for part in _parts(lines)]),
        rule_events.rule_events(lines, vault.now),
        tuple(rule_events.verdicts(lines, vault.now)),
    )


def process_pending(vault: Vault, session: str | None = None) -> None:
    """Process the turns that have not ended, of one session or of all.

    Raises as ``process_journal`` does.
    """
    wanted = None if session is None else journal.name_of(session)
    for name in journal.names(vault.root):
        if "." not in name and wanted in (None, name):
            _process_session(vault, name)


def process_abandoned(vault: Vault) -> None:
    """Process what a hook took and did not finish before it died.

    Raises as ``process_pending`` does.
    """
    for name in journal.abandoned(vault.root):
        if "." not in name:
            _process_session(vault, name)


def _process_session(vault: Vault, name: str) -> tuple["failures.FailureNote", ...]:
    taken = journal.take(vault.root, name)
    try:
        notes = _process(vault, _unprocessed(vault, taken)) if taken.lines else ()
    except BaseException:
        journal.give_back(taken)
        raise
    journal.forget(taken)
    return notes


def _unprocessed(vault: Vault, taken: ClaimedLines) -> ClaimedLines:
    """Return the entries, without files that a process failed to delete."""
    return taken.without(Notebook(vault.root).read(processed_files) or ())


def _process(vault: Vault, taken: ClaimedLines) -> tuple["failures.FailureNote", ...]:
    lines = taken.lines
    if not lines:
        return ()
    session, cwd = (_first(lines, key) for key in ("session", "cwd"))
    key = session or f"run:{taken.files[0].name}"
    parts = _parts(lines)
    notebook = Notebook(vault.root)
    first = 1 + max(notebook.read(lambda state: logged_marks(state, key)) or [-1])
    placed = _placed(parts, first)
    notes = _failures(vault, notebook, [turn for turn, _, _ in placed], key)
    with open_state(vault.root) as state:
        begin_write(state)
        forget_expired(state, vault.now)
        agent, project = (_first(lines, name) for name in ("agent", "project"))
        place = _Place(key, cwd, project)
        left = _keep(state, vault, place, placed, logged=bool(session))
        utterances = _utterances(
            [(turn.number, part) for turn, _, part in placed], vault.now
        )
        if session and utterances:
            speaker = dialogue.Speaker(session, agent, project)
            dialogue.save_utterances(state, vault, speaker, utterances, more=True)
            dialogue.save_working_memory(
                state, vault, speaker, utterances, render_turns(left[-1:])
            )
        if session:
            keep_steps(state, vault, session, lines)
        _count_rules(state, lines, vault)
        verdicts = list(rule_events.verdicts(lines, vault.now))
        if verdicts:
            trace.add_to(state, verdicts)
        note_processed(state, [file.name for file in taken.files])
        if notes:
            failures.keep_failures(state, notes, vault.now)
    return notes


def _first(lines: Iterable[Mapping[str, Any]], key: str) -> str:
    """The first value of a key that is not empty."""
    return next((str(line[key]) for line in lines if line.get(key)), "")


def _keep(
    state: Connection,
    vault: Vault,
    place: _Place,
    placed: Iterable[_PlacedPart],
    *,
    logged: bool,
) -> list[TurnNote]:
    """Keep the turns; what they left behind."""
    left: list[TurnNote] = []
    for turn, mark, _ in placed:
        if mark is not None:
            started = LoggedTurn(turn.number, mark, True, {})
            log_turns(state, place.key, [started], vault.now, place.project)
        notes = turn_notes([turn], place.cwd)
        keep_turns(
            vault,
            state,
            place.key,
            [turn],
            notes,
            captured=True,
            logged=logged,
            project=place.project,
        )
        left += notes
    return left


def _utterances(
    parts: Iterable[tuple[int, _Part]], now: datetime
) -> list["dialogue.Utterance"]:
    """Return the messages of both sides by turn number."""
    utterances = []
    for number, part in parts:
        typed = typed_at(part.mark) or now
        if part.prompt:
            utterances.append(dialogue.Utterance(number, USER, part.prompt, typed))
        if part.reply:
            utterances.append(dialogue.Utterance(number, ASSISTANT, part.reply, now))
    return utterances


def _parts(lines: Iterable[Mapping[str, Any]]) -> list[_Part]:
    heads: list[Mapping[str, Any]] = [{}]
    calls: list[list[Any]] = [[]]
    replies: list[list[str]] = [[]]
    outcomes: dict[str, Mapping[str, Any]] = {}
    for line in lines:
        if isinstance(line.get("prompt"), str):
            heads.append(line)
            calls.append([])
            replies.append([])
        elif isinstance(line.get("call"), dict):
            calls[-1].append(line["call"])
        elif isinstance(line.get("outcome"), dict):
            outcomes[str(line["outcome"].get("id"))] = line["outcome"]
        elif isinstance(line.get("reply"), str):
            replies[-1].append(line["reply"])
    return [
        _Part(
            head.get("prompt", ""),
            _turn(_with_outcomes(recorded, outcomes)),
            str(head.get("said", "")),
            "\n\n".join(dict.fromkeys(reply)),
        )
        for head, recorded, reply in zip(heads, calls, replies, strict=True)
    ]


def _with_outcomes(
    calls: Iterable[Mapping[str, Any]], outcomes: Mapping[str, Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The calls as they ended, each id once: several hooks may record one call.

    A record of a call that goes on is replaced.
    """
    events: list[dict[str, Any]] = []
    places: dict[str, int] = {}
    for call in calls:
        key = str(call.get("id", ""))
        ended = {**call, **outcomes.get(key, {})}
        at = places.get(key) if key else None
        if at is None:
            places[key] = len(events)
            events.append(ended)
        elif "output" not in events[at]:
            events[at] = ended
    return events


def _turn(calls: Sequence[Mapping[str, Any]]) -> Turn:
    """The calls as the turn that goes on: their message is not among them."""
    message = {"role": "assistant", "tool_calls": list(calls)}
    document = json.dumps({"messages": [message]}).encode()
    turns = read.read_transcript(document, format="toolmem").turns if calls else ()
    return turns[0] if turns else Turn(-1)


def _placed(parts: Sequence[_Part], first: int) -> list[_PlacedPart]:
    """The turns with their numbers, and the marks of those that begin."""
    split: list[_PlacedPart] = []
    for part in parts:
        begins = bool(part.mark)
        if not begins and not part.turn.uses and (first == 0 or not part.reply):
            continue  # nothing, or an answer to an unknown message
        if not begins and first == 0:
            begins = True  # nothing is known of the message: it counts all the same
        first += begins
        mark = TurnMark(part.mark, 0, 0, bool(part.mark)) if begins else None
        split.append(_PlacedPart(NumberedTurn(first - 1, part.turn), mark, part))
    return split


def _failures(
    vault: Vault, notebook: Notebook, placed: Iterable[NumberedTurn], key: str
) -> tuple["failures.FailureNote", ...]:
    failed = [turn for turn in placed if repeated_failures(turn.turn)]
    if not failed or vault.setting("capture.mode") == "off" or vault.is_newer:
        return ()
    known = context.CaptureContext(vault, vault.write_scope)
    writer = failures.FailureWriter(vault, known, notebook, dry_run=False)
    place = "" if key.startswith("run:") else f"session {key}"
    return tuple(note for turn in failed for note in writer.note(turn, key, place))


def _count_rules(
    state: Connection, lines: Iterable[Mapping[str, Any]], vault: Vault
) -> None:
    for event in rule_events.rule_events(lines, vault.now):
        rule, kind, tool, at, times = event
        count_event(state, rule, kind, at, tool=tool, count=times)
