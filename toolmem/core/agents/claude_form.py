"""The form of Claude Code's hooks, which other agents have taken over.

Events come on standard input, ``hookSpecificOutput`` goes back.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from toolmem.core.agents.agent import Samples
from toolmem.core.agents.event import (
    AFTER_TOOL,
    BEFORE_TOOL,
    OTHER,
    PROMPT,
    SESSION_END,
    SESSION_START,
    SUBAGENT_START,
    TOOL_FAILED,
    TURN_END,
    Answer,
    Event,
    Reply,
    arguments_of,
    number_of,
    table_of,
    text_of,
)
from toolmem.core.agents.samples import COMMAND, LISTING, SESSION, TYPED

KINDS = {
    "SessionStart": SESSION_START,
    "SubagentStart": SUBAGENT_START,
    "UserPromptSubmit": PROMPT,
    "PreToolUse": BEFORE_TOOL,
    "PostToolUse": AFTER_TOOL,
    "PostToolUseFailure": TOOL_FAILED,
    "Stop": TURN_END,
    "SessionEnd": SESSION_END,
}
# Events that accept text for the model, and events that accept one for the user.
_CONTEXT = frozenset(
    {
        "SessionStart",
        "SubagentStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
    }
)
_MESSAGE = frozenset({"SessionStart", "UserPromptSubmit", "Stop"})
_EXIT_CODE = r"Exit code (-?\d{1,9})\b"


def read_like_claude(payload: Mapping[str, Any], agent: str) -> Event:
    """Read an event with Claude Code's field names, which other agents use too."""
    name = text_of(payload, "hook_event_name")
    error = text_of(payload, "error")
    code = re.match(_EXIT_CODE, error) if error else None
    response = table_of(payload, "tool_response")
    return Event(
        agent=agent,
        kind=KINDS.get(name, OTHER),
        name=name,
        session=text_of(payload, "session_id"),
        cwd=text_of(payload, "cwd"),
        source=text_of(payload, "source"),
        prompt=text_of(payload, "prompt"),
        # A prompt inside a sub-agent comes from the agent above it.
        typed="agent_id" not in payload,
        tool=text_of(payload, "tool_name"),
        input=arguments_of(payload, "tool_input"),
        call_id=text_of(payload, "tool_use_id"),
        exit_code=int(code[1]) if code else None,
        error=error,
        duration_ms=number_of(payload, "duration_ms"),
        interrupted=True in (payload.get("is_interrupt"), response.get("interrupted")),
        unfinished=bool(
            response.get("backgroundTaskId") or response.get("timedOutAfterMs")
        ),
        transcript=text_of(payload, "transcript_path"),
        takes_context=name in _CONTEXT,
        delivers=name in ("SessionStart", "SubagentStart"),
        reply=text_of(payload, "last_assistant_message"),
        subagent=text_of(payload, "agent_id"),
        continued=payload.get("stop_hook_active") is True,
        busy=bool(payload.get("background_tasks")),
    )


def write_like_claude(event: Event, answer: Answer) -> Reply:
    """Return the answer in Claude Code's form; an empty reply without one."""
    special: dict[str, Any] = {}
    if event.name == "PreToolUse" and answer.verdict in ("deny", "ask", "allow"):
        special["permissionDecision"] = answer.verdict
        special["permissionDecisionReason"] = answer.reason
    elif answer.context and event.name in _CONTEXT:
        special["additionalContext"] = answer.context
    document: dict[str, Any] = {}
    if event.kind == TURN_END and answer.verdict == "deny":
        document |= {"decision": "block", "reason": answer.reason}
    if special:
        document["hookSpecificOutput"] = {"hookEventName": event.name, **special}
    if answer.message and event.name in _MESSAGE:
        document["systemMessage"] = answer.message
    return Reply(document or None)


def absent_like_claude(text: str) -> Sequence[Mapping[str, Any]]:
    """Return the answer of a session's start for user and model."""
    context = {"hookEventName": "SessionStart", "additionalContext": text}
    return [{"systemMessage": text, "hookSpecificOutput": context}]


def with_names(shell: str, response: Any) -> Samples:
    """Return sample events with Claude Code's names, for the name of a shell tool."""
    return {
        SESSION_START: ("SessionStart", {"source": "startup"}),
        PROMPT: ("UserPromptSubmit", {"prompt": TYPED}),
        BEFORE_TOOL: ("PreToolUse", {"tool_name": shell, "tool_input": COMMAND}),
        AFTER_TOOL: (
            "PostToolUse",
            {"tool_name": shell, "tool_input": LISTING, "tool_response": response},
        ),
        TURN_END: ("Stop", {"stop_hook_active": False}),
    }


def named_base(name: str, folder: str) -> Mapping[str, Any]:
    """Return what every payload has in Claude Code's form."""
    base = {"session_id": SESSION, "cwd": folder, "hook_event_name": name}
    return {**base, "transcript_path": ""}
