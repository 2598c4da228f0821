"""Record of a call, stored until its turn ends, for turn memory and counts.

It has the form of a call in toolmem's own transcripts, without contents of files and
outputs of commands; credentials are redacted.
"""

from typing import Any

from toolmem.core import limits
from toolmem.core.agents.event import TOOL_FAILED, Event
from toolmem.core.agents.registry import agent_of
from toolmem.core.secrets.detect import redact
from toolmem.core.transcript import fields
from toolmem.core.turns import errors

_STORED_KEYS = frozenset(
    # commands, files, folders and danger marks, as ``plain_key`` writes them
    "command cmd script commandline filepath path notebookpath filename targetfile"
    " absolutepath relativeworkspacepath file paths workdir cwd dirpath directory"
    " workingdirectory isdangerous dangerous patch input".split()
)
_PATCH = "*** Begin Patch"
_MOST_WORDS = 200
_INTERRUPTED = "[Request interrupted by user]"


def call_record(event: Event) -> dict[str, Any]:
    """Return the record of a call from the event after it."""
    arguments = {k: _stored(v) for k, v in event.input.items() if _is_stored(k)}
    if event.cwd:
        arguments.setdefault("cwd", event.cwd)
    record: dict[str, Any] = {"name": event.tool, "args": arguments}
    if event.call_id:
        record["id"] = event.call_id
    if event.duration_ms is not None:
        record["duration_ms"] = event.duration_ms
    if event.unfinished:
        # It still runs, or the agent does not report how it ended.
        unreported = agent_of(event.agent).late_outcomes
        return record | ({"unreported": True} if unreported else {})
    record["output"] = ""
    if event.interrupted:
        return record | {"output": errors.stored_error(_INTERRUPTED), "is_error": True}
    if event.kind == TOOL_FAILED:
        record["output"] = errors.stored_error(event.error)
        record |= {"is_error": True}
    if event.exit_code is not None:
        record["exit_code"] = event.exit_code
    return record


def spoken(text: str) -> str:
    """Return a message for storage: without credentials, a long one's head and tail."""
    clean = redact(text[: limits.TOOL_ARG_CHARS])
    return clean if len(clean) <= limits.TOOL_OUTPUT_CHARS else fields.capped(clean)


def _is_stored(key: object) -> bool:
    return str(key).lower().replace("_", "").replace("-", "") in _STORED_KEYS


def _stored(value: Any) -> Any:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        words = (word for word in value[:_MOST_WORDS] if isinstance(word, str))
        return [redact(word[: limits.HOOK_CALL_CHARS]) for word in words]
    return value if isinstance(value, bool) else None


def _text(value: str) -> str:
    at = value.find(_PATCH, 0, limits.HOOK_CALL_CHARS)
    if at >= 0:
        # Only the names of the files that it touches.
        lines = (line for line in value[at:].split("\n") if line.startswith("*** "))
        return value[:at] + "\n".join(lines)[: 10 * limits.HOOK_CALL_CHARS]
    return redact(value[: limits.HOOK_CALL_CHARS])
