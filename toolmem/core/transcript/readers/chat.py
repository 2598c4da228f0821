"""Role and content: OpenAI chat messages, and toolmem's own minimal form.

The minimal form is ``{"messages": [{"role", "content", "tool_calls"}], "tools":
["send_email"]}``. A call there may be flat (``name``, ``args``) and may contain its own
result (``output``, ``error``, ``exit_code``, ``status``, ``duration_ms``). Calls may
also be separate, without a message around them.

LangChain messages, in their three serialised forms, are read as chat messages.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from toolmem.core.transcript.events import (
    AssistantText,
    CallStatus,
    Event,
    Position,
    Session,
    ToolResult,
)
from toolmem.core.transcript.fields import (
    capped,
    first_text,
    items,
    mapping,
    milliseconds,
    moment,
    names,
    text,
)
from toolmem.core.transcript.harness import user_texts
from toolmem.core.transcript.outcome import (
    ToolOutcome,
    read_output,
    with_unknown_results,
)
from toolmem.core.transcript.readers.anthropic import read_content
from toolmem.core.transcript.records import TranscriptRecord
from toolmem.core.transcript.tools import make_call

_ROLES = frozenset(("user", "assistant", "tool", "function", "system", "developer"))
_NAME_KEYS = ("name", "tool", "tool_name")
_ARG_KEYS = ("arguments", "args", "input", "parameters")
_OUTPUT_KEYS = ("output", "result", "content")
_SIGN_KEYS = ("error", "exit_code", "exitCode", "status", "success", "is_error")


def sniff(record: dict[str, Any]) -> int:
    """Score how much an object looks like an OpenAI chat message, 0 to 3."""
    if not _is_message(record):
        return 0
    calls = [mapping(call) for call in items(record.get("tool_calls"))]
    if any("function" in call for call in calls) or "function_call" in record:
        return 3
    if "tool_call_id" in record or record["role"] == "function":
        return 2
    return 1 if "content" in record else 0


def sniff_own(record: dict[str, Any]) -> int:
    """Score how much an object looks like a part of the minimal form, 0 to 3."""
    if not _is_message(record):
        listed = items(record.get("tools"))
        named = bool(listed) and all(isinstance(name, str) for name in listed)
        return 3 if named or _bare_calls(record) else 0
    calls = items(record.get("tool_calls"))
    flat = any("function" not in mapping(call) for call in calls)
    return 3 if flat else 1 if "content" in record else 0


def _bare_calls(record: dict[str, Any]) -> list[Any]:
    """Return calls without a message around them, in the minimal form.

    Only objects that no other format has: no role, no type.
    """
    if record.keys() & {"role", "type", "message", "messages"}:
        return []
    if any(key in record for key in _ARG_KEYS) and text(record.get("name")):
        return [record]
    return items(record.get("tool_calls"))


def _is_message(record: dict[str, Any]) -> bool:
    role = record.get("role")
    return isinstance(role, str) and role in _ROLES and "message" not in record


def read(
    records: Iterable[TranscriptRecord],
    skipped: Counter[str],
    agent: str = "openai-chat",
) -> Iterator[Event]:
    """Yield the events of a conversation; an object without a role has metadata."""
    yield from with_unknown_results(_events(records, skipped, agent))


def _events(
    records: Iterable[TranscriptRecord], skipped: Counter[str], agent: str
) -> Iterator[Event]:
    yield Session(agent)
    for record in records:
        line = record.value
        place = record.position.named(text(line.get("id")))
        role = text(line.get("role"))
        if role == "user":
            texts = read_content(line.get("content", line.get("message"))).texts
            yield from user_texts(texts, place, moment(line.get("timestamp")))
        elif role == "assistant":
            yield from _assistant(line, place)
        elif role in ("tool", "function"):
            call_id = text(line.get("tool_call_id"))
            yield _result(call_id, line, _answer(line, CallStatus.UNKNOWN), place)
        elif bare := _bare_calls(line):
            yield from _assistant({**line, "content": "", "tool_calls": bare}, place)
        elif not role and (line.keys() & {"tools", "cwd", "session_id"}):
            yield _session(line, agent)
        else:
            skipped[role[:40] or "no role"] += 1


def read_own(
    records: Iterable[TranscriptRecord], skipped: Counter[str]
) -> Iterator[Event]:
    """Yield the events of a conversation in the minimal form."""
    yield from read(records, skipped, "toolmem")


def _session(header: dict[str, Any], agent: str) -> Session:
    return Session(
        agent=first_text(header, "agent") or agent,
        id=first_text(header, "session_id", "id"),
        cwd=text(header.get("cwd")),
        branch=text(header.get("branch")),
        tools=names(header.get("tools")),
    )


def _assistant(line: dict[str, Any], place: Position) -> Iterator[Event]:
    ts = moment(line.get("timestamp"))
    joined = "\n".join(filter(str.strip, read_content(line.get("content")).texts))
    if joined:
        yield AssistantText(joined, ts, place)
    calls = items(line.get("tool_calls"))
    if mapping(line.get("function_call")):
        calls = [*calls, {"function": line["function_call"]}]
    for number, raw in enumerate(calls):
        call = {"name": raw} if isinstance(raw, str) else mapping(raw)
        made = mapping(call.get("function")) or mapping(call.get("custom")) or call
        args = next((made[key] for key in _ARG_KEYS if key in made), None)
        answered = any(key in call for key in (*_SIGN_KEYS, *_OUTPUT_KEYS))
        call_id = text(call.get("id")) or (f"{place.key}#{number}" if answered else "")
        declared = call.get("isDangerous", call.get("is_dangerous"))
        name = first_text(made, *_NAME_KEYS)
        yield make_call(call_id, name, args, place, ts, declared)
        if answered:
            yield _result(call_id, call, _answer(call, CallStatus.OK), place)


def _answer(line: dict[str, Any], unmarked: CallStatus) -> ToolOutcome:
    """Return the outcome of a call from its output and the fields next to it."""
    value = next((line[key] for key in _OUTPUT_KEYS if key in line), None)
    marks = {key: line[key] for key in _SIGN_KEYS if line.get(key) is not None}
    if not marks:
        return read_output(value, unmarked)
    inner = value if isinstance(value, dict) else {"output": value}
    return read_output({**inner, **marks, "text": None}, unmarked)


def _result(
    call_id: str, line: dict[str, Any], outcome: ToolOutcome, place: Position
) -> ToolResult:
    return ToolResult(
        call_id=call_id,
        status=outcome.status,
        exit_code=outcome.exit_code,
        output=capped(outcome.output),
        duration_ms=outcome.duration_ms or milliseconds(line.get("duration_ms")),
        ts=moment(line.get("timestamp")),
        position=place,
    )


_LANGCHAIN_ROLES = {
    "human": "user",
    "ai": "assistant",
    "tool": "tool",
    "function": "function",
    "system": "system",
}
_ID_SUFFIX = "message"


def sniff_langchain(record: dict[str, Any]) -> int:
    """Score how much an object looks like a LangChain message, 0 to 3."""
    if "role" in record:
        return 0
    kind, message = _opened(record)
    return 3 if kind in ("human", "ai", "tool") and "content" in message else 0


def read_langchain(
    records: Iterable[TranscriptRecord], skipped: Counter[str]
) -> Iterator[Event]:
    """Yield the events of a conversation; its messages are read as chat messages."""
    translated = (record._replace(value=_chat(record.value)) for record in records)
    yield from read(translated, skipped, "langchain")


def _opened(record: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the type and the fields of a message in any form."""
    if record.get("type") == "constructor":
        name = text((items(record.get("id")) or [""])[-1]).lower()
        kind = name.removesuffix("chunk").removesuffix(_ID_SUFFIX)
        return kind, mapping(record.get("kwargs"))
    return text(record.get("type")).lower(), mapping(record.get("data")) or record


def _chat(record: dict[str, Any]) -> dict[str, Any]:
    kind, message = _opened(record)
    if kind not in _LANGCHAIN_ROLES:
        return record
    broken = items(message.get("invalid_tool_calls"))
    calls = [*items(message.get("tool_calls")), *broken]
    chat_message: dict[str, Any] = {
        key: message[key]
        for key in ("content", "id", "status", "tool_call_id")
        if key in message
    }
    return {**chat_message, "role": _LANGCHAIN_ROLES[kind], "tool_calls": calls}
