"""Plugins and extensions of agents, generated from how their hooks are installed."""

import json
from collections.abc import Mapping
from typing import Any

import toolmem
from toolmem.core.agents.hook_command import HookCommand
from toolmem.core.agents.registry import wirings
from toolmem.core.agents.settings_text import entries_of
from toolmem.core.agents.wiring import McpEntry

_ABOUT = "Rules and memories about tools, from a vault in git"
_OWNER = {"name": "The toolmem authors"}
_PLUGIN = {"name": "toolmem", "description": _ABOUT, "version": toolmem.__version__}
_COMMAND = "Show the rules in force, keep one, or review what is not decided"
_STEPS = """\
Without words, run `toolmem rule list --effective` and show the user what it prints.

- `keep WORDS`: run `toolmem rule keep --quote WORDS`, with the words exactly as the
  user typed them, and show the user the answer.
- `review`: run `toolmem review --json` and show the user what waits for a decision. A
  person decides: name `toolmem review` as the command to run in a terminal.
- Any other words: run `toolmem rule list --effective` and show the rules that are about
  them.

Print no rule that the command did not print.
"""


def integrations() -> dict[str, str]:
    """Path below ``integrations/`` → content of a generated file."""
    server = {"toolmem": McpEntry("", "").value("toolmem")}
    claude, codex, gemini = map(_hooks, ("claude", "codex", "gemini"))
    extension = {**_PLUGIN, "mcpServers": server}
    documents = {
        ".claude-plugin/marketplace.json": {
            "name": "toolmem",
            "owner": _OWNER,
            "metadata": {"description": _ABOUT},
            "plugins": [
                {"name": "toolmem", "source": "./claude", "description": _ABOUT}
            ],
        },
        "claude/.claude-plugin/plugin.json": {**_PLUGIN, "author": _OWNER},
        "claude/hooks/hooks.json": claude,
        "claude/.mcp.json": {"mcpServers": server},
        ".agents/plugins/marketplace.json": {
            "name": "toolmem",
            "plugins": [
                {
                    "name": "toolmem",
                    "source": {"source": "local", "path": "./codex"},
                    "policy": {
                        "installation": "AVAILABLE",
                        "authentication": "ON_INSTALL",
                    },
                    "category": "Productivity",
                }
            ],
        },
        "codex/.codex-plugin/plugin.json": {
            **_PLUGIN,
            "author": _OWNER,
            "skills": "./skills/",
            "mcpServers": "./.mcp.json",
            "hooks": "./hooks/hooks.json",
        },
        "codex/hooks/hooks.json": codex,
        "codex/.mcp.json": {"mcpServers": server},
        "gemini/gemini-extension.json": extension,
        "gemini/hooks/hooks.json": gemini,
    }
    return {
        **{name: json.dumps(one, indent=2) + "\n" for name, one in documents.items()},
        "claude/commands/toolmem.md": _claude_command(),
        "codex/skills/toolmem/SKILL.md": _codex_skill(),
        "gemini/commands/toolmem.toml": _gemini_command(),
    }


def _hooks(agent: str) -> Mapping[str, Any]:
    """Return the hooks of an agent; without a helper, which an installation needs."""
    entries = entries_of(wirings()[agent], HookCommand(agent))
    return {"hooks": {entry.keys[-1]: [entry.item] for entry in entries}}


def _claude_command() -> str:
    return (
        f"---\ndescription: {_COMMAND}\n"
        "argument-hint: '[keep WORDS | review | WORDS]'\n"
        f"allowed-tools: Bash(toolmem:*)\n---\n\nThe user asks: $ARGUMENTS\n\n{_STEPS}"
    )


def _codex_skill() -> str:
    return f"---\nname: toolmem\ndescription: {_COMMAND}\n---\n\n{_STEPS}"


def _gemini_command() -> str:
    return (
        f'description = "{_COMMAND}"\n'
        f"prompt = '''\nThe user asks: {{{{args}}}}\n\n{_STEPS}'''\n"
    )
