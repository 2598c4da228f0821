"""Qwen Code's hooks: Claude Code's events, Gemini CLI's tools and results.

Read and measured in version 0.15.10: without a terminal no event begins or ends a
session. What SessionStart and PreToolUse answer for the model is not used, "ask" blocks
the call, and ``systemMessage`` is only logged.
"""

from collections.abc import Mapping
from typing import Any

from toolmem.core.agents.agent import Agent, Dialect, Switch, UserFiles
from toolmem.core.agents.claude_form import (
    named_base,
    read_like_claude,
    with_names,
    write_like_claude,
)
from toolmem.core.agents.event import (
    AFTER_TOOL,
    PROMPT,
    TOOL_FAILED,
    Answer,
    Event,
    Reply,
    table_of,
)
from toolmem.core.agents.gemini import asks_for_trust, text_in, untrusted
from toolmem.core.agents.gemini.transcript import shell_exit_code
from toolmem.core.agents.samples import OUTPUT
from toolmem.core.agents.wiring import SECONDS, McpEntry, TextFile, Wiring

_SETTINGS = ".qwen/settings.json"
_WIRING = Wiring(
    "qwen",
    _SETTINGS,
    _SETTINGS,
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
    mcp=McpEntry(_SETTINGS, _SETTINGS),
    programs=("qwen",),
)
_CONTEXT = frozenset({"UserPromptSubmit", "PostToolUse", "PostToolUseFailure"})


def read_event(payload: Mapping[str, Any], _name: str = "") -> Event:
    """Read an event of Qwen Code; a failed command is recognised by its result."""
    event = read_like_claude(payload, "qwen")
    event = event._replace(
        takes_context=event.name in _CONTEXT,
        delivers=event.kind == PROMPT,
        may_resume=event.kind == PROMPT,
    )
    if event.kind != AFTER_TOOL:
        return event
    response = table_of(payload, "tool_response")
    code = shell_exit_code(event.tool, text_in(response.get("llmContent")))
    kind = TOOL_FAILED if code else AFTER_TOOL
    return event._replace(kind=kind, exit_code=code)


def write_answer(event: Event, answer: Answer) -> Reply:
    """Return the answer in Qwen Code's format."""
    answer = answer._replace(message="")
    if event.name not in _CONTEXT:
        answer = answer._replace(context="")
    return write_like_claude(event, answer)


def missing_step(place: str, files: UserFiles) -> str:
    """Return how to trust the folder, for a user who is asked for it.

    Without the setting Qwen Code trusts every folder.
    """
    if place == "user" or not asks_for_trust(files) or not untrusted(files):
        return ""
    return "start qwen in this folder and trust it"


AGENT = Agent(
    "Qwen Code",
    _WIRING,
    Dialect(
        read_event,
        write_answer,
        with_names(
            "run_shell_command", {"llmContent": OUTPUT, "returnDisplay": OUTPUT}
        ),
        named_base,
    ),
    tools=(
        *("run_shell_command", "edit", "write_file", "read_file", "grep_search"),
        *("glob", "list_directory", "web_fetch", "save_memory", "todo_write"),
    ),
    lost_after=("SessionStart compact", "SessionStart clear"),
    asks=False,
    switches=(
        Switch(
            ("disableAllHooks",),
            True,
            "remove disableAllHooks",
            (TextFile(_SETTINGS, _SETTINGS),),
        ),
    ),
    missing_step=missing_step,
)
