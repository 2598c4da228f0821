"""Of 500 documents the one that must be first is first, though it was stored last.

Each part orders all that matches before it cuts, and counts what it left out.
"""

import json
from typing import Any

import pytest

from tests.access.asking import asked, query, request
from tests.servers.connection import Server
from tests.world import World
from toolmem.ops.hooks.entered_topic import find_entered, read_entered
from toolmem.store.vault import library
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault

MANY = 500
_EARLY = "2026-01-01T00:00:00Z"
_MANIFEST = """\
name = "oven"
[memory_access.semantic]
query_types = ["note"]
"""


@pytest.fixture(scope="module")
def world(tmp_path_factory) -> World:
    world = World(tmp_path_factory.mktemp("many")).write("toolmem.toml", "schema = 1\n")
    lines = [f"- api_{n}: {n}\n" for n in range(MANY)]
    for n in range(MANY - 1):
        head = f"---\ntopic: kiln\nkind: note\nupdated: {_EARLY}\n---\n"
        text = f"# Kiln kiln {n}\n\nThe kiln of the kiln is a kiln, number {n}.\n"
        world.write(f"system/memory/a{n:03}.md", head + text)
        rule = f'id = "a{n:03}"\ntool = "shell"\nrule = "use shell shell {n}"\n'
        world.write(f"system/rules/shell/a{n:03}.toml", f'{rule}priority = "high"\n')
    head = "---\ntopic: kiln\nkind: note\nimportance: 1.0\nupdated: 2026-04-20\n---\n"
    text = "# Vent first\n\nOpen the vent of the kiln before anything else is done.\n"
    world.write("projects/p/memory/z.md", head + text)
    rule = 'id = "z"\ntool = "shell"\nrule = "never run it twice"\n'
    world.write("system/rules/shell/z.toml", f'{rule}priority = "critical"\n')
    world.write("system/facts.md", "".join(lines))
    world.write("projects/p/facts.md", "test_command: make\n")
    world.write("tools/oven.toml", _MANIFEST)
    return world


def parts(world: World, *flags: str) -> dict[str, Any]:
    done = world.call("prompt", "--project", "p", "--format", "json", *flags)
    return {part["kind"]: part for part in json.loads(done.stdout)["parts"]}


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        ("memories", "id", "z"),
        ("rules", "id", "z"),
        ("facts", "key", "test_command"),
    ],
)
def test_the_block_begins_with_the_first_of_many(world, kind, key, value):
    part = parts(world, "--topic", "kiln")[kind]
    assert part["items"][0][key] == value
    count = MANY + (kind == "facts")
    assert len(part["items"]) + len(part["omitted"]) == count


def test_the_line_of_the_block_counts_what_was_left_out(world):
    block = world.call("prompt", "--project", "p", "--topic", "kiln").stdout
    memories = parts(world, "--topic", "kiln")["memories"]
    assert f"{len(memories['omitted'])} more memories" in block


def test_the_rules_of_a_tool_begin_with_the_critical_one(world):
    flags = ("--project", "p", "--json", "--namespace", "tool-shell")
    for words in ("*", "anything"):
        done = json.loads(world.call("recall", words, *flags).stdout)
        assert done["results"][0]["id"] == "z"
        assert done["total"] == MANY


def test_a_listing_of_rules_begins_with_the_critical_one(world):
    done = world.call("rule", "list", "shell", "--effective", "--project", "p")
    assert "never run it twice" in done.stdout.splitlines()[0]


def test_a_search_finds_the_project_s_own_before_others(world):
    done = world.call("search", "open the vent first", "--project", "p", "--json")
    assert json.loads(done.stdout)["results"][0]["id"] == "z"


def test_a_typed_message_is_given_the_first_of_many(world):
    vault = Vault.open(find_vault({"project": "p"}, world.root), world.now)
    library.index_of(vault).update()
    entered = find_entered(vault, "which vent of the kiln do I open first?")
    part = read_entered(vault, entered)
    assert part.items[0].name == "z"
    assert len(part.items) + len(part.omitted) == MANY


def test_a_long_memory_is_in_the_block_by_its_summary(tmp_path):
    world = World(tmp_path).vault("empty")
    head = "---\ntopic: damper\nimportance: 1.0\n---\n# Damper first\n\n"
    text = "Close the damper because the flue draws. It is of iron and rusts. " * 99
    world.write("projects/p/memory/long.md", f"{head}{text}\n")
    block = world.call("prompt", "--project", "p", "--topic", "damper").stdout
    assert "Close the damper because the flue draws." in block
    assert "Summary; whole: `toolmem memory show long`." in block


@pytest.mark.parametrize("words", ["kiln", ""])
@pytest.mark.parametrize("limit", [1, 5, 10])
def test_a_tool_is_given_the_most_important_of_many_first(world, words, limit):
    """It has one of the words that others repeat, and is as old as they are."""
    wanted = query("q", "semantic", words, filters={"types": ["note"]}, limit=limit)
    [answer] = asked(world, request(wanted, tool="oven"), "--project", "p")
    assert answer["status"] == "ok", answer
    assert answer["results"][0]["id"] == "z"
    assert answer["total_results"] == MANY


@pytest.mark.parametrize(
    ("tool", "key", "arguments"),
    [
        ("memory_idea_list", "memories", {"topic": "kiln"}),
        ("memory_recall", "results", {"query": "open the vent of the kiln first"}),
        ("tool_rule_list", "rules", {"tool_name": "shell"}),
    ],
)
def test_an_agent_is_given_the_first_of_many_by_mcp(world, tool, key, arguments):
    with Server(world.root, "mcp", TOOLMEM_PROJECT="p") as server:
        server.result(
            "initialize",
            protocolVersion="2025-06-18",
            capabilities={},
            clientInfo={"name": "a test", "version": "1"},
        )
        server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        done = server.result("tools/call", name=tool, arguments=arguments)
    answer = done["structuredContent"]
    assert answer[key][0]["id"] == "z"
    assert answer.get("total", len(answer[key])) == MANY


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("search", {"query": "open the vent of the kiln first"}),
        ("recall", {"query": "*", "namespace": "tool-shell"}),
    ],
)
def test_a_harness_is_given_the_first_of_many_by_json_rpc(world, method, params):
    with Server(world.root, "rpc", TOOLMEM_PROJECT="p") as server:
        answer = server.result(method, **params)
    assert answer["results"][0]["id"] == "z"
    assert answer["total"] == MANY
