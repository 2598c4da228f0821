"""Claude Code: the agent, and its hooks that another agent runs."""

from collections.abc import Mapping
from typing import Any

from toolmem.core.agents import copilot
from toolmem.core.agents.agent import Agent, Dialect, Switch
from toolmem.core.agents.claude_form import (
    KINDS,
    absent_like_claude,
    named_base,
    read_like_claude,
    with_names,
    write_like_claude,
)
from toolmem.core.agents.event import Event
from toolmem.core.agents.samples import OUTPUT
from toolmem.core.agents.wiring import McpEntry, TextFile, Wiring

_MOVED = ("CLAUDE_CONFIG_DIR", ".claude/")
_WIRING = Wiring(
    "claude",
    ".claude/settings.json",
    ".claude/settings.json",
    tuple(KINDS),
    moved=_MOVED,
    twice=False,  # Claude Code runs equal hooks once
    mcp=McpEntry(
        ".mcp.json",
        ".claude.json",
        item={"type": "stdio"},
        moved=("CLAUDE_CONFIG_DIR", ""),
    ),
    programs=("claude",),
)
_OFF = Switch(
    ("disableAllHooks",),
    True,
    "remove disableAllHooks",
    (
        TextFile(".claude/settings.local.json", ""),
        TextFile(".claude/settings.json", ".claude/settings.json", _MOVED),
    ),
)


def read_event(payload: Mapping[str, Any], name: str = "") -> Event:
    """Read an event that was sent to a hook in the settings of Claude Code.

    Copilot runs those hooks, too; Claude Code's events name a transcript and no time.
    """
    timed = "timestamp" in payload
    if timed and ("transcript_path" not in payload or "stop_reason" in payload):
        return copilot.read_event(payload, name)
    return read_like_claude(payload, "claude")


AGENT = Agent(
    "Claude Code",
    _WIRING,
    Dialect(
        read_event,
        write_like_claude,
        with_names("Bash", {"stdout": OUTPUT, "stderr": ""}),
        named_base,
    ),
    tools=(
        *("Bash", "Edit", "Write", "Read", "Grep", "Glob", "NotebookEdit"),
        *("WebFetch", "WebSearch", "Agent", "TodoWrite"),
    ),
    lost_after=("SessionStart compact", "SessionStart clear"),
    absent=absent_like_claude,
    switches=(_OFF,),
)
