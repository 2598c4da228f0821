"""Two vaults that differ in private memories alone, and every way to ask one of them.

The private memories share words, a topic, a beginning of the id, links and a text with
visible ones, and one of them cannot be read.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.world import World
from toolmem.api.access import Access, Bounds
from toolmem.api.vault import Vault
from toolmem.core.agents.registry import dialect_of
from toolmem.core.formats.json_text import json_text
from toolmem.errors import ToolmemError
from toolmem.hooks.work import respond
from toolmem.servers.jsonrpc import RpcError
from toolmem.servers.resources import list_resources, read_resource
from toolmem.servers.rpc import call
from toolmem.servers.tool_calls import run_tool
from toolmem.servers.tool_table import BY_NAME

AGENT = "helper"
MARK = "zanzibar"
"""A word of every private memory, its id and its topic, and of nothing else."""

_SEEN = {
    "system/memory/wine/red-wine-aa0001.md": (
        "topic: wine\ntags: [wine]\nkind: insight\ncreated: 2026-04-01\n",
        "# Red wine is decanted\n\nThe cellar keeps red wine at 14 degrees.\n",
    ),
    "projects/shop/memory/white-wine-aa0002.md": (
        "topic: wine\ntags: [wine]\nkind: fact\ncreated: 2026-04-02\n"
        f"related_to: [red-wine-aa0001, {MARK}-wine-bb0001]\n",
        "# White wine is served cold\n\nThe shop serves white wine at 9 degrees.\n",
    ),
}
_PRIVATE = {
    f"system/memory/wine/{MARK}-wine-bb0001.md": (
        f"private: true\ntopic: wine\ntags: [wine, {MARK}]\nkind: fact\n"
        "created: 2026-04-03\n",
        f"# Red wine from {MARK}\n\nThe cellar keeps wine of {MARK} for Dana.\n",
    ),
    f"system/memory/{MARK}/oysters-bb0002.md": (
        f"private: true\ntopic: {MARK}\nkind: insight\ncreated: 2026-04-04\n",
        f"# Oysters of {MARK}\n\nDana likes oysters, wine and {MARK}.\n",
    ),
    "projects/shop/memory/red-wine-aa0009.md": (
        "private: true\ntopic: wine\ntags: [wine]\nkind: fact\n",
        f"# Red wine is not for Dana, says {MARK}\n\nNo wine at 14 degrees.\n",
    ),
    "system/memory/fresh-bb0004.md": (
        "private: true\ncreated: 2026-04-05\n",
        f"# The oven is hot\n\nThe oven of {MARK} is hot at noon.\n",
    ),
    f"projects/{MARK}/memory/plans/plan-bb0007.md": (
        "private: true\ncreated: 2026-04-05\n",
        f"# The plan\n\nA project of {MARK} that no agent knows.\n",
    ),
    f"projects/shop/overrides/{MARK}/memory/plan-bb0008.md": (
        "private: true\ncreated: 2026-04-05\n",
        f"# The plan of the shop\n\nAn agent type of {MARK}.\n",
    ),
    f"agent-types/{MARK}/memory/plan-bb0009.md": (
        "private: true\ncreated: 2026-04-05\n",
        f"# The plan of the type\n\nAn agent type of {MARK}.\n",
    ),
    "archive/system/memory/old-wine-bb0005.md": (
        "private: true\ntopic: wine\nreason: over\n",
        f"# Old wine\n\nWine of {MARK}, retired.\n",
    ),
}
_BROKEN = ("system/memory/torn-bb0006.md", f"---\nprivate: true\n# {MARK}\n\nwine\n")
_FACTS = "## project\nlanguage: Python\n"
MANIFEST = """\
name = "sommelier"
[memory_access.semantic]
query_types = ["fact", "insight"]
[memory_access.episodic]
query_types = ["observation"]
"""


def build(folder: Path, *, private: bool) -> World:
    """Make one of the two vaults, with a history."""
    world = World(folder)
    world.write("toolmem.toml", "schema = 1\n")
    world.write("system/facts.md", _FACTS)
    world.write("tools/sommelier.toml", MANIFEST)
    texts = {**_SEEN, **(_PRIVATE if private else {})}
    for path, (header, body) in texts.items():
        world.write(path, f"---\n{header}---\n{body}")
    if private:
        world.write(*_BROKEN)
    world.commit("the start")
    if private:
        path = f"system/memory/{MARK}/oysters-bb0002.md"
        world.write(path, world.read(path) + f"\nMore of {MARK}.\n")
        world.commit(f"more about {MARK}")
        world.write(path, world.read(path) + f"\nStill more of {MARK}.\n")
    world.write("system/facts.md", _FACTS + "oven: hot\n")
    return world


def served(world: World, *, by_model: bool = False) -> Vault:
    """The vault as a server has it; ``by_model`` as for MCP."""
    bounds = Bounds(own=True, author="mcp") if by_model else Bounds()
    return Vault(Access({}, world.root, lambda: world.now, world._new_id, bounds))


def ask(world: World, surface: str, name: str, given: Any) -> str:
    """Ask on one surface; the answer without what each folder and each run varies."""
    return _masked(world, _ASK[surface](world, name, given))


def _command(world: World, name: str, given: Any) -> str:
    done = world.call(*name.split(), *given)
    assert done.code != 3, done.stderr  # a crash is alike in both vaults
    return f"{done.code}\n{done.stdout}\n{done.stderr}"


def _rpc(world: World, name: str, given: Mapping[str, Any]) -> str:
    try:
        return json_text(call(served(world), name, {**given, "agent": AGENT}))
    except RpcError as error:
        return f"{error.code} {error} {error.data}"


def _mcp(world: World, name: str, given: Mapping[str, Any]) -> str:
    try:
        return json_text(run_tool(served(world, by_model=True), BY_NAME[name], given))
    except ToolmemError as error:
        return f"{error.code} {error}"


def _resource(world: World, name: str, given: Any) -> str:
    vault = served(world, by_model=True)
    listed = [*map(str, list_resources(vault))]
    return "\n".join([*listed, read_resource(vault, name)])


def _hook(world: World, name: str, given: Mapping[str, Any]) -> str:
    payload = {
        "session_id": "s",
        "cwd": str(world.root),
        "hook_event_name": name,
        **given,
    }
    event = dialect_of("claude").read(payload, "")
    return str(respond(event, ""))


_ASK = {
    "command": _command,
    "rpc": _rpc,
    "mcp": _mcp,
    "resource": _resource,
    "hook": _hook,
}
_VARY = re.compile(
    r'"(?:query_time_ms|took_ms|time_ms|expires|duration_ms)": [\d.]+'
    r"|\b[0-9a-f]{40,64}\b|\b[0-9a-f]{7,12}\b(?= )|\d+(?:\.\d+)? ms\b"
)


def _masked(world: World, text: str) -> str:
    return _VARY.sub("·", text.replace(str(world.root), "/vault"))


def _query(text: str) -> dict[str, Any]:
    return {
        "request_id": "r1",
        "tool_id": "sommelier",
        "tool_version": "1",
        "timestamp": "2026-04-20T12:00:00Z",
        "agent_context": {"agent_id": AGENT, "task_id": "t", "plan_id": "p"},
        "inputs": {},
        "memory_queries": [
            {"query_id": "q", "memory_type": "semantic", "query_text": text}
        ],
    }


def probes() -> Iterator[tuple[str, str, Any]]:
    """Every probe: surface, name of the operation, what is asked."""
    for word in ("wine", MARK, "oysters"):
        yield "command", "search", [word]
        yield "command", "recall", [word, "--json"]
        yield "rpc", "search", {"query": word}
        yield "rpc", "recall", {"query": word}
        yield "mcp", "memory_recall", {"query": word}
        yield "mcp", "memory_idea_recall", {"query": word}
        yield "rpc", "query", {"request": _query(word)}
    for prefix in (
        "red-wine-aa",
        f"{MARK}-wine-bb0001",
        "oysters-bb0002",
        "torn-bb0006",
    ):
        yield "command", "memory show", [prefix]
        yield "rpc", "memory.show", {"id": prefix, "full": True}
        yield "mcp", "memory_get", {"id": prefix}
    yield "mcp", "memory_get", {"id": "white-wine-aa0002", "full": True}
    yield "rpc", "memory.edit", {"id": f"{MARK}-wine-bb0001", "topic": "x"}
    yield "rpc", "memory.edit", {"id": "oysters-bb0002", "private": False}
    yield "command", "memory edit", ["oysters-bb0002", "--public"]
    yield "command", "memory archive", ["oysters-bb0002", "--reason", "x"]
    yield "command", "memory delete", ["oysters-bb0002"]
    yield "rpc", "memory.move", {"id": "oysters-bb0002", "scope": "project:shop"}
    yield "rpc", "restore", {"id": "old-wine-bb0005"}
    yield "command", "memory list", []
    yield "command", "memory list", ["--topic", MARK, "--json"]
    yield "rpc", "memory.list", {"topic": "wine"}
    yield "mcp", "memory_idea_list", {}
    yield "mcp", "memory_idea_save", {"content": f"# The oven is hot\n\nOf {MARK}."}
    yield "rpc", "memory.save", {"text": f"# Red wine from {MARK}\n\nThe cellar."}
    yield "rpc", "memory.save", {"text": f"# Oysters of {MARK}", "private": True}
    for name in (MARK, f"{MARK}s"):
        for flag, key in (("--project", "project"), ("--agent-type", "agent_type")):
            yield "command", "prompt", [flag, name]
            yield "command", "search", ["wine", flag, name]
            yield "command", "recall", ["wine", flag, name]
            yield "command", "rule list", [flag, name]
            yield "command", "fact list", [flag, name]
            yield "command", "memory list", [flag, name]
            yield "command", "diff", [flag, name]
            yield "rpc", "prompt", {key: name}
    yield "command", "memory list", ["--scope", f"project:{MARK}"]
    yield "command", "reflect", ["--project", MARK]
    yield "rpc", "prompt", {"topic": "wine"}
    yield "rpc", "prompt", {"task": f"buy wine and oysters of {MARK}"}
    yield "rpc", "prompt", {"topic": "wine", "at": "HEAD"}
    yield "mcp", "tool_rules_for_prompt", {}
    yield "resource", "toolmem://prompt", None
    yield "command", "prompt", ["--topic", MARK]
    yield "hook", "SessionStart", {"source": "startup"}
    yield "hook", "UserPromptSubmit", {"prompt": f"Please buy wine of {MARK} now."}
    yield "command", "check", []
    yield "command", "check", ["--secrets", "--history"]
    yield "rpc", "check", {}
    yield "command", "diff", []
    yield "rpc", "diff", {}
    yield "rpc", "log", {"limit": 1}
    yield "command", "log", []
    yield "rpc", "log", {"id": "oysters-bb0002"}
    yield "rpc", "review", {}
    yield "rpc", "commit", {"dry_run": True}
    yield "command", "export", ["json"]
    yield "rpc", "export", {"target": "json"}
    yield "rpc", "export", {"target": "agents-md", "output": "-"}
    yield "rpc", "reflect", {}
    yield "rpc", "reflect", {"due": True}
    yield "rpc", "report", {}
    yield "rpc", "index.status", {}
    yield "rpc", "index.rebuild", {}
    yield "rpc", "doctor", {}
    yield "rpc", "stats", {}
    yield "rpc", "trace", {}
    yield "rpc", "sync", {"offline": True}
    yield "rpc", "resolve", {}
    yield "rpc", "tool.list", {}
    yield "rpc", "import", {"path": [], "text": f"# Oysters of {MARK}", "dry_run": True}
    yield "command", "search", ["wine", "--expect", "oysters-bb0002"]


PROBES = tuple(probes())


def names_of(probe: tuple[str, str, Any]) -> str:
    """A short name for a probe."""
    surface, name, given = probe
    return f"{surface}-{name}-{json.dumps(given)[:50]}"
