"""Sample events of each agent, for trying an installed wiring."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from toolmem.core.agents.event import (
    AFTER_TOOL,
    BEFORE_TOOL,
    PROMPT,
    SESSION_START,
    TURN_END,
)

PROGRAM = "toolmem-sample"
"""Name of a program that does not exist; the sample rule forbids it."""
_TYPED = "Never run toolmem-other-sample in this project."
_SESSION = "toolmem-agent-test"
_COMMAND = {"command": f"{PROGRAM} --now"}
_OUTPUT = "done"


class Sample(NamedTuple):
    """An event: its common kind, the agent's name of it, and its payload."""

    kind: str
    name: str
    payload: Mapping[str, Any]


_Events = Mapping[str, tuple[str, Mapping[str, Any]]]
_CLAUDE: _Events = {
    SESSION_START: ("SessionStart", {"source": "startup"}),
    PROMPT: ("UserPromptSubmit", {"prompt": _TYPED}),
    BEFORE_TOOL: ("PreToolUse", {"tool_name": "Bash", "tool_input": _COMMAND}),
    AFTER_TOOL: (
        "PostToolUse",
        {
            "tool_name": "Bash",
            "tool_input": {"command": "ls"},
            "tool_response": {"stdout": _OUTPUT, "stderr": ""},
        },
    ),
    TURN_END: ("Stop", {"stop_hook_active": False}),
}
_GEMINI: _Events = {
    SESSION_START: ("SessionStart", {"source": "startup"}),
    PROMPT: ("BeforeAgent", {"prompt": _TYPED}),
    BEFORE_TOOL: (
        "BeforeTool",
        {"tool_name": "run_shell_command", "tool_input": _COMMAND},
    ),
    AFTER_TOOL: (
        "AfterTool",
        {
            "tool_name": "run_shell_command",
            "tool_input": {"command": "ls"},
            "tool_response": {"llmContent": _OUTPUT, "returnDisplay": _OUTPUT},
        },
    ),
    TURN_END: ("AfterAgent", {"prompt": _TYPED, "prompt_response": _OUTPUT}),
}
_CURSOR: _Events = {
    SESSION_START: ("sessionStart", {}),
    PROMPT: ("beforeSubmitPrompt", {"prompt": _TYPED}),
    BEFORE_TOOL: ("preToolUse", {"tool_name": "Shell", "tool_input": _COMMAND}),
    AFTER_TOOL: (
        "postToolUse",
        {
            "tool_name": "Shell",
            "tool_input": {"command": "ls"},
            "tool_output": '{"exitCode": 0, "stdout": "done"}',
        },
    ),
    TURN_END: ("stop", {"status": "completed"}),
}
_COPILOT: _Events = {
    SESSION_START: ("sessionStart", {"source": "new"}),
    PROMPT: ("userPromptSubmitted", {"prompt": _TYPED}),
    BEFORE_TOOL: ("preToolUse", {"toolName": "bash", "toolArgs": _COMMAND}),
    AFTER_TOOL: (
        "postToolUse",
        {
            "toolName": "bash",
            "toolArgs": {"command": "ls"},
            "toolResult": {"resultType": "success", "textResultForLlm": _OUTPUT},
        },
    ),
    TURN_END: ("agentStop", {"stopReason": "end_turn"}),
}
_OPENCODE: _Events = {
    SESSION_START: ("session_start", {"source": "startup"}),
    PROMPT: ("prompt", {"prompt": _TYPED, "typed": True}),
    BEFORE_TOOL: ("before_tool", {"tool": "bash", "args": _COMMAND}),
    AFTER_TOOL: ("after_tool", {"tool": "bash", "args": {"command": "ls"}, "exit": 0}),
    TURN_END: ("turn_end", {}),
}
_QWEN: _Events = {
    **_CLAUDE,
    BEFORE_TOOL: (
        "PreToolUse",
        {"tool_name": "run_shell_command", "tool_input": _COMMAND},
    ),
    AFTER_TOOL: ("PostToolUse", _GEMINI[AFTER_TOOL][1]),
}
_EVENTS: Mapping[str, _Events] = {
    "claude": _CLAUDE,
    "codex": _CLAUDE,
    "gemini": _GEMINI,
    "cursor": _CURSOR,
    "copilot": _COPILOT,
    "opencode": _OPENCODE,
    "qwen": _QWEN,
}


def samples(agent: str, folder: str) -> tuple[Sample, ...]:
    """Return the events of a short session of an agent in a folder, in order."""
    return tuple(
        Sample(kind, name, {**_base(agent, name, folder), **payload})
        for kind, (name, payload) in _EVENTS[agent].items()
    )


def _base(agent: str, name: str, folder: str) -> Mapping[str, Any]:
    if agent == "copilot":
        return {"sessionId": _SESSION, "cwd": folder}
    if agent == "opencode":
        return {"event": name, "session": _SESSION, "cwd": folder}
    if agent == "cursor":
        roots = {"conversation_id": _SESSION, "workspace_roots": [folder]}
        return {**roots, "hook_event_name": name, "cwd": folder}
    base = {"session_id": _SESSION, "cwd": folder, "hook_event_name": name}
    return {**base, "transcript_path": ""}
