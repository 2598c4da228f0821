"""Where each agent's hooks are set, and the entries that call toolmem."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from toolmem.core.agents.plugin import opencode_plugin

_SECONDS = 10
"""A hook's time limit; toolmem itself gives up after two seconds."""


class WiringEntry(NamedTuple):
    """One item of ours in the array at ``keys`` of a JSON file."""

    keys: tuple[str, ...]
    item: Mapping[str, Any]


class Wiring(NamedTuple):
    """How an agent is wired: a file per place, and what goes into it.

    ``project`` and ``user`` are paths below the project and the home folder;
    ``moved`` is a variable of the agent's that names another folder for the user's,
    and the beginning of ``user`` that it stands for.
    ``entries`` go into a JSON file that others share; ``base`` are the keys that
    such a file needs when it is new; ``whole`` is a file of our own; ``section``
    says that the prompt block goes into a marked section. ``note`` is what the
    user has still to do.
    """

    project: str
    user: str
    entries: tuple[WiringEntry, ...] = ()
    base: Mapping[str, Any] = {}
    whole: str = ""
    section: bool = False
    note: str = ""
    moved: tuple[str, str] = ("", "")

    def user_path(self, environment: Mapping[str, str]) -> str:
        """The user's file: below the home folder, or absolute where it was moved."""
        variable, beginning = self.moved
        moved = environment.get(variable) if variable else None
        if not moved:
            return self.user
        return f"{moved.rstrip('/')}/{self.user.removeprefix(beginning)}"


def calls_us(handler: Any, agent: str) -> bool:
    """Whether a handler of a hooks array calls ``toolmem hook`` for the agent."""
    command = handler.get("command") if isinstance(handler, Mapping) else None
    if not isinstance(command, str):
        return False
    arguments = handler.get("args", [])
    words = command.replace('"', " ").split()
    words += arguments if isinstance(arguments, list) else []
    program = words[0].replace("\\", "/").rpartition("/")[2] if words else ""
    return program in ("toolmem", "toolmem.exe") and words[1:3] == ["hook", agent]


def _command(agent: str) -> str:
    return f"toolmem hook {agent}"


def _nested(
    agent: str, event: str, extra: Mapping[str, Any], matcher: str = ""
) -> WiringEntry:
    """Claude Code's shape, which Codex and Gemini CLI share."""
    handler = {"type": "command", "command": _command(agent), **extra}
    matched = {"matcher": matcher} if matcher else {}
    return WiringEntry(("hooks", event), {**matched, "hooks": [handler]})


_CLAUDE = tuple(
    _nested("claude", event, {"timeout": _SECONDS})
    for event in (
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "Stop",
        "SessionEnd",
    )
)
_CODEX = tuple(
    _nested("codex", event, {"timeout": _SECONDS})
    for event in (
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "Stop",
    )
)
_GEMINI = tuple(
    # Gemini CLI counts in milliseconds.
    _nested("gemini", event, {"name": "toolmem", "timeout": _SECONDS * 1000}, matcher)
    for event, matcher in (
        ("SessionStart", ""),
        ("BeforeAgent", ""),
        ("BeforeTool", ".*"),
        ("AfterTool", ".*"),
        ("AfterAgent", ""),
        ("SessionEnd", ""),
    )
)
_CURSOR = tuple(
    WiringEntry(("hooks", event), {"command": _command("cursor"), "timeout": _SECONDS})
    for event in (
        "sessionStart",
        "beforeSubmitPrompt",
        "preToolUse",
        "beforeShellExecution",
        "postToolUse",
        "postToolUseFailure",
        "stop",
        "sessionEnd",
    )
)
_COPILOT_EVENTS = (
    "sessionStart",
    "userPromptSubmitted",
    "preToolUse",
    "postToolUse",
    "postToolUseFailure",
    "agentStop",
    "sessionEnd",
)


def _copilot_file() -> str:
    def handler(event: str) -> dict[str, Any]:
        # Copilot denies the call when a hook fails: somebody without toolmem who
        # works in this project must be able to go on.
        command = f"{_command('copilot')} --event {event}"
        there = "Get-Command toolmem -ErrorAction SilentlyContinue"
        return {
            "type": "command",
            "bash": f"if command -v toolmem >/dev/null; then {command}; fi",
            "powershell": f"if ({there}) {{ {command}; exit $LASTEXITCODE }}",
            "timeoutSec": _SECONDS,
        }

    hooks = {event: [handler(event)] for event in _COPILOT_EVENTS}
    return json.dumps({"version": 1, "hooks": hooks}, indent=2) + "\n"


def claude_plugin() -> dict[str, str]:
    """The files of a Claude Code plugin folder, by path."""
    hooks: dict[str, list[Any]] = {}
    for entry in _CLAUDE:
        hooks.setdefault(entry.keys[-1], []).append(dict(entry.item))
    manifest = {
        "name": "toolmem",
        "description": "Rules and memories about tools, from a vault in git",
    }
    return {
        ".claude-plugin/plugin.json": json.dumps(manifest, indent=2) + "\n",
        "hooks/hooks.json": json.dumps({"hooks": hooks}, indent=2) + "\n",
    }


WIRINGS: Mapping[str, Wiring] = {
    "claude": Wiring(
        ".claude/settings.json",
        ".claude/settings.json",
        _CLAUDE,
        moved=("CLAUDE_CONFIG_DIR", ".claude/"),
    ),
    "codex": Wiring(
        ".codex/hooks.json",
        ".codex/hooks.json",
        _CODEX,
        note="Codex asks you to review new hooks once: run /hooks in it",
        moved=("CODEX_HOME", ".codex/"),
    ),
    "gemini": Wiring(".gemini/settings.json", ".gemini/settings.json", _GEMINI),
    "cursor": Wiring(
        ".cursor/hooks.json", ".cursor/hooks.json", _CURSOR, {"version": 1}
    ),
    "copilot": Wiring(
        ".github/hooks/toolmem.json",
        ".copilot/hooks/toolmem.json",
        whole=_copilot_file(),
    ),
    "opencode": Wiring(
        ".opencode/plugins/toolmem.js",
        ".config/opencode/plugins/toolmem.js",
        whole=opencode_plugin(),
        moved=("XDG_CONFIG_HOME", ".config/"),
    ),
    "goose": Wiring(
        ".goosehints",
        ".config/goose/.goosehints",
        section=True,
        note="goose has no hooks that take text: run this again when rules change",
        moved=("XDG_CONFIG_HOME", ".config/"),
    ),
}
