"""Tool results of Claude Code: ok, failed, refused, blocked or running."""

from datetime import datetime
from typing import Any

from toolmem.core.transcript.events import CallStatus, Position, ToolResult
from toolmem.core.transcript.fields import (
    capped,
    flatten,
    mapping,
    milliseconds,
    text,
)
from toolmem.core.transcript.harness import typed_part
from toolmem.core.transcript.outcome import leading_exit_code, refusal

_REFUSED = "The user doesn't want to proceed with this tool use."
_USER_REPLY = "the user said:\n"
_CREATED = {"create": True, "update": False}
_NOTE = "\n\nNote: The user's next message"


def result_in(
    block: dict[str, Any], line: dict[str, Any], place: Position, ts: datetime | None
) -> ToolResult:
    """Return the result in a ``tool_result`` block; its flag decides, not its text."""
    output = flatten(block.get("content", block.get("output")))
    extra = mapping(line.get("toolUseResult", line.get("tool_use_result")))
    failed = block.get("is_error") is True
    denial = text(line.get("toolDenialKind")).lower()
    if denial:
        status = CallStatus.DENIED_BY_HOOK if "hook" in denial else CallStatus.REJECTED
    elif failed:
        status = refusal(output) or CallStatus.FAILED
    else:
        status = _unfailed(extra)
    return ToolResult(
        call_id=text(block.get("tool_use_id")),
        status=status,
        exit_code=leading_exit_code(output) if status is CallStatus.FAILED else None,
        output=capped(output),
        duration_ms=_duration(extra),
        ts=ts,
        position=place,
        created=_CREATED.get(text(extra.get("type"))),
    )


def denial_words(line: dict[str, Any], results: list[dict[str, Any]]) -> str:
    """Return the text that the user typed when refusing a call.

    The text is inside a tool result, so the harness's own mark on the line is required
    in addition to the fixed sentence: no tool output can set that mark.
    """
    if not text(line.get("toolDenialKind")).lower().startswith("user"):
        return ""
    reason = flatten(results[0].get("content")) if len(results) == 1 else ""
    if not reason.startswith(_REFUSED):
        return ""
    return typed_part(reason.partition(_USER_REPLY)[2].partition(_NOTE)[0])


def _unfailed(extra: dict[str, Any]) -> CallStatus:
    if extra.get("backgroundTaskId"):
        return CallStatus.RUNNING
    if extra.get("interrupted") is True:
        return CallStatus.CANCELLED
    return CallStatus.OK


def _duration(extra: dict[str, Any]) -> int | None:
    for key, factor in (("durationMs", 1), ("totalDurationMs", 1)):
        if key in extra:
            return milliseconds(extra[key], factor)
    return milliseconds(extra.get("durationSeconds"), 1000)
