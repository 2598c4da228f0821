"""Cursor: agent transcripts, which contain calls but mostly no results."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from toolmem.core.transcript.events import (
    CallStatus,
    Event,
    Position,
    Session,
    ToolResult,
)
from toolmem.core.transcript.fields import capped, first_text, mapping, text
from toolmem.core.transcript.outcome import (
    read_output,
    refusal,
    with_unknown_results,
)
from toolmem.core.transcript.readers.anthropic import message_events
from toolmem.core.transcript.records import TranscriptRecord


def sniff(record: dict[str, Any]) -> int:
    """Score how much an object looks like a line of Cursor, 0 to 3."""
    if record.get("type") == "turn_ended":
        return 2
    nested = isinstance(record.get("message"), dict)
    return 3 if nested and "role" in record and "type" not in record else 0


def read(records: Iterable[TranscriptRecord], skipped: Counter[str]) -> Iterator[Event]:
    """Yield the events of a session; ends of turns and unknown lines are counted."""
    yield from with_unknown_results(_events(records, skipped))


def _events(
    records: Iterable[TranscriptRecord], skipped: Counter[str]
) -> Iterator[Event]:
    yield Session("cursor")
    for record in records:
        line, place = record.value, record.position.named(text(record.value.get("id")))
        message = mapping(line.get("message"))
        if not message:
            skipped[text(line.get("type"))[:40] or "no message"] += 1
            continue
        marked = first_text(mapping(line.get("metadata")), "toolResultStatus")
        result = partial(_result, marked)
        yield from message_events(line.get("role"), message, place, skipped, result)


def _result(marked: str, block: dict[str, Any], place: Position) -> ToolResult:
    outcome = read_output(block.get("content"))
    status = outcome.status
    if block.get("is_error") is True or marked in ("error", "failed"):
        status = refusal(outcome.output) or CallStatus.FAILED
    elif status is CallStatus.UNKNOWN and (marked or block.get("is_error") is False):
        status = CallStatus.OK
    return ToolResult(
        call_id=first_text(block, "tool_use_id", "toolCallId"),
        status=status,
        exit_code=outcome.exit_code,
        output=capped(outcome.output),
        position=place,
    )
