"""Recognise the program that a file is for, by its path or its text."""

import json
from fnmatch import fnmatchcase

INSTRUCTIONS = {
    "claude": ("CLAUDE.md", "CLAUDE.local.md", ".claude/rules/**.md"),
    "agents-md": ("AGENTS.md", "AGENTS.override.md", "AGENT.md"),
    "cursor": (".cursorrules", "**.mdc", ".cursor/rules/**.md"),
    "copilot": (
        "copilot-instructions.md",
        "**.instructions.md",
        ".github/instructions/**.md",
    ),
    "gemini": ("GEMINI.md",),
    "windsurf": (".windsurfrules", ".windsurf/rules/**.md"),
    "cline": (".clinerules", ".clinerules/**.md"),
    "goose": (".goosehints",),
    "rulesync": (".rulesync/rules/**.md",),
}
"""Instructions for agents: name of the program → patterns of its files."""
_ON_REQUEST = (
    "**.mdc", ".cursor/rules/**.md", ".windsurf/rules/**.md", "**.instructions.md",
    ".github/instructions/**.md",
)  # fmt: skip
"""Files that their programs do not read unless the front matter, or a user, says so."""
NOTES = ("mcp-memory", "basic-memory", "markdown")
FORMATS = (*INSTRUCTIONS, *NOTES, "json")
EXPORT_KEY = "toolmem_export"
"""First key of a whole vault as one JSON document."""
_MARKDOWN = (".md", ".markdown", ".mdx")
_FOLDERS = (
    ".claude", ".cursor", ".github", ".windsurf", ".clinerules", ".rulesync",
)  # fmt: skip
"""Hidden folders of such files; others are not searched."""
SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "venv", "vendor"})


def instructions_for(path: str) -> str:
    """Return the program whose instructions a file contains, by its path; else "".

    ``path`` has ``/`` between names; the folders before the file's name count.
    """
    for program, patterns in INSTRUCTIONS.items():
        if any(_fits(path, pattern) for pattern in patterns):
            return program
    return ""


def is_read_always(path: str) -> bool:
    """Return True if a file without front matter is read at all times."""
    return not any(_fits(path, pattern) for pattern in _ON_REQUEST)


def format_of(path: str, text: str) -> str:
    """Return the format of one file; empty if it is unknown."""
    program = instructions_for(path)
    if program:
        return program
    lowered = path.lower()
    start = text.lstrip("\ufeff \t\r\n")[:1]
    if lowered.endswith((".json", ".jsonl", ".ndjson")) or (
        start == "{" and not lowered.endswith(_MARKDOWN)
    ):
        return _json_format(text)
    if lowered.endswith((*_MARKDOWN, ".txt")) or path == "-":
        return "basic-memory" if _is_basic_memory(text) else "markdown"
    return ""


def is_markdown(path: str) -> bool:
    """Return True for a markdown file."""
    return path.lower().endswith(_MARKDOWN)


def enters(name: str) -> bool:
    """Return True for a folder that may contain files for agents or notes."""
    if name.startswith("."):
        return name in _FOLDERS
    return name not in SKIPPED_FOLDERS


def _fits(path: str, pattern: str) -> bool:
    """Match a path; ``**`` at any depth; a pattern without a folder in every folder."""
    wanted = pattern.replace("**", "*")
    if "/" not in pattern:
        return fnmatchcase(path.rpartition("/")[2], wanted)
    return fnmatchcase(path, wanted) or fnmatchcase(path, f"*/{wanted}")


def _json_format(text: str) -> str:
    body = text.lstrip("\ufeff \t\r\n")
    if body[:400].lstrip("{ \t\r\n").startswith(f'"{EXPORT_KEY}"'):
        return "json"
    first = body.partition("\n")[0]
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return "mcp-memory" if '"entit' in body[:4000] else ""
    graph = isinstance(value, dict) and (
        value.get("type") in ("entity", "relation") or "entities" in value
    )
    return "mcp-memory" if graph else ""


def _is_basic_memory(text: str) -> bool:
    head = text.lstrip("\ufeff")[:4000]
    return head.startswith("---") and "\npermalink:" in head.partition("\n---")[0]
