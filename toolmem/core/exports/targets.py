"""Files that other programs read, and their sections from toolmem."""

from typing import NamedTuple

_ABOUT = "Rules and facts from the team's toolmem vault"
_CURSOR = f"""---
description: {_ABOUT}
alwaysApply: true
---
"""
_RULESYNC = f"""---
root: false
targets: ["*"]
description: {_ABOUT}
globs: ["**/*"]
---
"""


class Target(NamedTuple):
    """File with our section, below the project; ``header`` begins a new file.

    ``permissions`` is a further file for the program's own permissions, if any.
    """

    path: str
    header: str = ""
    permissions: str = ""


TARGETS = {
    "agents-md": Target("AGENTS.md"),
    "claude": Target("CLAUDE.md", permissions=".claude/settings.json"),
    "codex": Target("AGENTS.md", permissions=".codex/rules/toolmem.rules"),
    "cursor": Target(".cursor/rules/toolmem.mdc", _CURSOR),
    "copilot": Target(".github/copilot-instructions.md"),
    "gemini": Target("GEMINI.md"),
    "rulesync": Target(".rulesync/rules/toolmem.md", _RULESYNC),
}
LEAD = "<!-- Made by `toolmem export`: change the vault, not this section. -->"
EXPORTS = (*TARGETS, "json")
