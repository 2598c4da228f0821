"""One operation, one name, one answer: command line, JSON-RPC, MCP and Python."""

import inspect
import json
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperArgument, TyperGroup

from tests.command_tree import command_tree
from tests.docs.manual import leaves
from tests.extra import needs_mcp
from tests.world import TEMPLATE, World
from toolmem.api.access import NAMES, Access, Bounds
from toolmem.api.answers import parameters as method_parameters
from toolmem.api.operations.argument import DOCUMENT, FILE
from toolmem.api.operations.arguments import argument
from toolmem.api.operations.table import (
    COMMANDS_ONLY,
    FLAGS_ONLY,
    METHODS_ONLY,
    OPERATIONS,
    PROGRAMS_ONLY,
    method_of,
)
from toolmem.api.vault import Vault
from toolmem.core.access.agent_bounds import WHOLE, decided
from toolmem.core.formats.json_text import json_text
from toolmem.errors import NotFoundError, UsageError
from toolmem.servers import tool_calls
from toolmem.servers.jsonrpc import INVALID_PARAMS, RpcError
from toolmem.servers.notices import block_for_agents
from toolmem.servers.rpc import answered, call
from toolmem.servers.tool_table import BY_NAME, TOOLS

_EVERYWHERE = {"vault", "json", "help", *NAMES}
_RENAMED = {
    "tool_name": "tool",
    "tags": "tag",
    "content": "text",
    "rule": "text",
    "tools": "tool",
}
"""Names that models use for an argument, and those of the command line."""
_TOOLS_ONLY = {"tool_rule_get": {"tool"}, "tool_rule_delete": {"tool"}}
"""Tools also identify a tool's rules by the tool, as in the seed systems."""
_LESS = {"memory_idea_list": {"limit"}}
"""A model is given a part of a long listing, and the number of all."""


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


def arguments(name: str) -> set[str]:
    return set(inspect.signature(method_of(Vault, name)).parameters) - {"self"}


def method(name: str) -> Any:
    unopened: Any = Access({}, None, None, None)  # type: ignore[arg-type]
    return method_of(Vault(unopened), name)


def test_every_command_is_an_operation_or_says_why_not():
    served = {n for n in COMMANDS if n.partition(".")[0] not in COMMANDS_ONLY}
    assert served == set(OPERATIONS) - set(METHODS_ONLY)
    assert set(METHODS_ONLY) <= set(OPERATIONS)
    assert all(METHODS_ONLY.values())
    groups = {name.partition(".")[0] for name in COMMANDS}
    assert set(COMMANDS_ONLY) <= groups
    assert all(COMMANDS_ONLY.values())


@pytest.mark.parametrize("name", SHARED)
def test_an_operation_takes_the_same_arguments_everywhere(name):
    by_flag = set(parameters(name)) - _EVERYWHERE - set(FLAGS_ONLY.get(name, {}))
    taken = set(inspect.signature(method(name)).parameters)
    assert by_flag == taken - set(PROGRAMS_ONLY.get(name, {}))


@pytest.mark.parametrize("name", SHARED)
def test_what_must_be_given_must_be_given_everywhere(name):
    needed = {key for key, one in parameters(name).items() if one.required}
    signature = inspect.signature(method(name)).parameters.values()
    wanted = {one.name for one in signature if one.default is one.empty}
    assert needed - set(FLAGS_ONLY.get(name, {})) - {"file", "text", "request"} <= (
        wanted | set(PROGRAMS_ONLY.get(name, {}))
    )


@pytest.mark.parametrize("name", OPERATIONS)
def test_what_an_agent_may_give_is_decided_for_each_argument(name):
    taken = set(inspect.signature(method(name)).parameters)
    assert set(decided()[name]) in ({WHOLE}, taken | set(FLAGS_ONLY.get(name, {})))
    assert hasattr(method(name), "__wrapped__")


def test_the_table_of_bounds_has_no_other_operations():
    assert set(decided()) == set(OPERATIONS)


def test_every_tool_is_one_operation():
    named = [one.tool for one in OPERATIONS.values() if one.tool]
    assert sorted(named) == sorted(BY_NAME)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_takes_arguments_of_its_operation(tool):
    [operation] = [one for one in OPERATIONS.values() if tool.name == one.tool]
    given = {_RENAMED.get(one.name, one.name) for one in tool.parameters()}
    given -= _TOOLS_ONLY.get(tool.name, set()) | _LESS.get(tool.name, set())
    assert given <= set(inspect.signature(method(operation.name)).parameters)


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
_BY_ID = ("scratch.edit", "scratch.set-status")
"""Operations on an entry whose id an earlier one made: tried apart."""
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


@pytest.fixture
def by_flags(tmp_path):
    return sample(tmp_path / "one" / "v")


@cache
def _refusing(folder: Path) -> World:
    return sample(folder / "refusing/v")


@pytest.fixture
def refusing(tmp_path_factory):
    """One vault for all the requests that are refused or only read."""
    world = _refusing(tmp_path_factory.getbasetemp())
    before = world.files()
    yield world
    assert world.files() == before


@pytest.fixture
def by_rpc(tmp_path):
    return sample(tmp_path / "two" / "v")


def sample(place: Path) -> World:
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


def test_an_operation_gives_the_same_document_everywhere(by_flags, by_rpc):
    vault = opened(by_rpc)
    for name, params in STEPS:
        if name in METHODS_ONLY:
            assert call(opened(by_flags), name, params) == call(vault, name, params)
            continue
        line, stdin = words(name, params)
        printed = by_flags.call(*line, stdin=stdin)
        assert printed.code in (0, 1, 12), (name, printed.stderr)
        answered = json_text(call(vault, name, params))
        step = f"{name} {params}"
        assert (step, plain(by_flags, printed.stdout)) == (
            step,
            plain(by_rpc, answered),
        )
    ours, theirs = by_flags.files(), by_rpc.files()
    # The page has the ids of commits, which were made at different times.
    assert [files.pop("report.html")[:15] for files in (ours, theirs)] == [
        b"<!DOCTYPE html>"
    ] * 2
    assert ours == theirs


def test_entries_of_the_scratch_page_move_on_alike(by_flags, by_rpc):
    vault = opened(by_rpc)
    for name in _BY_ID:
        held = json.loads(by_flags.call("scratch", "add", "look", "--json").stdout)
        kept = call(vault, "scratch.add", {"text": "look"})
        assert held["id"] == kept["id"]
        more = {
            "scratch.edit": {"text": "see"},
            "scratch.set-status": {"status": "resolved"},
        }
        params = {"id": held["id"], **more.get(name, {})}
        printed = by_flags.call(*words(name, params)[0])
        answered = json_text(call(vault, name, params))
        assert plain(by_flags, printed.stdout) == plain(by_rpc, answered)
    ids = {"id": [held["id"]]}
    printed = by_flags.call(*words("scratch.clear", ids)[0])
    answered = json_text(call(vault, "scratch.clear", ids))
    assert plain(by_flags, printed.stdout) == plain(by_rpc, answered)


def test_a_vault_is_shared_alike(by_flags, by_rpc):
    for world in (by_flags, by_rpc):
        world.git("init", "--quiet", "--bare", "../shared.git")
        world.git("remote", "add", "origin", "../shared.git")
        world.git("push", "--quiet", "--set-upstream", "origin", "HEAD")
        world.write("system/notes.md", "A note.\n").commit("a note")
    printed = by_flags.call("sync", "--json")
    answered = json_text(call(opened(by_rpc), "sync", {}))
    assert json.loads(printed.stdout)["pushed"] is True
    assert plain(by_flags, printed.stdout) == plain(by_rpc, answered)


def test_every_operation_was_tried():
    tried = {name for name, _ in STEPS} | set(_BY_ID) | {"scratch.clear", "sync"}
    assert tried == set(OPERATIONS)


def same(document):
    return document


def as_of_tool(document):
    """A rule as tools give it: its tool under the name that models know."""
    return {
        ("tool_name" if key == "tool" else key): value
        for key, value in document.items()
    }


NOTE = "# Pygame needs SDL 2.28\n\nOlder ones crash on start."
GIVEN: dict[str, tuple[dict[str, Any], dict[str, Any], Callable[[Any], Any]]] = {
    "memory_recall": ({"query": "language"}, {"query": "language"}, same),
    "memory_idea_recall": (
        {"query": "heat"},
        {"query": "heat", "limit": 5, "only": ["memory"]},
        same,
    ),
    "memory_idea_save": (
        {"content": NOTE, "tags": ["a"]},
        {"text": NOTE, "tag": ["a"]},
        same,
    ),
    "memory_idea_edit": (
        {"id": HEAT, "tags": ["x"]},
        {"id": HEAT, "tag": ["x"]},
        same,
    ),
    "memory_idea_archive": (
        {"id": HEAT, "reason": "old"},
        {"id": HEAT, "reason": "old"},
        same,
    ),
    "memory_idea_delete": (
        {"id": HEAT},
        {"id": HEAT},
        lambda d: {"found": True, "deleted": True, "id": d[0]["id"]},
    ),
    "memory_idea_list": ({}, {}, lambda d: {"memories": d, "total": len(d)}),
    "memory_get": (
        {"id": HEAT, "full": True},
        {"id": HEAT, "full": True},
        same,
    ),
    "memory_fact_recall": ({"key": "language"}, {"key": "language"}, same),
    "memory_fact_store": (
        {"key": "k", "value": "v"},
        {"key": "k", "value": "v"},
        same,
    ),
    "memory_fact_list": ({}, {}, lambda d: {"facts": d}),
    "memory_fact_delete": ({"key": "language"}, {"key": "language"}, same),
    "tool_rule_why": ({"id": RULE}, {"id": RULE}, same),
    "tool_rule_put": (
        {"tool_name": "git", "rule": "no force", "priority": "high", "id": "r"},
        {"tool": "git", "text": "no force", "priority": "high", "id": "r"},
        lambda d: {**as_of_tool(d), "source": "programmatic", "clamped": False},
    ),
    "tool_rule_get": (
        {"tool_name": "*", "id": RULE},
        {"id": RULE},
        lambda d: {"found": d.pop("found"), "rule": as_of_tool(d)},
    ),
    "tool_rule_list": (
        {"tool_name": "shell"},
        {"tool": "shell", "effective": True},
        lambda d: {"rules": [as_of_tool(rule) for rule in d]},
    ),
    "rule_keep": ({"id": ["k0"]}, {"id": ["k0"]}, same),
    "rule_retract": ({"id": ["k0"]}, {"id": ["k0"]}, same),
    "tool_rule_delete": (
        {"tool_name": "*", "id": RULE},
        {"id": RULE},
        lambda d: {"found": True, "deleted": True, "id": d[0]["id"]},
    ),
    "tool_rules_for_prompt": (
        {"tools": ["shell"]},
        {"tool": ["shell"], "only": ["rules"]},
        lambda d: {"rendered": block_for_agents(d["text"])},
    ),
    "guard_check": (
        {"tool_name": "shell", "input": {"command": "sudo ls"}},
        {"tool": "shell", "input": {"command": "sudo ls"}},
        same,
    ),
    "scratch_add": ({"content": "look"}, {"text": "look"}, same),
    "scratch_list": ({}, {}, lambda d: {"entries": d}),
    "scratch_set_status": ({"status": "resolved"}, {"status": "resolved"}, same),
}


_BY_ENTRY = ("scratch_set_status",)
"""Tools for an entry that must be there."""


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
@needs_mcp
def test_a_tool_gives_what_its_operation_gives(tool, by_flags, by_rpc):
    [operation] = [one.name for one in OPERATIONS.values() if tool.name == one.tool]
    given, params, expected = GIVEN[tool.name]
    if tool.name in _BY_ENTRY:
        for world in (by_flags, by_rpc):
            made = call(opened(world), "scratch.add", {"text": "look"})
        given, params = {**given, "id": made["id"]}, {**params, "id": made["id"]}
    answer = tool_calls.run_tool(opened(by_flags), tool, given)
    answer.pop("remarks", None)
    document = plain(by_rpc, json_text(call(opened(by_rpc), operation, params)))
    wanted = expected(document)
    if tool.name == "tool_rules_for_prompt":
        assert [rule["tool_name"] for rule in answer.pop("rules")] == ["_any"]
    assert plain(by_flags, json_text(answer)) == wanted
    properties = set(tool.output_schema()["properties"])
    assert set(tool.output_schema()["required"]) <= set(answer) | {"rules"}
    assert properties <= set(answer) | {"remarks", "rules", "results", "value"} | (
        {"topic_fallback", "total"}
    )


MISSING: dict[str, dict[str, Any]] = {
    "rule.show": {"id": "nope"},
    "rule.why": {"id": "nope"},
    "rule.test": {"id": ["nope"]},
    "rule.edit": {"id": "nope", "priority": "high"},
    "rule.override": {"id": "nope", "scope": "project:x", "disable": True},
    "rule.archive": {"id": "nope", "reason": "over"},
    "rule.move": {"id": "nope", "scope": "system"},
    "rule.delete": {"id": ["nope"]},
    "memory.show": {"id": "nope"},
    "memory.edit": {"id": "nope", "topic": "x"},
    "memory.archive": {"id": "nope", "reason": "over"},
    "memory.move": {"id": "nope", "scope": "system"},
    "memory.delete": {"id": ["nope"]},
    "fact.get": {"key": "tset_command"},
    "fact.delete": {"key": "nope"},
    "tool.show": {"tool": "nope"},
    "scratch.show": {"id": "nope"},
    "scratch.edit": {"id": "nope", "text": "x"},
    "scratch.set-status": {"id": "nope", "status": "resolved"},
    "scratch.clear": {"id": ["nope"]},
    "conversation.show": {"id": "nope"},
    "working.show": {"name": "nope"},
    "working.clear": {"name": ["nope"]},
    "turn.show": {"turn": 0, "session": "nope"},
    "stats": {"tool": "nope"},
    "restore": {"id": "nope"},
    "review": {"accept": "nope"},
    "commit": {"id": ["nope"]},
    "diff": {"before": "nope"},
    "log": {"id": "nope"},
    "prompt": {"at": "nope"},
    "resolve": {"path": ["nope.md"], "take": "ours"},
    "sync": {"remote": "nope"},
    "import": {"path": ["nope.md"]},
    "reflect": {"apply": "nope.toml"},
}
"""Something that is not there, for each operation that asks for one by its name."""
FACTS = ("fact.get", "fact.delete")
"""Operations that answer with more than the fact."""
NAMELESS = {
    "names nothing that must be there": {
        *("rule.add", "rule.keep", "rule.retract", "fact.set", "memory.save"),
        *("guard", "query", "apply", "scratch.add", "working.set", "check", "doctor"),
        *("conversation.add", "conversation.clear", "report", "export", "settings"),
        *("git.install", "git.status", "git.uninstall", "tool.add", "tool.import"),
        *("index.status", "index.rebuild", "turn.render", "capture", "turn.add"),
    },
    "a list without matches is an answer": {
        *("rule.list", "rule.due", "fact.list", "memory.list", "search", "recall"),
        *("trace", "scratch.list", "conversation.list", "tool.list", "turn.list"),
    },
}
"""Operations without such an input, by the reason."""


def test_each_operation_has_a_missing_input_or_a_reason():
    exempt = set().union(*NAMELESS.values())
    assert (set(MISSING) | exempt, set(MISSING) & exempt) == (set(OPERATIONS), set())


@pytest.mark.parametrize("name", MISSING)
def test_what_is_not_there_is_the_same_failure_everywhere(name, refusing):
    params = MISSING[name]
    line, stdin = words(name, params)
    printed = refusing.call(*line, stdin=stdin)
    document = json.loads(printed.stderr)
    kind = (printed.code, document["code"], document["found"])
    assert kind == (12, "not_found", False)
    vault, failure = opened(refusing), None
    try:
        reply = answered(vault, name, params)
    except RpcError as error:
        failure = error
    if failure is None:
        assert reply.remarks
        assert not reply.result or reply.result.get("found", False) is False
        assert not method_of(vault, name)(**params) or name in FACTS
        return
    assert (failure.code, failure.data["found"]) == (-32012, False)
    with pytest.raises(NotFoundError) as raised:
        method_of(vault, name)(**params)
    assert str(raised.value) == str(failure)


def wrong_value(name: str) -> dict[str, Any]:
    """A number out of range, or a word that is no choice, for some argument."""
    for one in method_parameters(name):
        about = argument(name, one.name)
        if about.least is not None:
            return {one.name: int(about.least) - 1}
    return {}


@pytest.mark.parametrize("name", [name for name in SHARED if wrong_value(name)])
def test_a_number_out_of_range_is_the_same_failure_everywhere(name, refusing):
    [(key, value)] = wrong_value(name).items()
    good = next((params for step, params in STEPS if step == name), {})
    params = {**good, key: value}
    line, stdin = words(name, params)
    printed = refusing.call(*line, stdin=stdin)
    document = json.loads(printed.stderr)
    assert (printed.code, document["code"]) == (2, "usage")
    with pytest.raises(RpcError) as refused:
        call(opened(refusing), name, params)
    assert refused.value.code == INVALID_PARAMS
    with pytest.raises(UsageError) as raised:
        method_of(opened(refusing), name)(**chain_free(params))
    assert str(raised.value) == str(refused.value)
    flag = f"--{key.replace('_', '-')}"
    assert document["message"] == str(raised.value).replace(key, flag, 1)


def chain_free(params: dict[str, Any]) -> dict[str, Any]:
    """The params that a method takes: the chain is chosen when a vault is opened."""
    return {key: value for key, value in params.items() if key not in NAMES}


@pytest.mark.parametrize("name", SHARED)
def test_an_unknown_argument_is_refused_everywhere(name, refusing):
    printed = refusing.call(*name.split("."), "--nonsense", "--json")
    assert (printed.code, json.loads(printed.stderr)["code"]) == (2, "usage")
    with pytest.raises(RpcError) as refused:
        call(opened(refusing), name, {"nonsense": 1})
    assert refused.value.code == INVALID_PARAMS
    with pytest.raises(TypeError):
        method_of(opened(refusing), name)(nonsense=1)
    for tool in (one for one in TOOLS if one.operation == name):
        answer = tool_calls.call_tool(opened(refusing), tool, {"nonsense": 1})
        assert answer["isError"] is True


INVALID = (
    ("rule.add", {"tool": "shell", "text": "x", "priority": "urgent"}, "priority"),
    ("search", {"query": "x", "importance_min": 5}, "importance"),
    ("rule.list", {"effective": True, "scope": "system"}, "effective"),
    ("export", {"target": "nope"}, "nope"),
    ("resolve", {"key": "x"}, "take"),
)


@pytest.mark.parametrize(("name", "params", "named"), INVALID)
def test_an_invalid_argument_is_named_as_the_surface_names_it(
    name, params, named, refusing
):
    line, stdin = words(name, params)
    printed = refusing.call(*line, stdin=stdin)
    message = json.loads(printed.stderr)["message"]
    assert (printed.code, named in message) == (2, True)
    with pytest.raises(RpcError) as refused:
        call(opened(refusing), name, params)
    assert refused.value.code == INVALID_PARAMS
    assert "--" not in str(refused.value)
    assert str(refused.value) == message.replace("--", "").replace("-min", "_min")


@pytest.mark.parametrize("words", [("rule", "add"), ("rule", "lst"), ("nope",)])
def test_a_wrong_command_line_is_one_object_with_json(words, refusing):
    printed = refusing.call(*words, "--json")
    assert printed.code == 2
    assert json.loads(printed.stderr)["code"] == "usage"


def test_a_response_has_the_remarks_of_the_command(by_flags, by_rpc):
    params = {"key": "tset_command", "scope": "project:mech-fighters"}
    printed = by_flags.call("fact", "get", "tset_command", "--scope", params["scope"])
    reply = answered(opened(by_rpc), "fact.get", params)
    assert [f"toolmem: {one}\n" for one in reply.remarks] == [printed.stderr]


def test_the_text_of_a_rule_is_not_rewritten_for_programs(by_flags):
    text = "never use pip install --break-system-packages"
    reply = answered(opened(by_flags), "rule.add", {"tool": "shell", "text": text})
    assert any("--break-system-packages" in one for one in reply.remarks)
    saved = tool_calls.run_tool(
        opened(by_flags), BY_NAME["tool_rule_put"], {"tool_name": "git", "rule": text}
    )
    assert any("--break-system-packages" in one for one in saved["remarks"])


def test_a_dry_run_writes_nothing(by_flags):
    before = by_flags.files()
    tried = by_flags.call("rule", "add", "shell", "never use sudo", "--dry-run")
    assert "created" in tried.stdout
    assert tried.stderr.endswith("toolmem: dry run: nothing was changed\n")
    edited = by_flags.call("rule", "edit", RULE, "-p", "normal", "--dry-run")
    assert "updated" in edited.stdout
    assert by_flags.files() == before


def test_several_ids_are_deleted_or_none(by_flags):
    vault = opened(by_flags)
    ids = [vault.rule.add("shell", text).rule.id for text in ("no curl", "no wget")]
    refused = by_flags.call("rule", "delete", *ids, "nope")
    assert (refused.code, vault.rule.show(ids[0]) is None) == (12, False)
    printed = by_flags.call("rule", "delete", *ids, "--json")
    assert [one["id"] for one in json.loads(printed.stdout)] == ids
    assert vault.rule.show(ids[0]) is None


LISTS = (
    *("rule.list", "memory.list", "fact.list", "tool.list", "scratch.list", "trace"),
    *("working.show", "conversation.list", "turn.list", "stats", "search", "log"),
)


@pytest.mark.parametrize("name", LISTS)
def test_every_list_has_a_limit(name, refusing):
    assert argument(name, "limit").flags[0] == "-n"
    found = call(
        opened(refusing),
        name,
        {"limit": 1, **({"query": "heat"} if name == "search" else {})},
    )
    assert len(found["results"] if name == "search" else found) <= 1
