"""Codex's hooks: Claude Code's shape, no asking, and exit codes inside texts."""

import re
from collections.abc import Mapping
from typing import Any

from toolmem.core.agents.claude import read_like_claude
from toolmem.core.agents.claude import write_answer as write_like_claude
from toolmem.core.agents.event import (
    AFTER_TOOL,
    BEFORE_TOOL,
    TOOL_FAILED,
    Answer,
    Event,
    Reply,
    deny_instead_of_ask,
)

# The three forms of an exit code in a result; the command's own output follows the line
# "Output:".
_IN_JSON = r'"exit_code":\s*(-?\d{1,9})\b'
_IN_HEADER = r"(?m)^(?:Exit code:|Process exited with code) (-?\d{1,9})\b"
_LOOKED_AT = 4096
_SHELLS = ("Bash", "shell", "shell_command", "exec_command")
_CALLED = "Codex"
_PATCH = "*** Begin Patch"


def read_event(payload: Mapping[str, Any], _name: str = "") -> Event:
    """Read an event of Codex; a failed command is recognised by its output."""
    event = read_like_claude(payload, "codex")
    if event.kind == BEFORE_TOOL and event.tool in _SHELLS:
        # Codex applies a patch itself instead of running the command.
        return event._replace(silent_end=_PATCH in str(event.input.get("command")))
    if event.kind != AFTER_TOOL:
        return event
    response = payload.get("tool_response")
    text = response if isinstance(response, str) else ""
    code = _exit_code(text)
    if code:
        error = text[:_LOOKED_AT]
        return event._replace(kind=TOOL_FAILED, exit_code=code, error=error)
    # Without a code the command may still be running, or its end is unknown.
    unfinished = code is None and event.tool in _SHELLS
    return event._replace(exit_code=code, unfinished=unfinished)


def _exit_code(text: str) -> int | None:
    if text.startswith("{"):
        found = re.search(_IN_JSON, text[-_LOOKED_AT:])
    else:
        header = text[:_LOOKED_AT].partition("\nOutput:")[0]
        found = re.search(_IN_HEADER, header)
    return int(found[1]) if found else None


def write_answer(event: Event, answer: Answer) -> Reply:
    """Return the answer in Codex's format."""
    if answer.verdict == "allow":
        # Codex accepts an approval only together with a changed input.
        answer = Answer(answer.reason)
    return write_like_claude(event, deny_instead_of_ask(answer, _CALLED))
