"""Claude Code's hooks: events on standard input, ``hookSpecificOutput`` back."""

import re
from collections.abc import Mapping
from typing import Any

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
from toolmem.core.agents.wiring import McpEntry, Wiring

_KINDS = {
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
WIRING = Wiring(
    "claude",
    ".claude/settings.json",
    ".claude/settings.json",
    tuple(_KINDS),
    moved=("CLAUDE_CONFIG_DIR", ".claude/"),
    twice=False,  # Claude Code runs equal hooks once
    mcp=McpEntry(
        ".mcp.json",
        ".claude.json",
        item={"type": "stdio"},
        moved=("CLAUDE_CONFIG_DIR", ""),
    ),
    programs=("claude",),
)
_EXIT_CODE = r"Exit code (-?\d{1,9})\b"


def read_event(payload: Mapping[str, Any], _name: str = "") -> Event:
    """Read an event of Claude Code."""
    return read_like_claude(payload, "claude")


def read_like_claude(payload: Mapping[str, Any], agent: str) -> Event:
    """Read an event with Claude Code's field names, which other agents use too."""
    name = text_of(payload, "hook_event_name")
    error = text_of(payload, "error")
    code = re.match(_EXIT_CODE, error) if error else None
    response = table_of(payload, "tool_response")
    return Event(
        agent=agent,
        kind=_KINDS.get(name, OTHER),
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


def write_answer(event: Event, answer: Answer) -> Reply:
    """Return the answer in Claude Code's format; an empty reply without one."""
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
