"""OpenCode: the output of ``opencode export``, or its stored messages and parts."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from toolmem.core.transcript.events import (
    AssistantText,
    CallStatus,
    Event,
    Marker,
    Position,
    Session,
    ToolResult,
)
from toolmem.core.transcript.fields import (
    capped,
    flatten,
    integer,
    items,
    mapping,
    moment,
    text,
)
from toolmem.core.transcript.harness import user_texts
from toolmem.core.transcript.outcome import refusal
from toolmem.core.transcript.records import TranscriptRecord
from toolmem.core.transcript.tools import make_call

_STATUS = {
    "completed": CallStatus.OK,
    "success": CallStatus.OK,
    "error": CallStatus.FAILED,
    "running": CallStatus.RUNNING,
    "pending": CallStatus.RUNNING,
}


class _Message:
    def __init__(self) -> None:
        self.role = ""
        self.created: datetime | None = None
        self.place = Position()
        self.parts: list[dict[str, Any]] = []


def sniff(record: dict[str, Any]) -> int:
    """Score how much an object looks like a part of an OpenCode session, 0 to 3."""
    info = mapping(record.get("info"))
    if "role" in info and isinstance(record.get("parts"), list):
        return 3
    if "messageID" in record or ("sessionID" in record and "role" in record):
        return 3
    return 2 if "directory" in info or "projectID" in record else 0


def read(records: Iterable[TranscriptRecord], skipped: Counter[str]) -> Iterator[Event]:
    """Yield the events of a session, messages in the order of their creation."""
    messages: dict[str, _Message] = {}
    session = Session("opencode")
    for record in records:
        line = record.value
        info = mapping(line.get("info")) or line
        if "messageID" in line:
            known = messages.setdefault(text(line["messageID"]), _Message())
            known.parts.append(line)
        elif "role" in info:
            key = text(info.get("id"))
            known = messages.setdefault(key or f"line {record.position}", _Message())
            known.role, known.place = text(info["role"]), record.position.named(key)
            known.created = moment(mapping(info.get("time")).get("created"))
            known.parts += map(mapping, items(line.get("parts")))
        elif "directory" in info:
            session = _session(info)
        else:
            skipped[text(line.get("type"))[:40] or "no message"] += 1
    yield session
    ordered = list(messages.values())
    if all(message.created for message in ordered):
        ordered.sort(key=lambda message: str(message.created))
    for message in ordered:
        for part in message.parts:
            yield from _part(part, message, session.subagent, skipped)


def _session(info: dict[str, Any]) -> Session:
    return Session(
        agent="opencode",
        id=text(info.get("id")),
        cwd=text(info.get("directory")),
        started=moment(mapping(info.get("time")).get("created")),
        version=text(info.get("version")),
        subagent=bool(info.get("parentID")),
    )


def _part(
    part: dict[str, Any], message: _Message, subagent: bool, skipped: Counter[str]
) -> Iterator[Event]:
    kind, place, ts = text(part.get("type")), message.place, message.created
    if kind == "text" and message.role == "user":
        by_person = not (part.get("synthetic") or part.get("ignored") or subagent)
        plain = unquoted(flatten(part.get("text")))
        yield from user_texts([plain], place, ts, by_person)
    elif kind == "text":
        yield AssistantText(flatten(part.get("text")), ts, place)
    elif kind == "tool":
        state = mapping(part.get("state"))
        name, call_id = part.get("tool"), part.get("callID")
        yield make_call(call_id, name, state.get("input"), place, ts)
        yield _result(text(call_id), state, place, ts)
    elif kind == "compaction":
        yield Marker("compaction", ts, place)
    else:
        skipped[kind[:40] or "no type"] += 1


def unquoted(text: str) -> str:
    """Remove the quotes that ``opencode run`` puts around an argument."""
    inner = text[1:-1]
    quoted = " " in inner and text[0] == text[-1] == '"'
    if not quoted or re.search(r'(?<!\\)"', inner):
        return text
    return inner.replace('\\"', '"')


def _result(
    call_id: str, state: dict[str, Any], place: Position, ts: datetime | None
) -> ToolResult:
    code = integer(mapping(state.get("metadata")).get("exit"))
    status = _STATUS.get(text(state.get("status")), CallStatus.UNKNOWN)
    output = flatten(state.get("error")) or flatten(state.get("output"))
    if status is CallStatus.FAILED:
        status = refusal(output) or status
    elif code and status is CallStatus.OK:
        status = CallStatus.FAILED
    time = mapping(state.get("time"))
    start, end = integer(time.get("start")), integer(time.get("end"))
    known = start is not None and end is not None and end >= start
    return ToolResult(
        call_id=call_id,
        status=status,
        exit_code=code,
        output=capped(output),
        duration_ms=end - start if known and start is not None and end else None,
        ts=ts,
        position=place,
    )
