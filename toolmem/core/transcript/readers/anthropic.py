"""Messages of the Anthropic API: content blocks directly under the role."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from toolmem.core.transcript.events import (
    AssistantText,
    CallStatus,
    Event,
    Position,
    Session,
    ToolResult,
)
from toolmem.core.transcript.fields import capped, items, mapping, text
from toolmem.core.transcript.harness import user_texts
from toolmem.core.transcript.outcome import read_output, refusal
from toolmem.core.transcript.readers.blocks import CALLS, RESULTS, call_in, read_content
from toolmem.core.transcript.records import TranscriptRecord


def sniff(record: dict[str, Any]) -> int:
    """Score how much an object looks like a message of the Anthropic API, 0 to 3."""
    if record.get("role") not in ("user", "assistant"):
        return 0
    kinds = [mapping(block).get("type") for block in items(record.get("content"))]
    if any(kind in CALLS or kind in RESULTS for kind in kinds if isinstance(kind, str)):
        return 3
    return 1 if "text" in kinds else 0


def read(records: Iterable[TranscriptRecord], skipped: Counter[str]) -> Iterator[Event]:
    """Yield the events of a conversation, one message per record."""
    yield Session("anthropic")
    for record in records:
        line, place = record.value, record.position.named(text(record.value.get("id")))
        yield from message_events(line.get("role"), line, place, skipped, result_in)


def message_events(
    role: object,
    message: dict[str, Any],
    place: Position,
    skipped: Counter[str],
    result: Callable[[dict[str, Any], Position], ToolResult],
) -> Iterator[Event]:
    """Yield the events of a message of blocks; text next to a result is not typed."""
    content = read_content(message.get("content"))
    if content.unknown:
        skipped["block"] += content.unknown
    if role == "user":
        yield from (result(block, place) for block in content.results)
        yield from user_texts(content.texts, place, None, not content.results)
    elif role == "assistant":
        joined = "\n".join(filter(str.strip, content.texts))
        if joined:
            yield AssistantText(joined, None, place)
        yield from (call_in(block, place, None) for block in content.calls)
    else:
        skipped[text(role)[:40] or "no role"] += 1


def result_in(block: dict[str, Any], place: Position) -> ToolResult:
    """Return the result in a ``tool_result`` block; a success without an error flag."""
    outcome = read_output(block.get("content"), CallStatus.OK)
    status = outcome.status
    if block.get("is_error") is True:
        status = refusal(outcome.output) or CallStatus.FAILED
    return ToolResult(
        call_id=text(block.get("tool_use_id")),
        status=status,
        exit_code=outcome.exit_code,
        output=capped(outcome.output),
        position=place,
    )
