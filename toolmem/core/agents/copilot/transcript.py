"""GitHub Copilot CLI: the events of a session's ``events.jsonl``."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from toolmem.core.agents.copilot import SHELL_ENDED
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
    items,
    mapping,
    milliseconds,
    moment,
    text,
)
from toolmem.core.transcript.harness import user_texts
from toolmem.core.transcript.outcome import refusal
from toolmem.core.transcript.records import TranscriptRecord
from toolmem.core.transcript.tools import make_call

_FIRST_CODE = re.compile(r"exit code:? (-?\d{1,9})\b", re.IGNORECASE)
_FAMILIES = ("session", "user", "assistant", "tool", "hook", "subagent", "system")
_REFUSALS = {"denied": CallStatus.DENIED_BY_HOOK, "rejected": CallStatus.REJECTED}
"""Statuses of the error codes of calls that were not run."""
_MARKERS = {
    "abort": "interrupt",
    "session.compaction_complete": "compaction",
    "session.truncation": "compaction",
    "session.shutdown": "session_end",
}


def sniff(record: dict[str, Any]) -> int:
    """Score how much an object looks like an event of Copilot, 0 to 3."""
    kind = record.get("type")
    if not isinstance(kind, str) or not isinstance(record.get("data"), dict):
        return 0
    family, dot, _ = kind.partition(".")
    return 3 if dot and family in _FAMILIES else 1 if kind in _MARKERS else 0


def read(records: Iterable[TranscriptRecord], skipped: Counter[str]) -> Iterator[Event]:
    """Yield the events of a session; those of hooks and the system are skipped."""
    for record in records:
        line = record.value
        kind, data = text(line.get("type")), mapping(line.get("data"))
        place = record.position.named(text(line.get("id")))
        ts = moment(line.get("timestamp"))
        if kind == "session.start":
            yield _session(data, ts)
        elif kind == "user.message":
            yield from _user(data, place, ts)
        elif kind == "assistant.message":
            yield from _assistant(data, place, ts)
        elif kind == "tool.execution_start":
            name, args = data.get("toolName"), data.get("arguments")
            yield make_call(data.get("toolCallId"), name, args, place, ts)
        elif kind == "tool.execution_complete":
            yield _result(data, place, ts)
        elif kind in _MARKERS:
            yield Marker(_MARKERS[kind], ts, place)
        else:
            skipped[kind[:40] or "no type"] += 1


def _session(data: dict[str, Any], ts: datetime | None) -> Session:
    context = mapping(data.get("context"))
    return Session(
        agent="copilot",
        id=text(data.get("sessionId")),
        cwd=text(context.get("cwd")),
        branch=text(context.get("branch")),
        started=moment(data.get("startTime")) or ts,
        version=text(data.get("copilotVersion")),
    )


def _user(
    data: dict[str, Any], place: Position, ts: datetime | None
) -> Iterator[Event]:
    # Newer versions give typed messages a task, too, and their kind of delivery.
    of_task = data.get("parentAgentTaskId") and "delivery" not in data
    by_person = not of_task and data.get("source") in (None, "user")
    yield from user_texts([flatten(data.get("content"))], place, ts, by_person)


def _assistant(
    data: dict[str, Any], place: Position, ts: datetime | None
) -> Iterator[Event]:
    text = flatten(data.get("content"))
    if text.strip() and not data.get("parentToolCallId"):
        yield AssistantText(text, ts, place)
    for request in map(mapping, items(data.get("toolRequests"))):
        call_id, args = request.get("toolCallId"), request.get("arguments")
        yield make_call(call_id, request.get("name"), args, place, ts)


def _result(data: dict[str, Any], place: Position, ts: datetime | None) -> ToolResult:
    """Return a result; the shell's exit code ends its text, even if success is true."""
    output = flatten(data.get("result")) or flatten(data.get("error"))
    problem = mapping(data.get("error"))
    error = flatten(problem.get("message")) or output
    match = SHELL_ENDED.search(output[-200:])
    if data.get("success") is False:
        status = refusal(error) or _REFUSALS.get(text(problem.get("code")).lower())
        status = status or CallStatus.FAILED
        match = match or _FIRST_CODE.match(output)
    elif match and int(match[1]):
        status = CallStatus.FAILED
    else:
        status = CallStatus.OK if data.get("success") is True else CallStatus.UNKNOWN
    metrics = mapping(mapping(data.get("toolTelemetry")).get("metrics"))
    return ToolResult(
        call_id=text(data.get("toolCallId")),
        status=status,
        exit_code=int(match[1]) if match else None,
        output=capped(output),
        duration_ms=milliseconds(metrics.get("durationMs")),
        ts=ts,
        position=place,
    )
