"""OpenAI Codex: rollout files of every version, and ``codex exec --json``."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from toolmem.core.agents.codex.transcript_events import event_of, user_message
from toolmem.core.transcript.events import (
    CallStatus,
    Event,
    Position,
    Session,
    TranscriptCall,
    UserText,
)
from toolmem.core.transcript.fields import first_text, mapping, moment, text
from toolmem.core.transcript.readers.responses import RunningProcesses, item_events
from toolmem.core.transcript.records import TranscriptRecord

_ENVELOPES = frozenset(
    (
        *("session_meta", "response_item", "event_msg", "turn_context", "compacted"),
        *("world_state", "inter_agent_communication_metadata"),
    )
)
_STREAM = frozenset(
    (
        *("thread.started", "turn.started", "turn.completed", "turn.failed"),
        *("item.started", "item.updated", "item.completed"),
    )
)


class _State:
    """State of reading; ``typed`` maps event numbers to reliability of the source."""

    def __init__(self) -> None:
        self.runs = RunningProcesses()
        self.session: Session | None = None
        self.calls: set[str] = set()
        self.typed: dict[int, int] = {}


def sniff(record: dict[str, Any]) -> int:
    """Score how much an object looks like a line of Codex, 0 to 3."""
    kind = record.get("type")
    if isinstance(kind, str):
        if kind in _ENVELOPES and isinstance(record.get("payload"), dict):
            return 3
        if kind in _STREAM:
            return 3
    return 3 if record.get("record_type") == "state" else 0


def read(records: Iterable[TranscriptRecord], skipped: Counter[str]) -> Iterator[Event]:
    """Yield the events of a session, without duplicates of a message."""
    state = _State()
    events: list[Event] = []
    for record in records:
        for sure, event in _line(record, state, skipped):
            if isinstance(event, UserText) and not event.synthetic:
                state.typed[len(events)] = sure
            events.append(event)
    yield from _without_copies(events, state)


def _line(
    record: TranscriptRecord, state: _State, skipped: Counter[str]
) -> Iterator[tuple[int, Event]]:
    """Yield the events of a line, each with the reliability of its typed text."""
    line = record.value
    kind, payload = text(line.get("type")), mapping(line.get("payload"))
    place = record.position.named(first_text(payload, "id") or first_text(line, "id"))
    ts = moment(line.get("timestamp", line.get("created_at")))
    if kind == "session_meta" or (kind == "turn_context" and state.session is None):
        if state.session is None:
            state.session = _session(payload, ts)
            yield 0, state.session
    elif kind == "thread.started":
        state.session = Session("codex", text(line.get("thread_id")))
        yield 0, state.session
    elif kind == "event_msg" or kind in _STREAM:
        yield from _event(kind, line, payload, place, ts, state, skipped)
    elif kind == "response_item" or (kind not in _ENVELOPES and "payload" not in line):
        item = payload or line
        for event in item_events(item, place, ts, state.runs, CallStatus.OK, skipped):
            if isinstance(event, TranscriptCall):
                state.calls.add(event.id)
            yield 0, event
    else:
        skipped[kind[:40] or "no type"] += 1


def _event(
    kind: str,
    line: dict[str, Any],
    payload: dict[str, Any],
    place: Position,
    ts: datetime | None,
    state: _State,
    skipped: Counter[str],
) -> Iterator[tuple[int, Event]]:
    if kind == "item.completed":
        payload = {"type": "item_completed", "item": line.get("item")}
    message = user_message(payload, place, ts)
    yield from message
    events = event_of(payload, place, ts)
    for event in events:
        if isinstance(event, TranscriptCall):
            if event.id in state.calls:
                continue
            state.calls.add(event.id)
        yield 0, event
    if not message and not events:
        skipped[text(payload.get("type"))[:40] or kind] += 1


def _session(meta: dict[str, Any], ts: datetime | None) -> Session:
    return Session(
        agent="codex",
        id=first_text(meta, "id", "session_id"),
        cwd=text(meta.get("cwd")),
        branch=text(mapping(meta.get("git")).get("branch")),
        started=moment(meta.get("timestamp")) or ts,
        version=text(meta.get("cli_version")),
        subagent="subagent" in mapping(meta.get("source")),
    )


def _without_copies(events: list[Event], state: _State) -> Iterator[Event]:
    """Take typed text from the most reliable source in the file.

    If Codex recorded what the user sent, a user item that repeats it is a copy, and
    another one was added by a program. A sub-agent has no user.
    """
    subagent = state.session is not None and state.session.subagent
    best = max(state.typed.values(), default=0)
    surest = {
        event.text
        for index, event in enumerate(events)
        if isinstance(event, UserText) and state.typed.get(index) == best
    }
    for index, event in enumerate(events):
        sure = state.typed.get(index)
        if not isinstance(event, UserText) or sure is None:
            yield event
        elif sure == best:
            yield event._replace(synthetic=subagent)
        elif event.text not in surest:
            yield event._replace(synthetic=True)
