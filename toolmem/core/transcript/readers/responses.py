"""Items of the OpenAI Responses API, also used in Codex rollouts."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from toolmem.core.transcript.events import (
    AssistantText,
    CallStatus,
    Event,
    Position,
    Session,
    ToolResult,
    TranscriptCall,
)
from toolmem.core.transcript.fields import (
    arguments,
    capped,
    first_text,
    flatten,
    items,
    mapping,
    text,
)
from toolmem.core.transcript.harness import user_texts
from toolmem.core.transcript.outcome import ToolOutcome, read_output
from toolmem.core.transcript.readers.anthropic import read_content
from toolmem.core.transcript.records import TranscriptRecord
from toolmem.core.transcript.tools import make_call

_CALLS = frozenset(("function_call", "custom_tool_call", "tool_call"))
_SHELLS = frozenset(("local_shell_call", "shell_call"))
_WHOLE = frozenset(("web_search_call", "mcp_call"))
_ANSWERS = frozenset(
    (
        *("function_call_output", "custom_tool_call_output", "tool_result"),
        *("local_shell_call_output", "shell_call_output", "function_result"),
    )
)
_BLOCKS = frozenset(("input_text", "output_text"))


class RunningProcesses:
    """Processes that outlive the call that started them, by their session ids."""

    def __init__(self) -> None:
        self.starters: dict[str, str] = {}
        self.polls: dict[str, str] = {}


def sniff(record: dict[str, Any]) -> int:
    """Score how much an object looks like an item of the Responses API, 0 to 3."""
    kind = record.get("type")
    if isinstance(kind, str) and kind in _CALLS | _SHELLS | _WHOLE | _ANSWERS:
        return 3
    kinds = [mapping(block).get("type") for block in items(record.get("content"))]
    if any(isinstance(kind, str) and kind in _BLOCKS for kind in kinds):
        return 3
    return 1 if kind == "message" and "role" in record else 0


def read(records: Iterable[TranscriptRecord], skipped: Counter[str]) -> Iterator[Event]:
    """Yield the events of a list of input and output items."""
    yield Session("openai-responses")
    runs = RunningProcesses()
    for record in records:
        item = record.value
        place = record.position.named(text(item.get("id")))
        yield from item_events(item, place, None, runs, CallStatus.UNKNOWN, skipped)


def item_events(
    item: dict[str, Any],
    place: Position,
    ts: datetime | None,
    runs: RunningProcesses,
    unmarked: CallStatus,
    skipped: Counter[str],
) -> Iterator[Event]:
    """Yield the events of one item; ``unmarked`` is the default status."""
    kind = text(item.get("type")) or ("message" if "role" in item else "")
    if kind == "message":
        yield from _message(item, place, ts)
    elif kind in _CALLS:
        yield _call(item, place, ts, runs)
    elif kind in _SHELLS:
        call_id, action = first_text(item, "call_id", "id"), mapping(item.get("action"))
        commands = action.get("commands")
        if isinstance(commands, list):
            action = {**action, "command": "\n".join(map(text, commands))}
        yield make_call(call_id, kind.removesuffix("_call"), action, place, ts)
    elif kind in _ANSWERS:
        yield from _answer(item, place, ts, runs, unmarked)
    elif kind in _WHOLE:
        yield from _whole(kind, item, place, ts)
    else:
        skipped[kind[:40] or "no type"] += 1


def _message(
    item: dict[str, Any], place: Position, ts: datetime | None
) -> Iterator[Event]:
    texts = read_content(item.get("content", item.get("message"))).texts
    if item.get("role") == "user":
        yield from user_texts(texts, place, ts)
    elif item.get("role") == "assistant" and any(map(str.strip, texts)):
        yield AssistantText("\n".join(texts), ts, place)


def _call(
    item: dict[str, Any], place: Position, ts: datetime | None, runs: RunningProcesses
) -> TranscriptCall:
    call_id = first_text(item, "call_id", "id")
    name = first_text(item, "name") or text(mapping(item.get("function")).get("name"))
    space = text(item.get("namespace"))
    if space.startswith("mcp"):
        name = f"{space.rstrip('_')}__{name}"
    raw = item.get("arguments", item.get("input"))
    if name == "write_stdin":
        runs.polls[call_id] = str(arguments(raw).get("session_id"))[:40]
    return make_call(call_id, name, raw, place, ts)


def _answer(
    item: dict[str, Any],
    place: Position,
    ts: datetime | None,
    runs: RunningProcesses,
    unmarked: CallStatus,
) -> Iterator[Event]:
    """Yield a result; that of a process belongs to the call that started it."""
    call_id = first_text(item, "call_id", "id") if "call_id" in item else ""
    outcome = _outcome(item.get("output", item.get("result")), unmarked)
    polled = runs.polls.get(call_id)
    if outcome.session and not polled:
        runs.starters[outcome.session] = call_id
    if polled and outcome.exit_code is not None:
        yield _result(runs.starters.get(polled, ""), outcome, place, ts)
        outcome = ToolOutcome(CallStatus.OK, outcome.output)
    elif polled and outcome.status is CallStatus.RUNNING:
        outcome = ToolOutcome(CallStatus.OK, outcome.output)
    yield _result(call_id, outcome, place, ts)


def _outcome(value: object, unmarked: CallStatus) -> ToolOutcome:
    parts = [mapping(part) for part in items(value)]
    ends = [mapping(part["outcome"]) for part in parts if "outcome" in part]
    if not ends:
        return read_output(value, unmarked)
    output = "\n".join(
        flatten(part.get("stdout")) + flatten(part.get("stderr")) for part in parts
    )
    codes = [end.get("exit_code") for end in ends]
    bad = next((code for code in codes if code), 0)
    return read_output({"exit_code": bad, "output": output}, unmarked)


def _result(
    call_id: str, outcome: ToolOutcome, place: Position, ts: datetime | None
) -> ToolResult:
    return ToolResult(
        call_id,
        outcome.status,
        outcome.exit_code,
        capped(outcome.output),
        outcome.duration_ms,
        ts,
        place,
    )


def _whole(
    kind: str, item: dict[str, Any], place: Position, ts: datetime | None
) -> Iterator[Event]:
    """Yield a call that the server made, with the result in the same item."""
    call_id = first_text(item, "call_id", "id") or place.key
    if kind == "mcp_call":
        name = f"mcp__{text(item.get('server_label'))}__{text(item.get('name'))}"
        yield make_call(call_id, name, item.get("arguments"), place, ts)
        fields = {"output": item.get("output"), "error": item.get("error")}
        yield _result(call_id, read_output(fields, CallStatus.OK), place, ts)
        return
    yield make_call(call_id, "web_search", item.get("action"), place, ts)
    failed = item.get("status") == "failed"
    status = CallStatus.FAILED if failed else CallStatus.OK
    yield ToolResult(call_id, status, ts=ts, position=place)
