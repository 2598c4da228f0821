"""What each agent reports to its hooks, as ``make agents`` measured it; see the manual."""

from collections.abc import Mapping
from typing import NamedTuple


class HookReport(NamedTuple):
    """What hooks learn of a command that failed, of one that passed, and of a stop.

    ``failure`` and ``success`` are the event after the call, "" without one, and the
    exit code. ``stop`` is the event at the end of a turn; ``stop_answered``: the answer
    makes the turn go on.
    """

    failure: str
    success: str
    call_ids: bool
    stop: str
    stop_answered: bool


TOLD: Mapping[str, HookReport] = {
    "claude": HookReport(
        "PostToolUseFailure: exit code 2",
        "PostToolUse: no exit code",
        True,
        "Stop",
        True,
    ),
    "codex": HookReport(
        "PostToolUse: outcome unknown",
        "PostToolUse: outcome unknown",
        True,
        "Stop",
        True,
    ),
    "gemini": HookReport(
        "AfterTool: exit code 2", "AfterTool: no exit code", False, "AfterAgent", True
    ),
    "opencode": HookReport(
        "after_tool: exit code 2", "after_tool: exit code 0", True, "turn_end", False
    ),
    "copilot": HookReport(
        "postToolUse: exit code 2", "postToolUse: exit code 0", False, "agentStop", True
    ),
    "qwen": HookReport(
        "PostToolUse: exit code 2", "PostToolUse: exit code 0", True, "Stop", True
    ),
    "droid": HookReport("", "PostToolUse: exit code 0", False, "Stop", True),
    "cline": HookReport(
        "tool_result: exit code 2",
        "tool_result: no exit code",
        True,
        "agent_end",
        False,
    ),
}
