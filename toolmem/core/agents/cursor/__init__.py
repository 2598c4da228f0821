"""Cursor's hooks: flat snake_case answers; asking works for shell commands only."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from toolmem.core.agents.agent import Agent, Dialect, Samples
from toolmem.core.agents.event import (
    AFTER_TOOL,
    BEFORE_TOOL,
    COMPACTED,
    OTHER,
    PROMPT,
    SESSION_END,
    SESSION_START,
    TOOL_FAILED,
    TURN_END,
    Answer,
    Event,
    Reply,
    arguments_of,
    deny_instead_of_ask,
    number_of,
    text_of,
)
from toolmem.core.agents.samples import COMMAND, LISTING, SESSION, TYPED
from toolmem.core.agents.wiring import McpEntry, Wiring

_KINDS = {
    "sessionStart": SESSION_START,
    "beforeSubmitPrompt": PROMPT,
    "preToolUse": BEFORE_TOOL,
    "beforeShellExecution": BEFORE_TOOL,
    "postToolUse": AFTER_TOOL,
    "postToolUseFailure": TOOL_FAILED,
    "preCompact": COMPACTED,
    "stop": TURN_END,
    "sessionEnd": SESSION_END,
}
_WIRING = Wiring(
    "cursor",
    ".cursor/hooks.json",
    ".cursor/hooks.json",
    tuple(_KINDS),
    shape="flat",
    base={"version": 1},
    mcp=McpEntry(".cursor/mcp.json", ".cursor/mcp.json"),
    programs=("cursor", "cursor-agent"),
)
_CONTEXT = frozenset({"sessionStart", "postToolUse"})
_SHELL = "Shell"
_CALLED = "Cursor"
_NOT_DONE = ("aborted", "error")
"""Ends of a turn that the agent did not choose."""


def read_event(payload: Mapping[str, Any], _name: str = "") -> Event:
    """Read an event of Cursor."""
    name = text_of(payload, "hook_event_name")
    kind = _KINDS.get(name, OTHER)
    tool, given = text_of(payload, "tool_name"), arguments_of(payload, "tool_input")
    if name == "beforeShellExecution":
        tool, given = _SHELL, arguments_of(payload, "command")
    exit_code = _exit_code(payload)
    if kind == AFTER_TOOL and exit_code:
        kind = TOOL_FAILED
    return Event(
        agent="cursor",
        kind=kind,
        name=name,
        session=text_of(payload, "conversation_id"),
        cwd=text_of(payload, "cwd") or _workspace(payload),
        source="startup" if kind == SESSION_START else "",
        prompt=text_of(payload, "prompt"),
        tool=tool,
        input=given,
        call_id=text_of(payload, "tool_use_id"),
        exit_code=exit_code,
        error=text_of(payload, "error_message"),
        duration_ms=number_of(payload, "duration"),
        interrupted=payload.get("is_interrupt") is True
        or text_of(payload, "failure_type") == "permission_denied",
        transcript=text_of(payload, "transcript_path"),
        takes_context=name in _CONTEXT,
        asks_later=name == "preToolUse" and tool == _SHELL,
        delivers=kind in (SESSION_START, COMPACTED),
        continued=bool(number_of(payload, "loop_count")),
        busy=kind == TURN_END and text_of(payload, "status") in _NOT_DONE,
    )


def _workspace(payload: Mapping[str, Any]) -> str:
    roots = payload.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else ""
    return first if isinstance(first, str) else ""


def _exit_code(payload: Mapping[str, Any]) -> int | None:
    """Exit code from ``tool_output``, which is JSON in a string."""
    try:
        output = json.loads(text_of(payload, "tool_output") or "null")
    except (ValueError, RecursionError):
        return None
    return number_of(output, "exitCode") if isinstance(output, Mapping) else None


def write_answer(event: Event, answer: Answer) -> Reply:
    """Return the answer in Cursor's format."""
    if event.asks_later and answer.verdict == "ask":
        # ``beforeShellExecution`` comes next, and that one can ask.
        return Reply()
    if event.kind == TURN_END and answer.verdict == "deny":
        return Reply({"followup_message": answer.reason})
    if event.name != "beforeShellExecution":
        answer = deny_instead_of_ask(answer, _CALLED)
    if event.kind == BEFORE_TOOL and answer.verdict:
        return Reply(
            {
                "permission": answer.verdict,
                "user_message": answer.reason,
                "agent_message": answer.reason,
            }
        )
    if event.kind == PROMPT and answer.message:
        return Reply({"continue": True, "user_message": answer.message})
    if answer.context and event.name in _CONTEXT:
        return Reply({"additional_context": answer.context})
    return Reply()


def absent(text: str) -> Sequence[Mapping[str, Any]]:
    """Return the answer for the model: a session's start shows its user no text."""
    return [{"additional_context": text}]


def base(name: str, folder: str) -> Mapping[str, Any]:
    """Return what every payload has."""
    roots = {"conversation_id": SESSION, "workspace_roots": [folder]}
    return {**roots, "hook_event_name": name, "cwd": folder}


_SAMPLES: Samples = {
    SESSION_START: ("sessionStart", {}),
    PROMPT: ("beforeSubmitPrompt", {"prompt": TYPED}),
    BEFORE_TOOL: ("preToolUse", {"tool_name": _SHELL, "tool_input": COMMAND}),
    AFTER_TOOL: (
        "postToolUse",
        {
            "tool_name": _SHELL,
            "tool_input": LISTING,
            "tool_output": '{"exitCode": 0, "stdout": "done"}',
        },
    ),
    TURN_END: ("stop", {"status": "completed"}),
}
AGENT = Agent(
    _CALLED,
    _WIRING,
    Dialect(read_event, write_answer, _SAMPLES, base),
    tools=("Shell", "Write", "Read", "Grep", "Delete", "Task"),
    lost_after=("preCompact",),
    absent=absent,
    powershell=True,
)
