"""Qwen Code's hooks: Claude Code's events, Gemini CLI's tools and results.

Read in version 0.15.10: what SessionStart and PreToolUse answer for the model is not
used, "ask" blocks the call, and ``systemMessage`` is only logged.
"""

from collections.abc import Mapping
from typing import Any

from toolmem.core.agents.claude import read_like_claude
from toolmem.core.agents.claude import write_answer as write_like_claude
from toolmem.core.agents.event import (
    AFTER_TOOL,
    PROMPT,
    TOOL_FAILED,
    Answer,
    Event,
    Reply,
    deny_instead_of_ask,
    table_of,
)
from toolmem.core.agents.gemini import text_in
from toolmem.core.agents.wiring import SECONDS, McpEntry, Wiring
from toolmem.core.transcript.readers.gemini import shell_exit_code

WIRING = Wiring(
    "qwen",
    ".qwen/settings.json",
    ".qwen/settings.json",
    (
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "Stop",
        "SessionEnd",
    ),
    handler={"name": "toolmem", "timeout": SECONDS * 1000},  # milliseconds
    mcp=McpEntry(".qwen/settings.json", ".qwen/settings.json"),
    programs=("qwen",),
)
_CONTEXT = frozenset({"UserPromptSubmit", "PostToolUse", "PostToolUseFailure"})
_CALLED = "Qwen Code"


def read_event(payload: Mapping[str, Any], _name: str = "") -> Event:
    """Read an event of Qwen Code; a failed command is recognised by its result."""
    event = read_like_claude(payload, "qwen")
    event = event._replace(
        takes_context=event.name in _CONTEXT, delivers=event.kind == PROMPT
    )
    if event.kind != AFTER_TOOL:
        return event
    response = table_of(payload, "tool_response")
    code = shell_exit_code(event.tool, text_in(response.get("llmContent")))
    kind = TOOL_FAILED if code else AFTER_TOOL
    return event._replace(kind=kind, exit_code=code)


def write_answer(event: Event, answer: Answer) -> Reply:
    """Return the answer in Qwen Code's format."""
    answer = deny_instead_of_ask(answer, _CALLED)._replace(message="")
    if event.name not in _CONTEXT:
        answer = answer._replace(context="")
    return write_like_claude(event, answer)
