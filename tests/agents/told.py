"""Reports of agents to their hooks, as ``make agents`` measured them."""

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
    agent: HookReport(*report)
    for agent, report in {
        "claude": (
            *("PostToolUseFailure: exit code 2", "PostToolUse: no exit code"),
            *(True, "Stop", True),
        ),
        "codex": (
            *("PostToolUse: outcome unknown", "PostToolUse: outcome unknown"),
            *(True, "Stop", True),
        ),
        "gemini": (
            *("AfterTool: exit code 2", "AfterTool: no exit code"),
            *(False, "AfterAgent", True),
        ),
        "opencode": (
            *("after_tool: exit code 2", "after_tool: exit code 0"),
            *(True, "turn_end", False),
        ),
        "copilot": (
            *("postToolUse: exit code 2", "postToolUse: exit code 0"),
            *(False, "agentStop", True),
        ),
        "qwen": (
            *("PostToolUse: exit code 2", "PostToolUse: exit code 0"),
            *(True, "Stop", True),
        ),
        "droid": ("", "PostToolUse: exit code 0", False, "Stop", True),
        "cline": (
            *("tool_result: exit code 2", "tool_result: no exit code"),
            *(True, "agent_end", False),
        ),
    }.items()
}
