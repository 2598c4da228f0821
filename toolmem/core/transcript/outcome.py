"""Derive the outcome of a call from its output: failed, refused or still running."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from toolmem.core.transcript.events import CallStatus, Event, ToolResult, TranscriptCall
from toolmem.core.transcript.fields import (
    flatten,
    integer,
    json_value,
    milliseconds,
    text,
)


class ToolOutcome(NamedTuple):
    """Status of a call by its output, and further details of the run."""

    status: CallStatus
    output: str
    exit_code: int | None = None
    duration_ms: int | None = None
    session: str = ""
    """Id of a process that is still running, if named."""


# Compiled at first use: few transcripts need them all.
_CODEX_CODE = r"(?m)^(?:Exit code:|Process exited with code) (-?\d{1,9})\s*$"
_CODEX_SECONDS = r"(?m)^Wall time: (\d{1,9}(?:\.\d{1,9})?) seconds"
_CODEX_RUNNING = r"(?m)^Process running with session ID (\d{1,18})\s*$"
_CODEX_BODY = r"(?m)^(?:Output|Final output):\n"
_LEADING_CODE = r"(?:Error: )?Exit code:? (-?\d{1,9})\b"
_HOOK = (
    r"(?i)(?:Error: )?(?:<tool_use_error>)?"
    r"(?:\w+:\S+ hook (?:\w+ ){0,2}error|Hook \w+:\S+ (?:denied|blocked)"
    r"|(?:\w+ ){0,3}blocked by (?:\w+ ){0,2}hook|\w+ hook (?:blocked|denied)"
    r"|Denied by \w+ hook"
    r"|Execution stopped by \w+ hook|Tool execution (?:blocked|stopped)"
    r"|.{1,1000}? \(toolmem rule (?:keep )?[0-9a-z-]{4,40}\))"
)
"""Refusals of agents, and the id at the end of a reason by toolmem's own guard."""
_HOOK_WORDS = ("hook", "tool exec", "toolmem rule")
"""One of these is in each text that the pattern matches, in lower case; so below.

There is no "i": patterns match it with letters that have another lower case."""
_REJECTED = (
    r"(?i)(?:Error: )?(?:<tool_use_error>)?"
    r"(?:(?:The )?user (?:doesn't want to|rejected|declined|did not allow|denied)"
    r"|Permission (?:for this|to use|denied and could not request)"
    r"|Claude requested permissions"
    r"|This .{0,80}requires approval|Tool use rejected"
    r"|(?:exec command |patch |command )?rejected by user"
    r"|\[Operation Cancelled\] Reason: User did not allow)"
)
_REJECTED_WORDS = ("user", "perm", "approval", "rejected")
_CANCELLED = (
    r"(?i)(?:Error: )?(?:<tool_use_error>)?"
    r"(?:Sibling tool call errored|Cancelled:|\[Request interrupted by user"
    r"|Interrupted by user|aborted\b|Tool execution (?:was )?(?:aborted|interrupted)"
    r"|\[Operation Cancelled\]|Operation cancelled)"
)
_CANCELLED_WORDS = ("errored", "cancelled", "nterrupted", "aborted")
_FAILED = (
    r"(?i)(?:execution error:|failed to parse function arguments"
    r"|unsupported (?:custom )?(?:tool )?call|apply_patch verification failed"
    r"|(?:exec_command|write_stdin) failed|Failed to create unified exec"
    r"|tool call error|Unknown process id|command timed out|Error:|Error executing"
    r"|Traceback \(most recent call last\))"
)
_FAILED_STARTS = (
    *("exec", "fa", "unsupported ", "apply_patch ", "error", "wr", "tool call error"),
    *("unknown process ", "command t", "traceback "),
)
_CODE_STARTS = ("Exit code", "Error: Exit code")
_CODE_KEYS = ("exit_code", "exitCode", "returncode", "return_code", "exit")
_HEADER_CHARS = 4_000
_FAILED_WORDS = frozenset(("error", "failed", "failure"))


def with_unknown_results(events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events, with unknown results if the format records none.

    Where results are separate messages, a call without one has not ended. Otherwise
    results are next to their calls if anywhere, and a missing one was not recorded,
    unless the call has an id, by which a result may still come.
    """
    calls: list[TranscriptCall] = []
    answered = inline = False
    for event in events:
        if isinstance(event, TranscriptCall):
            calls.append(event)
        elif isinstance(event, ToolResult):
            is_inline = bool(calls) and event.position == calls[-1].position
            if is_inline and event.call_id == calls[-1].id:
                calls.pop()
                inline = True
            else:
                answered = True
        yield event
    for call in () if answered else calls:
        if inline and call.id:
            continue
        yield ToolResult(
            call.id, CallStatus.UNKNOWN, ts=call.ts, position=call.position
        )


def refusal(error: str) -> CallStatus | None:
    """Return the status of a refusal by a hook or the user, or a cancellation; else
    None.

    Only for a text that the agent marked as an error: a file that begins with these
    words is a success.
    """
    start = error[:1200].lstrip()
    folded = start.casefold()
    for words, pattern, status in (
        (_HOOK_WORDS, _HOOK, CallStatus.DENIED_BY_HOOK),
        (_REJECTED_WORDS, _REJECTED, CallStatus.REJECTED),
        (_CANCELLED_WORDS, _CANCELLED, CallStatus.CANCELLED),
    ):
        if any(word in folded for word in words) and re.match(pattern, start):
            return status
    return None


def leading_exit_code(error: str) -> int | None:
    """Return the code of an error text that begins with ``Exit code N``."""
    is_likely = error.startswith(_CODE_STARTS)
    match = re.match(_LEADING_CODE, error) if is_likely else None
    return int(match[1]) if match else None


def read_output(
    value: object, unmarked: CallStatus = CallStatus.UNKNOWN
) -> ToolOutcome:
    """Read the outcome of an output without an error flag: JSON fields, headers, words.

    ``unmarked`` is the status of an output without any sign.
    """
    if isinstance(value, dict) and not isinstance(value.get("text"), str):
        return _from_fields(value, unmarked)
    whole = flatten(value)
    if whole[:1] == "{":
        parsed = json_value(whole)
        if isinstance(parsed, dict):
            return _from_fields(parsed, unmarked, whole)
    return _from_text(whole, unmarked)


def _from_text(whole: str, unmarked: CallStatus) -> ToolOutcome:
    """Read the outcome from the header before ``Output:`` only."""
    start = whole[:_HEADER_CHARS]
    body = re.search(_CODEX_BODY, start) if "utput:\n" in start else None
    if body is None:
        number = leading_exit_code(whole)
        return ToolOutcome(_status(number, whole, unmarked), whole, number)
    header, output = whole[: body.start()], whole[body.end() :]
    code = re.search(_CODEX_CODE, header)
    seconds = re.search(_CODEX_SECONDS, header)
    duration = milliseconds(float(seconds[1]), 1000) if seconds else None
    running = re.search(_CODEX_RUNNING, header)
    if running and not code:
        return ToolOutcome(CallStatus.RUNNING, output, None, duration, running[1])
    number = int(code[1]) if code else leading_exit_code(whole)
    return ToolOutcome(_status(number, output, unmarked), output, number, duration)


def _from_fields(
    fields: dict[str, Any], unmarked: CallStatus, raw: str = ""
) -> ToolOutcome:
    meta = fields.get("metadata")
    places = [fields, meta] if isinstance(meta, dict) else [fields]
    codes = (integer(place.get(key)) for place in places for key in _CODE_KEYS)
    code = next((number for number in codes if number is not None), None)
    seconds = places[-1].get("duration_seconds")
    output = flatten(fields) or flatten(fields.get("stdout")) or raw
    error = fields.get("error")
    if code is None and (
        fields.get("success") is False
        or fields.get("is_error") is True
        or fields.get("isError") is True
        or text(fields.get("status")).lower() in _FAILED_WORDS
        or (error and isinstance(error, str | dict | list))
    ):
        message = flatten(error) or output
        return ToolOutcome(refusal(message) or CallStatus.FAILED, message)
    status = _status(code, output, unmarked)
    return ToolOutcome(status, output, code, milliseconds(seconds, 1000))


def _status(code: int | None, output: str, unmarked: CallStatus) -> CallStatus:
    if code == 0:
        return CallStatus.OK
    if code is not None:
        return CallStatus.FAILED
    start = output[:200].lstrip()
    if start.casefold().startswith(_FAILED_STARTS) and re.match(_FAILED, start):
        return CallStatus.FAILED
    return refusal(output) or unmarked
