"""Layout of a vault: the path of everything in it. Paths are joined only here."""

from collections.abc import Iterator
from functools import lru_cache

from toolmem.core import limits
from toolmem.core.model import SYSTEM, Scope
from toolmem.core.names import decode_name, encode_name, fold
from toolmem.core.text import cut
from toolmem.errors import InvalidFileError
from toolmem.store.files.tree import Tree

SETTINGS = "toolmem.toml"
ATTRIBUTES = ".gitattributes"
WORKFLOW = ".github/workflows/toolmem.yml"
BINDINGS = "taplo.toml"
"""File that binds JSON Schemas to files, for taplo and editors that use it."""
SCHEMA_FILES = tuple(
    f"schemas/{name}.json" for name in ("rule", "manifest", "vault", "pointer")
)
"""JSON Schemas of the files of a vault, for editors."""
TOP_FILES = ("README.md", ATTRIBUTES, WORKFLOW, BINDINGS, *SCHEMA_FILES)
"""Files at the top of a vault for people and for git, without knowledge."""
STATE = ".toolmem"
FOLDERS = ("system", "agent-types", "projects", "agents", "tools")
"""Folders at the top of a vault: of its scopes, and of manifests."""
PENDING = f"{STATE}/pending"
ARCHIVE = "archive"
TOOLS = "tools"
FACTS = "facts.md"
PROFILE = "profile.md"
RULES = "rules"
GUIDANCE = "guidance"
MEMORY = "memory"
ORIGINAL = ".txt"
"""Suffix of the file of a memory's original text."""
_SLUG_CHARS = 40


def scope_folder(scope: Scope) -> str:
    """Return the folder of a scope, relative to the vault."""
    name = encode_name(scope.name)
    match scope.kind:
        case "system":
            return "system"
        case "agent-type":
            return f"agent-types/{name}"
        case "project":
            return f"projects/{name}"
        case "override":
            return f"projects/{name}/overrides/{encode_name(scope.sub)}"
        case _:
            return f"agents/{name}"


def override_text(project: str, agent_type: str) -> str:
    """Return the path of a project's freeform override for an agent type."""
    return f"projects/{encode_name(project)}/overrides/{encode_name(agent_type)}.md"


def rules_folder(scope: Scope, tool_key: str) -> str:
    """Return the folder of a tool's rules in a scope."""
    return f"{scope_folder(scope)}/{RULES}/{encode_name(tool_key)}"


def rule_path(scope: Scope, tool_key: str, text: str, rule_id: str) -> str:
    """Return the path of a new rule: a readable slug and the start of its id."""
    stem = f"{slug(text)}-{encode_name(rule_id[: limits.ID_SHOWN])}"
    return f"{rules_folder(scope, tool_key)}/{stem}.toml"


def slug(text: str) -> str:
    """Return a text as a short file name."""
    return cut.slug(text, _SLUG_CHARS, "rule")


def archived(path: str) -> str:
    """Return the path in the archive for a path of the vault."""
    return f"{ARCHIVE}/{path}"


def free_path(tree: Tree, path: str) -> str:
    """Return the path, or the next free one with a number before its suffix."""
    folder, _, name = path.rpartition("/")
    taken = {fold(entry.name) for entry in tree.entries(folder)}
    stem, dot, suffix = name.rpartition(".")
    candidate, number = name, 2
    while fold(candidate) in taken:
        candidate, number = f"{stem}-{number}{dot}{suffix}", number + 1
    return f"{folder}/{candidate}"


def scope_of(path: str) -> Scope | None:
    """Return the scope that a path of the vault is in, or None."""
    return _scope_at(path.rpartition("/")[0])


@lru_cache(maxsize=1024)
def _scope_at(folder: str) -> Scope | None:
    parts = folder.split("/", 4)
    if parts[0] == "system":
        return SYSTEM
    if len(parts) < 2:
        return None
    name = decode_name(parts[1])
    if parts[0] == "projects" and parts[2:3] == ["overrides"] and len(parts) > 3:
        return Scope("override", name, decode_name(parts[3]))
    kinds = {"agent-types": "agent-type", "projects": "project", "agents": "agent"}
    kind = kinds.get(parts[0])
    return Scope(kind, name) if kind else None


def all_scopes(tree: Tree) -> Iterator[Scope]:
    """Yield every scope that has a folder, broadest first, then by name.

    A link in place of a folder does not count: ``linked`` returns those at the top.
    """
    if any(entry.name == "system" for entry in tree.entries("")):
        yield SYSTEM
    for kind, folder in (("agent-type", "agent-types"), ("project", "projects")):
        for name in _folders(tree, folder):
            yield Scope(kind, decode_name(name))
    for project in _folders(tree, "projects"):
        for name in _folders(tree, f"projects/{project}/overrides"):
            yield Scope("override", decode_name(project), decode_name(name))
    for name in _folders(tree, "agents"):
        yield Scope("agent", decode_name(name))


def linked(tree: Tree) -> list[str]:
    """Return the names of scopes' folders that are links or files instead."""
    names = ("agent-types", "agents", "projects", "system")
    return [e.name for e in tree.entries("") if e.name in names and e.kind != "folder"]


def _folders(tree: Tree, folder: str) -> list[str]:
    try:
        return [e.name for e in tree.entries(folder) if e.kind == "folder"]
    except InvalidFileError:
        return []
