"""Messages of the Anthropic API: content blocks directly under the role."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from toolmem.core.transcript.events import (
    AssistantText,
    CallStatus,
    Event,
    Position,
    Session,
    ToolResult,
    TranscriptCall,
)
from toolmem.core.transcript.fields import capped, items, mapping, text
from toolmem.core.transcript.harness import user_texts
from toolmem.core.transcript.outcome import read_output, refusal
from toolmem.core.transcript.records import TranscriptRecord
from toolmem.core.transcript.tools import make_call


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


CALLS = frozenset(("tool_use", "tool_call", "tool-call", "server_tool_use"))
RESULTS = frozenset(("tool_result", "tool-result", "web_search_tool_result"))
_SILENT = frozenset(("thinking", "redacted_thinking", "image", "document", "fallback"))
_TEXTS = frozenset(("text", "input_text", "output_text"))


class MessageContent(NamedTuple):
    """Blocks of one message by type, and the number of unknown ones."""

    texts: list[str]
    calls: list[dict[str, Any]]
    results: list[dict[str, Any]]
    unknown: int = 0


def read_content(content: object) -> MessageContent:
    """Sort the blocks of a message whose content is a text or a list of blocks."""
    if isinstance(content, str):
        return MessageContent([text(content)], [], [])
    found = MessageContent([], [], [])
    unknown = 0
    for block in items(content):
        if isinstance(block, str):
            found.texts.append(text(block))
            continue
        kind = text(block.get("type")) if isinstance(block, dict) else "no block"
        if kind in CALLS:
            found.calls.append(block)
        elif kind in RESULTS:
            found.results.append(block)
        elif kind in _TEXTS or not kind:
            found.texts.append(text(block.get("text")))
        else:
            unknown += kind not in _SILENT
    return MessageContent(found.texts, found.calls, found.results, unknown)


def call_in(
    block: dict[str, Any], position: Position, ts: datetime | None
) -> TranscriptCall:
    """Return the call of a ``tool_use`` block."""
    raw = block.get("input", block.get("arguments", block.get("args")))
    declared = block.get("isDangerous")
    call_id = block.get("id", block.get("toolCallId"))
    return make_call(call_id, block.get("name"), raw, position, ts, declared)
