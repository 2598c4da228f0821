"""LangChain messages in their three serialised forms, read as chat messages."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from toolmem.core.transcript.events import Event
from toolmem.core.transcript.fields import items, mapping, text
from toolmem.core.transcript.readers import chat
from toolmem.core.transcript.records import TranscriptRecord

_ROLES = {
    "human": "user",
    "ai": "assistant",
    "tool": "tool",
    "function": "function",
    "system": "system",
}
_ID_SUFFIX = "message"


def sniff(record: dict[str, Any]) -> int:
    """Score how much an object looks like a LangChain message, 0 to 3."""
    if "role" in record:
        return 0
    kind, message = _opened(record)
    return 3 if kind in ("human", "ai", "tool") and "content" in message else 0


def read(records: Iterable[TranscriptRecord], skipped: Counter[str]) -> Iterator[Event]:
    """Yield the events of a conversation."""
    translated = (record._replace(value=_chat(record.value)) for record in records)
    yield from chat.read(translated, skipped, "langchain")


def _opened(record: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the type and the fields of a message in any form."""
    if record.get("type") == "constructor":
        name = text((items(record.get("id")) or [""])[-1]).lower()
        kind = name.removesuffix("chunk").removesuffix(_ID_SUFFIX)
        return kind, mapping(record.get("kwargs"))
    return text(record.get("type")).lower(), mapping(record.get("data")) or record


def _chat(record: dict[str, Any]) -> dict[str, Any]:
    kind, message = _opened(record)
    if kind not in _ROLES:
        return record
    broken = items(message.get("invalid_tool_calls"))
    calls = [*items(message.get("tool_calls")), *broken]
    chat_message: dict[str, Any] = {
        key: message[key]
        for key in ("content", "id", "status", "tool_call_id")
        if key in message
    }
    return {**chat_message, "role": _ROLES[kind], "tool_calls": calls}
