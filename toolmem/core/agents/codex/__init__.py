"""Codex's hooks: Claude Code's shape, no asking, and no exit codes."""

from collections.abc import Mapping
from typing import Any

from toolmem.core.agents.agent import Agent, Dialect, Switch, UserFiles
from toolmem.core.agents.claude_form import (
    absent_like_claude,
    named_base,
    read_like_claude,
    with_names,
    write_like_claude,
)
from toolmem.core.agents.event import (
    AFTER_TOOL,
    BEFORE_TOOL,
    Answer,
    Event,
    Reply,
    table_of,
)
from toolmem.core.agents.samples import OUTPUT
from toolmem.core.agents.wiring import McpEntry, TextFile, Wiring

_MOVED = ("CODEX_HOME", ".codex/")
_CONFIG = ".codex/config.toml"
_WIRING = Wiring(
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
    moved=_MOVED,
    mcp=McpEntry(_CONFIG, _CONFIG, ("mcp_servers",), moved=_MOVED),
    programs=("codex",),
)
_SHELLS = ("Bash", "shell", "shell_command", "exec_command")
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
    return write_like_claude(event, answer)


def missing_step(place: str, files: UserFiles) -> str:
    """Return how to trust the folder and the hooks, unless the user did."""
    config = files.read("config.toml")
    projects = table_of(config, "projects")
    trusted = [
        folder
        for folder in projects
        if table_of(projects, folder).get("trust_level") == "trusted"
    ]
    if place == "project" and not files.covers(trusted):
        return "start codex in this folder, trust it, then trust its hooks with /hooks"
    states = table_of(table_of(config, "hooks"), "state")
    reviewed = any(key.startswith(f"{files.hooks}:") for key in states)
    return "" if reviewed else "run /hooks in codex and trust them"


AGENT = Agent(
    "Codex",
    _WIRING,
    Dialect(read_event, write_answer, with_names("Bash", OUTPUT), named_base),
    tools=("shell", "apply_patch", "update_plan", "view_image", "web_search"),
    lost_after=("SessionStart compact", "SessionStart clear"),
    asks=False,
    absent=absent_like_claude,
    windows_key="commandWindows",
    late_outcomes=True,
    switches=tuple(
        Switch(
            ("features", name),
            False,
            f"remove features.{name}",
            (TextFile(_CONFIG, _CONFIG, _MOVED),),
        )
        for name in ("hooks", "codex_hooks")
    ),
    missing_step=missing_step,
)
