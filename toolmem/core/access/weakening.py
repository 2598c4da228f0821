"""Commands and files that can weaken what a person decided about agents.

A call of an agent that runs such a command or changes such a file asks the person, and
so does the command that takes such a change back. Where an agent is named or
``TOOLMEM_AGENT`` is set, toolmem refuses the commands itself, with the bounds of
``agent_bounds`` or, for commands that are no operations, ``trust.settings_of_person``.
"""

from collections.abc import Mapping

_COMMANDS = """
agent install | agent uninstall | capture | conversation clear | hook | import | init
reflect --apply | resolve --take | review --accept | review --reject | rpc
rule add --id | rule archive | rule delete | rule edit | rule move | rule override
setup | tool add | tool import | trust add | trust remove | undo
"""
"""Command lines of toolmem. ``hook`` and ``capture`` take words for the user's, and
``rpc`` has every operation."""
_OTHER_PROGRAMS = """
claude plugin disable toolmem | claude plugin uninstall toolmem
codex features disable hooks | gemini hooks disable | gemini hooks disable-all
pip install toolmem | pip uninstall toolmem | pipx uninstall toolmem
uv pip uninstall toolmem | uv tool uninstall toolmem
"""
SETTINGS_PROGRAM = ("git", "config")
"""With ``toolmem`` in it: the merge drivers."""

VAULT_FILES = ("toolmem.toml", ".gitattributes", ".toolmem", "tools")
"""In a vault, besides the rules of its scopes."""
_EVERY_SCOPE = (
    "system", "agent-types/*", "projects/*", "projects/*/overrides/*", "agents/*",
)  # fmt: skip
_ANYWHERE = (
    ".toolmem.toml", "toolmem.toml", "site-packages/toolmem",
    ".claude/settings.json", ".claude/settings.local.json",
    ".codex/hooks.json", ".codex/config.toml",
    ".gemini/settings.json", ".gemini/trustedFolders.json", ".cursor/hooks.json",
    ".qwen/settings.json", ".qwen/trustedFolders.json",
    ".github/hooks", ".github/copilot/settings.json",
    ".github/copilot/settings.local.json", ".copilot/hooks", ".copilot/config.json",
    ".copilot/settings.json",
    ".factory/settings.json", ".clinerules/hooks", ".cline/hooks",
    ".agents/plugins/toolmem",
    ".opencode/plugins/toolmem.js", ".config/opencode/plugins/toolmem.js",
)  # fmt: skip
"""Files of any folder: a vault or a pointer that comes first there, and settings with
hooks or with their switches."""
_MOVED = {
    "CLAUDE_CONFIG_DIR": ("settings.json", "settings.local.json"),
    "CODEX_HOME": ("hooks.json", "config.toml"),
    "COPILOT_HOME": ("hooks", "config.json", "settings.json"),
    "XDG_CONFIG_HOME": ("opencode/plugins/toolmem.js",),
}
SETTINGS_VARIABLES = tuple(_MOVED)
"""Variables that move settings with hooks to another folder."""


def _lines(table: str) -> tuple[tuple[str, ...], ...]:
    lines = table.replace("\n", "|").split("|")
    return tuple(tuple(line.split()) for line in lines if line.strip())


OWN_COMMANDS = _lines(_COMMANDS)
"""Words of toolmem's own commands, without its name."""
COMMANDS = (
    *(("toolmem", *words) for words in OWN_COMMANDS),
    *_lines(_OTHER_PROGRAMS),
)
"""Command lines as guards have them."""


SCAN_NAMES = ("toolmem", "/rules", "settings.", "hooks")
"""Words of such commands and files, for a plain scan of a call; few, as it is short of
time."""


def vault_files(root: str, scope_folders: tuple[str, ...]) -> tuple[str, ...]:
    """Return the files of a vault as patterns; ``scope_folders`` are those in force.

    A folder that is named without a pattern is matched when one above it goes.
    """
    scopes = (*scope_folders, *_EVERY_SCOPE)
    inside = (*VAULT_FILES, *(f"{folder}/rules" for folder in dict.fromkeys(scopes)))
    return tuple(f"{_literal(root)}/{name}" for name in inside)


def agent_files(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the settings of agents and the program itself, as patterns."""
    moved = [
        f"{_literal(environment[variable])}/{name}"
        for variable, names in _MOVED.items()
        if environment.get(variable)
        for name in names
    ]
    folders = environment.get("PATH", "").split(":")
    programs = [
        f"{_literal(folder)}/toolmem" for folder in folders if folder.startswith("/")
    ]
    at_home = [f"~/{name}" for name in _ANYWHERE]
    return (*_ANYWHERE, *at_home, *moved, *programs)


def _literal(path: str) -> str:
    """Return a path as a pattern that matches it alone."""
    marks = {"[": "[[]", "*": "[*]", "?": "[?]"}
    return "".join(marks.get(char, char) for char in path.rstrip("/"))
