"""Gemini CLI: chat recordings (JSON and JSON lines), checkpoints, and API contents."""

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
    items,
    mapping,
    moment,
    text,
)
from toolmem.core.transcript.harness import user_texts
from toolmem.core.transcript.outcome import refusal
from toolmem.core.transcript.records import TranscriptRecord
from toolmem.core.transcript.tools import kind_of, make_call

_TYPES = frozenset(("user", "gemini", "model", "info", "error", "warning"))
_SHELL_CODE = re.compile(
    r"(?:^|\n|\\n)Exit Code: (-?\d{1,9})"
    r"(?:(?:\n|\\n)(?:Signal|Background PIDs|Process Group PGID): [^\n\\]{1,200}){0,3}"
    r"(?:(?:\n|\\n)</untrusted_context>)?\s*\Z"
)
"""The code among the lines that Gemini CLI adds after a command's output, which it puts
between marks since 0.61."""
_FOOTER_CHARS = 1_000
_STATUS = {
    "success": CallStatus.OK,
    "error": CallStatus.FAILED,
    "cancelled": CallStatus.CANCELLED,
    "validating": CallStatus.RUNNING,
    "scheduled": CallStatus.RUNNING,
    "executing": CallStatus.RUNNING,
    "awaiting_approval": CallStatus.RUNNING,
}


def sniff(record: dict[str, Any]) -> int:
    """Score how much an object looks like a message of Gemini CLI, 0 to 3."""
    if "projectHash" in record or "$set" in record or "$rewindTo" in record:
        return 3
    if "parts" in record and record.get("role") in ("user", "model", "gemini"):
        return 3
    kind = text(record.get("type"))
    known = kind in _TYPES and "message" not in record
    if known and ("toolCalls" in record or kind == "gemini"):
        return 3
    return 1 if known and "id" in record and "content" in record else 0


def read(records: Iterable[TranscriptRecord], skipped: Counter[str]) -> Iterator[Event]:
    """Yield the events of a session; the last version of a repeated message counts.

    Rewound messages are dropped. A ``$set`` of messages is the model's own context
    after a compaction, not the conversation, and is skipped.
    """
    yield Session("gemini")
    messages: dict[str, list[Event]] = {}
    for record in records:
        line = record.value
        rewound = line.get("$rewindTo")
        if isinstance(rewound, str):
            _rewind(messages, rewound)
        elif "sessionId" in line and "type" not in line:
            yield _session(line)
        elif "parts" in line or text(line.get("type")) in _TYPES:
            key = text(line.get("id"))
            place = record.position.named(key)
            events = list(_message(line, place, moment(line.get("timestamp"))))
            messages[key or f"line {place.key}"] = events
        else:
            skipped["$set" if "$set" in line else "no message"] += 1
    for events in messages.values():
        yield from events


def _rewind(messages: dict[str, list[Event]], key: str) -> None:
    """Drop a message and all after it; an unknown id drops nothing."""
    while key in messages:
        messages.popitem()


def _session(header: dict[str, Any]) -> Session:
    folders = [text(part) for part in items(header.get("directories"))]
    return Session(
        agent="gemini",
        id=text(header.get("sessionId")),
        cwd=folders[0] if folders else "",
        started=moment(header.get("startTime")),
        subagent=header.get("kind") == "subagent",
    )


def _message(
    line: dict[str, Any], place: Position, ts: datetime | None
) -> Iterator[Event]:
    kind = text(line.get("type")) or text(line.get("role"))
    content = line.get("parts", line.get("content", line.get("message")))
    parts = [mapping(part) for part in items(content)]
    if kind == "user":
        answers = [part for part in parts if "functionResponse" in part]
        for part in answers:
            response = mapping(part["functionResponse"])
            yield _result(response.get("id"), response, "", "", place, ts)
        # The display text is what was typed; the content also has pasted files.
        shown = line.get("displayContent") or content
        texts = [flatten(part) for part in _blocks(shown)]
        yield from user_texts(texts, place, ts, by_person=not answers)
    elif kind in ("gemini", "model"):
        yield from _model(line, content, parts, place, ts)
    elif kind == "info" and flatten(content).startswith("Request cancelled"):
        yield Marker("interrupt", ts, place)
    elif kind == "info" and flatten(content).startswith("Chat history compressed"):
        yield Marker("compaction", ts, place)


def _blocks(content: object) -> list[Any]:
    return content if isinstance(content, list) else [content]


def _model(
    line: dict[str, Any],
    content: object,
    parts: list[dict[str, Any]],
    place: Position,
    ts: datetime | None,
) -> Iterator[Event]:
    spoken = [part for part in _blocks(content) if not mapping(part).get("thought")]
    joined = "\n".join(filter(str.strip, map(flatten, spoken)))
    if joined:
        yield AssistantText(joined, ts, place)
    calls = [mapping(call) for call in items(line.get("toolCalls"))]
    for call in calls:
        yield make_call(call.get("id"), call.get("name"), call.get("args"), place, ts)
        answers = [mapping(part) for part in items(call.get("result"))]
        response = mapping(answers[0].get("functionResponse")) if answers else {}
        shown = flatten(call.get("resultDisplay"))
        status = text(call.get("status"))
        yield _result(call.get("id"), {**call, **response}, status, shown, place, ts)
    if not calls:
        for part in parts:
            made = mapping(part.get("functionCall"))
            if made:
                yield make_call(
                    made.get("id"), made.get("name"), made.get("args"), place, ts
                )


def shell_exit_code(tool: str, output: str) -> int | None:
    """Return the exit code that Gemini CLI adds to a command's result.

    Other tools have none; what a command prints before that end is not one.
    """
    if kind_of(tool, {}) != "shell":
        return None
    code = _SHELL_CODE.search(output[-_FOOTER_CHARS:])
    return int(code[1]) if code else None


def _result(
    call_id: object,
    answer: dict[str, Any],
    marked: str,
    shown: str,
    place: Position,
    ts: datetime | None,
) -> ToolResult:
    response = mapping(answer.get("response"))
    error = flatten(response.get("error"))
    output = flatten(response.get("output")) or error or shown
    status = _STATUS.get(marked, CallStatus.UNKNOWN)
    code = shell_exit_code(text(answer.get("name")), output)
    if error or status in (CallStatus.FAILED, CallStatus.CANCELLED):
        status = refusal(error or output) or (
            CallStatus.FAILED if error and status is CallStatus.UNKNOWN else status
        )
    elif code:
        status = CallStatus.FAILED
    return ToolResult(text(call_id), status, code, capped(output), None, ts, place)
