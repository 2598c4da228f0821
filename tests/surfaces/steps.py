"""Operations with arguments for each, and how a surface is asked for them."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

from typer.core import TyperArgument, TyperGroup

from tests.command_tree import command_tree
from tests.docs.manual import leaves
from tests.world import TEMPLATE, World
from toolmem.api.access import Access, Bounds
from toolmem.api.operations.argument import DOCUMENT, FILE
from toolmem.api.operations.arguments import argument
from toolmem.api.operations.table import METHODS_ONLY, OPERATIONS
from toolmem.api.vault import Vault


def program() -> TyperGroup:
    tree = command_tree()
    assert isinstance(tree, TyperGroup)
    return tree


COMMANDS = {".".join(words): command for words, command in leaves(program())}


SHARED = [name for name in OPERATIONS if name not in METHODS_ONLY]
"""Operations of the command line and of programs."""


def name_of(parameter: Any) -> str:
    """Name of a command's argument in JSON."""
    return {"as_json": "json"}.get(parameter.name, str(parameter.name))


def parameters(name: str) -> dict[str, Any]:
    return {name_of(one): one for one in COMMANDS[name].params}


TRANSCRIPT = "\n".join(
    json.dumps(one)
    for one in (
        {"role": "user", "content": "Never run sudo in the shell."},
        {"role": "assistant", "content": "I will not."},
    )
)
REQUEST = {
    "request_id": "r1",
    "tool_id": "shell",
    "tool_version": "1",
    "timestamp": "2026-04-20T12:00:00Z",
    "agent_context": {"agent_id": "a", "task_id": "t", "plan_id": "p"},
    "inputs": {},
    "memory_queries": [
        {"query_id": "q", "memory_type": "semantic", "query_text": "heat"}
    ],
}
HEAT = "heat-is-clamped-after-the-shot-41c7d2"
RULE = "6513270e-269e-4d37-b2a7-4de452e6b438"
SUDO = "system/rules/shell/never-use-sudo-00000001.toml"
OVERRIDE = "projects/mech-fighters/rules/shell/never-use-sudo-00000001.toml"
STEPS: list[tuple[str, dict[str, Any]]] = [
    (
        "rule.add",
        {"tool": "shell", "text": "never use sudo", "priority": "high", "tag": ["a"]},
    ),
    ("rule.add", {"tool": "shell", "text": "never use sudo", "scope": "project:x"}),
    ("rule.show", {"id": "00000001"}),
    ("rule.show", {"id": "nope"}),
    ("rule.list", {"tool": "shell", "effective": True, "project": "mech-fighters"}),
    ("rule.why", {"id": RULE}),
    ("rule.test", {"id": [RULE]}),
    ("rule.due", {"session": "none"}),
    ("rule.edit", {"id": "00000001", "text": "avoid sudo", "tag": ["b", "c"]}),
    (
        "rule.override",
        {"id": "00000001", "scope": "project:mech-fighters", "disable": True},
    ),
    ("rule.archive", {"id": "00000002", "reason": "over"}),
    ("restore", {"id": "00000002"}),
    ("rule.move", {"id": "00000002", "scope": "project:y"}),
    ("rule.keep", {"quote": "never use docker here", "tool": ["shell"]}),
    ("rule.keep", {"id": ["k0", "k1"], "priority": "high"}),
    ("rule.retract", {"quote": "you may use sudo", "which": RULE}),
    ("rule.delete", {"id": "00000002"}),
    ("fact.set", {"key": "shell", "value": "bash", "namespace": "tools"}),
    ("fact.get", {"key": "test_command", "project": "mech-fighters"}),
    ("fact.get", {"key": "tset_command", "namespace": "x"}),
    ("fact.list", {"scope": "system"}),
    ("fact.delete", {"key": "shell"}),
    ("fact.delete", {"key": "nope"}),
    (
        "memory.save",
        {
            "text": "# Pygame needs SDL 2.28\n\nOlder ones crash on start.",
            "topic": "pygame",
            "tag": ["crash"],
            "importance": 0.9,
            "scope": "project:mech-fighters",
        },
    ),
    ("memory.show", {"id": HEAT, "full": True}),
    ("memory.show", {"id": "nope"}),
    ("memory.list", {"project": "mech-fighters", "kind": "insight"}),
    ("memory.edit", {"id": HEAT, "tag": ["x"], "importance": 0.25, "private": True}),
    ("memory.move", {"id": HEAT, "scope": "system"}),
    ("memory.archive", {"id": HEAT, "reason": "over"}),
    ("memory.delete", {"id": "pygame-needs"}),
    ("search", {"query": "email", "limit": 2, "only": ["rule"]}),
    ("search", {"query": "zzz"}),
    ("recall", {"query": "language"}),
    ("recall", {"query": "test_command", "project": "mech-fighters"}),
    ("recall", {"query": "how many people get an email"}),
    ("prompt", {"project": "mech-fighters", "format": "json", "budget": 300}),
    ("prompt", {"session": "s", "format": "json", "only": ["rules"]}),
    ("guard", {"tool": "shell", "input": {"command": "sudo ls"}}),
    ("check", {"secrets": True}),
    ("capture", {"text": TRANSCRIPT, "session": "s1", "tool": ["shell"]}),
    ("review", {}),
    ("diff", {}),
    ("diff", {"before": "HEAD~0..HEAD", "project": "mech-fighters"}),
    ("review", {"accept": SUDO, "priority": "critical"}),
    ("commit", {"id": [OVERRIDE], "dry_run": True}),
    ("review", {"reject": OVERRIDE}),
    ("commit", {"message": "all there is"}),
    ("commit", {}),
    ("log", {"limit": 3}),
    ("resolve", {}),
    ("export", {"target": "claude", "output": "out/"}),
    ("export", {"target": "claude", "output": "out/", "check": True}),
    ("export", {"target": "gemini", "output": "-"}),
    ("export", {"target": "json", "output": "copy.json"}),
    ("import", {"path": ["../app"], "dry_run": True, "priority": "high"}),
    ("import", {"path": ["../app/AGENTS.md"], "scope": "project:y"}),
    ("import", {"path": ["copy.json"], "format": "json", "dry_run": True}),
    ("reflect", {"output": "plan.toml"}),
    ("reflect", {"apply": "plan.toml"}),
    ("doctor", {}),
    ("report", {}),
    ("report", {"output": "report.html"}),
    ("git.install", {}),
    ("git.status", {}),
    ("git.uninstall", {}),
    ("log", {"id": RULE}),
    ("stats", {}),
    ("settings", {}),
    ("tool.add", {"tool": "shell", "alias": ["bash"], "verb": ["run"]}),
    ("tool.show", {"tool": "bash"}),
    ("tool.show", {"tool": "nope"}),
    ("tool.list", {}),
    (
        "tool.import",
        {"listing": '{"tools": [{"name": "fetch", "description": "Get a page."}]}'},
    ),
    ("turn.add", {"text": TRANSCRIPT, "session": "s2"}),
    ("turn.list", {}),
    ("turn.list", {"session": "s2", "limit": 3}),
    ("turn.show", {"turn": 0, "session": "s2"}),
    ("turn.render", {"session": "s2", "append_to": "Done."}),
    ("index.rebuild", {}),
    ("index.status", {}),
    ("query", {"request": REQUEST, "budget": 100, "agent": "a"}),
    ("apply", {"response": {"request_id": "r1", "memory_writes": []}, "agent": "a"}),
    ("trace", {"request": "r1"}),
    (
        "scratch.add",
        {"text": "look", "type": "reminder", "tag": ["t"], "context": {"goal": "g"}},
    ),
    ("scratch.list", {"type": "reminder", "context": {"goal": "g"}}),
    ("scratch.show", {"id": "nope"}),
    ("working.set", {"name": "goal", "text": "win", "session": "s"}),
    ("working.show", {"name": "goal"}),
    ("working.clear", {"name": ["goal"]}),
    ("conversation.add", {"text": "hello", "role": "user"}),
    ("conversation.list", {"limit": 2}),
    ("conversation.show", {"id": "nope"}),
    ("conversation.clear", {}),
]
_VARY = re.compile(
    r'"(?:took_ms|query_time_ms|at|bytes|commit|when)": (?:"[^"]*"|[\d.]+)'
)
_COMMITTED = re.compile(r"is of 20[\dT:+-]+")
"""doctor on the last commit: git takes the real time, which may be the next second."""


def words(name: str, params: dict[str, Any]) -> tuple[list[str], str]:
    """The command line that asks for an operation, and its standard input."""
    given, stdin, last = name.split("."), "", []
    for key, one in parameters(name).items():
        if key in ("json", "vault", "help"):
            continue
        value, about = params.get(key), argument(name, key)
        if about.stdin in params:
            stdin, value = params[about.stdin], "-"
        elif value and about.reads in (FILE, DOCUMENT):
            stdin = value if isinstance(value, str) else json.dumps(value)
            value = "-"
        if value is None or value is False:
            continue
        values = _texts(key, value)
        if isinstance(one, TyperArgument):
            last += values
        elif value is True:
            given.append(max(one.opts, key=len))
        else:
            for text in values:
                given += [max(one.opts, key=len), text]
    if "json" in parameters(name):
        given.append("--json")
    return [*given, "--", *last], stdin


def _texts(key: str, value: Any) -> list[str]:
    if isinstance(value, dict) and key != "input":
        return [f"{name}={held}" for name, held in value.items()]
    if isinstance(value, dict):
        return [json.dumps(value)]
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


def sample(place: Path) -> World:
    """Make the vault of the template in a folder, with a file to import."""
    shutil.copytree(TEMPLATE, place)
    world = World(place)
    world.commit("the start")
    (place / "out").mkdir()
    world.write("../app/AGENTS.md", "# Ours\n\nNever use `curl`.\n\nWe like tests.\n")
    return world


def opened(world: World) -> Vault:
    access = Access({}, world.root, lambda: world.now, world._new_id, Bounds())
    return Vault(access)


def plain(world: World, text: str) -> Any:
    """A document without what is another in each folder and at each time."""
    masked = _VARY.sub('"varies": 0', text.replace(str(world.root), "/vault"))
    masked = _COMMITTED.sub("is of today", masked)
    return json.loads(masked.replace("/world", "/vault"))
