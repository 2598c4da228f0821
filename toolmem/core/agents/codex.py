"""Codex's hooks: Claude Code's shape, no asking, and no exit codes."""

from collections.abc import Mapping
from typing import Any

from toolmem.core.agents.claude import read_like_claude
from toolmem.core.agents.claude import write_answer as write_like_claude
from toolmem.core.agents.event import (
    AFTER_TOOL,
    BEFORE_TOOL,
    Answer,
    Event,
    Reply,
    deny_instead_of_ask,
)
from toolmem.core.agents.wiring import McpEntry, Wiring

WIRING = Wiring(
    "codex",
    ".codex/hooks.json",
    ".codex/hooks.json",
    (
        "SessionStart",
        "SubagentStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "Stop",
    ),
    moved=("CODEX_HOME", ".codex/"),
    mcp=McpEntry(
        ".codex/config.toml",
        ".codex/config.toml",
        ("mcp_servers",),
        moved=("CODEX_HOME", ".codex/"),
    ),
    programs=("codex",),
)
_SHELLS = ("Bash", "shell", "shell_command", "exec_command")
_CALLED = "Codex"
_PATCH = "*** Begin Patch"


def read_event(payload: Mapping[str, Any], _name: str = "") -> Event:
    """Read an event of Codex.

    The response of a command is its output alone: how it ended is in the transcript.
    """
    event = read_like_claude(payload, "codex")
    if event.kind == BEFORE_TOOL and event.tool in _SHELLS:
        # Codex applies a patch itself instead of running the command.
        return event._replace(silent_end=_PATCH in str(event.input.get("command")))
    if event.kind != AFTER_TOOL:
        return event
    return event._replace(unfinished=event.tool in _SHELLS)


def write_answer(event: Event, answer: Answer) -> Reply:
    """Return the answer in Codex's format."""
    if answer.verdict == "allow":
        # Codex accepts an approval only together with a changed input.
        answer = Answer(answer.reason)
    return write_like_claude(event, deny_instead_of_ask(answer, _CALLED))
