"""Locations of each agent's hook settings, and the entries that call toolmem."""

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from toolmem.core.agents.plugin import opencode_plugin
from toolmem.core.shell.parse import parse_command

_SECONDS = 10
"""A hook's time limit; toolmem itself gives up after two seconds."""


class WiringEntry(NamedTuple):
    """Our item in the array at ``keys`` of a JSON file."""

    keys: tuple[str, ...]
    item: Mapping[str, Any]


class Wiring(NamedTuple):
    """Installation of hooks for an agent: files and their content.

    ``project`` and ``user`` are paths below the project and the home folder. ``moved``
    is an environment variable that names another folder for the user's file, and the
    prefix of ``user`` that it replaces. ``entries`` go into a shared JSON file
    (``windows`` on Windows, where the agent runs another shell); ``base`` are the keys
    that such a file needs when it is new. ``whole`` is a file that is ours alone.
    ``section``: the prompt block goes into a marked section. ``note`` is what the user
    still has to do. ``twice``: hooks in both files are both run.
    """

    project: str
    user: str
    entries: tuple[WiringEntry, ...] = ()
    base: Mapping[str, Any] = {}
    whole: str = ""
    section: bool = False
    note: str = ""
    moved: tuple[str, str] = ("", "")
    windows: tuple[WiringEntry, ...] = ()
    twice: bool = True

    def entries_for(self, platform: str) -> tuple[WiringEntry, ...]:
        """Return the entries for a platform, as ``sys.platform`` names it."""
        return (self.windows or self.entries) if platform == "win32" else self.entries

    def user_path(self, environment: Mapping[str, str]) -> str:
        """Return the user's file: below the home folder, or absolute if moved."""
        variable, beginning = self.moved
        moved = environment.get(variable) if variable else None
        if not moved:
            return self.user
        return f"{moved.rstrip('/')}/{self.user.removeprefix(beginning)}"


def warm_entries(agent: str, python: str, program: str) -> tuple[WiringEntry, ...]:
    """Return the entries of an agent whose hooks are answered by a helper, if they can.

    ``program`` asks the helper; it is run by the interpreter ``python``.
    """
    old, new = _command(agent), warm_command(agent, python, program)

    def changed(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: changed(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [changed(inner) for inner in value]
        return new if value == old else value

    return tuple(
        WiringEntry(entry.keys, changed(entry.item)) for entry in WIRINGS[agent].entries
    )


def calls_us(handler: Any, agent: str) -> bool:
    """Return True if a handler in a hooks array calls ``toolmem hook AGENT``."""
    command = handler.get("command") if isinstance(handler, Mapping) else None
    if not isinstance(command, str):
        return False
    arguments = handler.get("args", [])
    if isinstance(arguments, list) and arguments:
        return _is_call([command, *arguments], agent)
    commands = parse_command(command.replace("\\", "/")).commands
    return any(_is_call([word.text for word in c.argv], agent) for c in commands)


def _is_call(words: Sequence[Any], agent: str) -> bool:
    program = str(words[0]).replace("\\", "/").rpartition("/")[2] if words else ""
    return program in ("toolmem", "toolmem.exe") and words[1:3] == ["hook", agent]


def _command(agent: str, more: str = "") -> str:
    """Command line for ``sh`` that does nothing where toolmem is not installed.

    Project settings are shared with people who do not have toolmem, and some agents
    stop when a hook is not found.
    """
    return f"command -v toolmem >/dev/null || exit 0; toolmem hook {agent}{more}"


def warm_command(agent: str, python: str, program: str) -> str:
    """Command line for ``sh`` that lets a helper answer.

    It runs toolmem as any other does where the interpreter or the program is gone.
    """
    python, program = shlex.quote(python), shlex.quote(program)
    ask = f"exec {python} -IS {program} {agent}"
    return f"[ -x {python} ] && [ -f {program} ] && {ask}; {_command(agent)}"


def _powershell(agent: str, more: str = "") -> str:
    there = "Get-Command toolmem -ErrorAction SilentlyContinue"
    return f"if ({there}) {{ toolmem hook {agent}{more}; exit $LASTEXITCODE }}"


def command_of(agent: str, event: str, platform: str) -> str:
    """Return the command line that an agent runs for one of its events."""
    if agent == "copilot":
        make = _powershell if platform == "win32" else _command
        return make(agent, f" --event {event}")
    if platform == "win32":
        windows = WIRINGS[agent].windows
        return _powershell(agent) if windows else f"toolmem hook {agent}"
    return _command(agent)


def _nested(
    command: str, event: str, extra: Mapping[str, Any], matcher: str = ""
) -> WiringEntry:
    """Claude Code's shape, which Codex and Gemini CLI share."""
    handler = {"type": "command", "command": command, **extra}
    matched = {"matcher": matcher} if matcher else {}
    return WiringEntry(("hooks", event), {**matched, "hooks": [handler]})


_CLAUDE = tuple(
    _nested(_command("claude"), event, {"timeout": _SECONDS})
    for event in (
        "SessionStart",
        "SubagentStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "Stop",
        "SessionEnd",
    )
)
_CODEX = tuple(
    _nested(
        _command("codex"),
        event,
        # cmd.exe runs it on Windows; a missing program is ignored there.
        {"commandWindows": "toolmem hook codex", "timeout": _SECONDS},
    )
    for event in (
        "SessionStart",
        "SubagentStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "Stop",
    )
)


def _gemini(command: str) -> tuple[WiringEntry, ...]:
    # in milliseconds
    extra = {"name": "toolmem", "timeout": _SECONDS * 1000}
    return tuple(
        _nested(command, event, extra, matcher)
        for event, matcher in (
            ("SessionStart", ""),
            ("BeforeAgent", ""),
            ("BeforeTool", ".*"),
            ("AfterTool", ".*"),
            ("AfterAgent", ""),
            ("SessionEnd", ""),
        )
    )


def _cursor(command: str) -> tuple[WiringEntry, ...]:
    handler = {"command": command, "timeout": _SECONDS}
    return tuple(
        WiringEntry(("hooks", event), handler)
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
    "preCompact",
    "agentStop",
    "sessionEnd",
)


def _copilot_file() -> str:
    def handler(event: str) -> dict[str, Any]:
        return {
            "type": "command",
            "bash": _command("copilot", f" --event {event}"),
            "powershell": _powershell("copilot", f" --event {event}"),
            "timeoutSec": _SECONDS,
        }

    hooks = {event: [handler(event)] for event in _COPILOT_EVENTS}
    return json.dumps({"version": 1, "hooks": hooks}, indent=2) + "\n"


def claude_plugin() -> dict[str, str]:
    """Return the files of a Claude Code plugin folder, by path."""
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
        twice=False,  # Claude Code runs equal hooks once
    ),
    "codex": Wiring(
        ".codex/hooks.json",
        ".codex/hooks.json",
        _CODEX,
        moved=("CODEX_HOME", ".codex/"),
    ),
    "gemini": Wiring(
        ".gemini/settings.json",
        ".gemini/settings.json",
        _gemini(_command("gemini")),
        windows=_gemini(_powershell("gemini")),
    ),
    "cursor": Wiring(
        ".cursor/hooks.json",
        ".cursor/hooks.json",
        _cursor(_command("cursor")),
        {"version": 1},
        windows=_cursor(_powershell("cursor")),
    ),
    "copilot": Wiring(
        ".github/hooks/toolmem.json",
        ".copilot/hooks/toolmem.json",
        whole=_copilot_file(),
        twice=False,  # the second call for an event does nothing
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
        note="goose is shown the rules, its calls are not checked: run this again "
        "when rules change",
        moved=("XDG_CONFIG_HOME", ".config/"),
    ),
}
