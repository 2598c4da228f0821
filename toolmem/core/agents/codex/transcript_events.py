"""Codex records other than the model's items: ends of calls, user messages."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from toolmem.core.transcript.events import (
    CallStatus,
    Event,
    Marker,
    Position,
    ToolKind,
    ToolResult,
    TranscriptCall,
    UserText,
)
from toolmem.core.transcript.fields import (
    capped,
    first_text,
    flatten,
    integer,
    items,
    mapping,
    milliseconds,
    text,
)
from toolmem.core.transcript.harness import user_texts
from toolmem.core.transcript.tools import make_call

_MARKERS = {
    "turn_aborted": "interrupt",
    "context_compacted": "compaction",
    "shutdown_complete": "session_end",
}
_REFUSED = frozenset(("declined", "rejected"))


def user_message(
    payload: dict[str, Any], place: Position, ts: datetime | None
) -> list[tuple[int, UserText]]:
    """Return what the user sent, from its own event (2) or from a thread item (1)."""
    kind, item = payload.get("type"), mapping(payload.get("item"))
    if kind == "user_message":
        plain = payload.get("kind") in (None, "plain")
        messages = user_texts([flatten(payload.get("message"))], place, ts, plain)
        return [(2, event) for event in messages]
    if kind == "item_completed" and _item_type(item) == "usermessage":
        texts = [flatten(part) for part in items(item.get("content"))]
        return [(1, event) for event in user_texts(texts, place, ts)]
    return []


def event_of(
    payload: dict[str, Any], place: Position, ts: datetime | None
) -> tuple[Event, ...]:
    """Return a marker, or the call and the result in the end of a call."""
    kind = text(payload.get("type"))
    if kind in _MARKERS:
        return (Marker(_MARKERS[kind], ts, place),)
    item = mapping(payload.get("item")) if kind == "item_completed" else payload
    ended = _item_type(item) if kind == "item_completed" else kind
    if ended in ("exec_command_end", "commandexecution"):
        return tuple(_command(item, place, ts))
    if ended in ("mcp_tool_call_end", "mcptoolcall"):
        return tuple(_mcp(item, place, ts))
    if ended in ("patch_apply_end", "filechange"):
        return tuple(_patch(item, place, ts))
    return ()


def _item_type(item: dict[str, Any]) -> str:
    return text(item.get("type")).replace("_", "").lower()


def _command(
    item: dict[str, Any], place: Position, ts: datetime | None
) -> Iterator[Event]:
    if text(item.get("source")).replace("_", "").lower() == "usershell":
        return  # the user's own command, not a call of the model
    call_id = first_text(item, "call_id", "id")
    args = {"command": item.get("command"), "workdir": item.get("cwd")}
    yield make_call(call_id, "exec_command", args, place, ts)
    code = integer(item.get("exit_code"))
    status = _status(item, code != 0 and code is not None)
    output = first_text(item, "aggregated_output", "stdout", "stderr")
    duration = _duration(item.get("duration"))
    yield ToolResult(call_id, status, code, capped(output), duration, ts, place)


def _mcp(item: dict[str, Any], place: Position, ts: datetime | None) -> Iterator[Event]:
    call_id = first_text(item, "call_id", "id")
    made = mapping(item.get("invocation")) or item
    name = f"mcp__{text(made.get('server'))}__{text(made.get('tool'))}"
    yield make_call(call_id, name, made.get("arguments"), place, ts)
    result = mapping(item.get("result"))
    good = mapping(result.get("Ok")) or result
    failed = "Err" in result or good.get("isError") is True or bool(item.get("error"))
    output = flatten(result.get("Err")) or flatten(good) or flatten(item.get("error"))
    duration = _duration(item.get("duration"))
    status = _status(item, failed)
    yield ToolResult(call_id, status, None, capped(output), duration, ts, place)


def _patch(
    item: dict[str, Any], place: Position, ts: datetime | None
) -> Iterator[Event]:
    call_id = first_text(item, "call_id", "id")
    changed, deleted = _changes(item.get("changes"))
    yield TranscriptCall(
        call_id,
        "apply_patch",
        ToolKind.EDIT,
        paths=changed,
        deleted=deleted,
        ts=ts,
        position=place,
    )
    status = _status(item, item.get("success") is False)
    yield ToolResult(call_id, status, ts=ts, position=place)


def _changes(changes: object) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return paths changed and deleted, from a map by path or a list of changes."""
    listed = [(text(part.get("path")), part) for part in map(mapping, items(changes))]
    listed += [(text(path), mapping(part)) for path, part in mapping(changes).items()]
    changed, deleted = [], []
    for path, change in listed:
        moved = text(change.get("move_path"))
        if first_text(change, "type", "kind") == "delete":
            deleted.append(path)
        elif moved:
            deleted.append(path)
            changed.append(moved)
        else:
            changed.append(path)
    return tuple(filter(None, changed)), tuple(filter(None, deleted))


def _status(item: dict[str, Any], failed: bool) -> CallStatus:
    marked = text(item.get("status")).lower()
    if marked in _REFUSED:
        return CallStatus.REJECTED
    if marked in ("in_progress", "inprogress"):
        return CallStatus.RUNNING
    return CallStatus.FAILED if failed or marked == "failed" else CallStatus.OK


def _duration(value: object) -> int | None:
    if isinstance(value, dict):
        seconds = milliseconds(value.get("secs"), 1000)
        nanos = milliseconds(value.get("nanos"), 1e-6)
        return None if seconds is None else seconds + (nanos or 0)
    return milliseconds(value)
