"""Locations of each agent's hook settings, and the entries that call toolmem."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from toolmem.core.agents.hook_command import HookCommand, calls_us, options_of
from toolmem.core.agents.plugin import opencode_plugin

_SECONDS = 10
"""A hook's time limit; toolmem itself gives up after two seconds."""


class WiringEntry(NamedTuple):
    """Our item in the array at ``keys`` of a JSON file."""

    keys: tuple[str, ...]
    item: Mapping[str, Any]


Entries = Callable[[HookCommand], tuple[WiringEntry, ...]]


def _no_entries(_command: HookCommand) -> tuple[WiringEntry, ...]:
    return ()


def _no_file(_command: HookCommand) -> str:
    return ""


class Wiring(NamedTuple):
    """Installation of hooks for an agent: files and their content.

    ``project`` and ``user`` are paths below the project and the home folder. ``moved``
    is an environment variable that names another folder for the user's file, and the
    prefix of ``user`` that it replaces. ``entries_for`` makes the entries of a shared
    JSON file; ``base`` are the keys that such a file needs when it is new.
    ``whole_for`` makes a file that is ours alone. ``section``: the prompt block goes
    into a marked section. ``note`` is what the user still has to do. ``twice``: hooks
    in both files are both run.
    """

    agent: str
    project: str
    user: str
    entries_for: Entries = _no_entries
    base: Mapping[str, Any] = {}
    whole_for: Callable[[HookCommand], str] = _no_file
    section: bool = False
    note: str = ""
    moved: tuple[str, str] = ("", "")
    twice: bool = True

    @property
    def entries(self) -> tuple[WiringEntry, ...]:
        """Return the entries without options, for ``sh``."""
        return self.entries_for(HookCommand(self.agent, warm=True))

    @property
    def whole(self) -> str:
        """Return the file that is ours alone, without options."""
        return self.whole_for(HookCommand(self.agent, warm=True))

    def user_path(self, environment: Mapping[str, str]) -> str:
        """Return the user's file: below the home folder, or absolute if moved."""
        variable, beginning = self.moved
        moved = environment.get(variable) if variable else None
        if not moved:
            return self.user
        return f"{moved.rstrip('/')}/{self.user.removeprefix(beginning)}"


def installed_options(document: Any, agent: str) -> Mapping[str, str]:
    """Return the options of our handlers in a hooks file, by event."""
    found: dict[str, str] = {}
    for event, handler in _handlers(document):
        options = options_of(handler, agent)
        if options:
            found.setdefault(event, options)
    return found


def has_handler(document: Any, agent: str) -> bool:
    """Return whether a hooks file has a handler of ours."""
    return any(calls_us(handler, agent) for _, handler in _handlers(document))


def _handlers(document: Any) -> Iterator[tuple[str, Any]]:
    """Yield the handlers of each event, those in groups as well."""
    hooks = document.get("hooks") if isinstance(document, Mapping) else None
    for event, items in hooks.items() if isinstance(hooks, Mapping) else ():
        for item in items if isinstance(items, list) else ():
            inner = item.get("hooks") if isinstance(item, Mapping) else None
            for handler in inner if isinstance(inner, list) else [item]:
                yield str(event), _with_command(handler)


def _with_command(handler: Any) -> Any:
    """Return a handler with its command under Claude Code's key."""
    if isinstance(handler, Mapping) and "bash" in handler:
        return {"command": handler["bash"]}
    return handler


def _nested(
    command: HookCommand, event: str, extra: Mapping[str, Any], matcher: str = ""
) -> WiringEntry:
    """Claude Code's shape, which Codex and Gemini CLI share."""
    handler = {"type": "command", "command": command.line(event), **extra}
    matched = {"matcher": matcher} if matcher else {}
    return WiringEntry(("hooks", event), {**matched, "hooks": [handler]})


def _claude(command: HookCommand) -> tuple[WiringEntry, ...]:
    return tuple(
        _nested(command, event, {"timeout": _SECONDS})
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


def _codex(command: HookCommand) -> tuple[WiringEntry, ...]:
    def extra(event: str) -> Mapping[str, Any]:
        # cmd.exe runs it on Windows; a missing program is ignored there.
        windows = f"toolmem {command.words(event)}"
        return {"commandWindows": windows, "timeout": _SECONDS}

    return tuple(
        _nested(command, event, extra(event))
        for event in (
            "SessionStart",
            "SubagentStart",
            "UserPromptSubmit",
            "PreToolUse",
            "PostToolUse",
            "Stop",
        )
    )


def _gemini(command: HookCommand) -> tuple[WiringEntry, ...]:
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


def _cursor(command: HookCommand) -> tuple[WiringEntry, ...]:
    return tuple(
        WiringEntry(
            ("hooks", event), {"command": command.line(event), "timeout": _SECONDS}
        )
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


def _copilot_file(command: HookCommand) -> str:
    def handler(event: str) -> dict[str, Any]:
        return {
            "type": "command",
            "bash": command.sh(event),
            "powershell": command.powershell(event),
            "timeoutSec": _SECONDS,
        }

    hooks = {event: [handler(event)] for event in _COPILOT_EVENTS}
    return json.dumps({"version": 1, "hooks": hooks}, indent=2) + "\n"


def claude_plugin(*, warm: bool) -> dict[str, str]:
    """Return the files of a Claude Code plugin folder, by path."""
    hooks: dict[str, list[Any]] = {}
    for entry in _claude(HookCommand("claude", warm=warm)):
        hooks.setdefault(entry.keys[-1], []).append(dict(entry.item))
    manifest = {
        "name": "toolmem",
        "description": "Rules and memories about tools, from a vault in git",
    }
    return {
        ".claude-plugin/plugin.json": json.dumps(manifest, indent=2) + "\n",
        "hooks/hooks.json": json.dumps({"hooks": hooks}, indent=2) + "\n",
    }


_WIRINGS = (
    Wiring(
        "claude",
        ".claude/settings.json",
        ".claude/settings.json",
        _claude,
        moved=("CLAUDE_CONFIG_DIR", ".claude/"),
        twice=False,  # Claude Code runs equal hooks once
    ),
    Wiring(
        "codex",
        ".codex/hooks.json",
        ".codex/hooks.json",
        _codex,
        moved=("CODEX_HOME", ".codex/"),
    ),
    Wiring("gemini", ".gemini/settings.json", ".gemini/settings.json", _gemini),
    Wiring(
        "cursor", ".cursor/hooks.json", ".cursor/hooks.json", _cursor, {"version": 1}
    ),
    Wiring(
        "copilot",
        ".github/hooks/toolmem.json",
        ".copilot/hooks/toolmem.json",
        whole_for=_copilot_file,
        moved=("COPILOT_HOME", ".copilot/"),
        twice=False,  # the second call for an event does nothing
    ),
    Wiring(
        "opencode",
        ".opencode/plugins/toolmem.js",
        ".config/opencode/plugins/toolmem.js",
        whole_for=opencode_plugin,
        moved=("XDG_CONFIG_HOME", ".config/"),
    ),
    Wiring(
        "goose",
        ".goosehints",
        ".config/goose/.goosehints",
        section=True,
        note="goose is shown the rules, its calls are not checked: run this again "
        "when rules change",
        moved=("XDG_CONFIG_HOME", ".config/"),
    ),
)
WIRINGS: Mapping[str, Wiring] = {one.agent: one for one in _WIRINGS}
