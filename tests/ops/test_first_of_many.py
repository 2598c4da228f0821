"""Of 500 documents the one that must be first is first, though it was stored last.

Each part orders all that matches before it cuts, and counts what it left out.
"""

import json
from typing import Any

import pytest

from tests.world import World

MANY = 500
_EARLY = "2026-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def world(tmp_path_factory) -> World:
    world = World(tmp_path_factory.mktemp("many")).write("toolmem.toml", "schema = 1\n")
    lines = [f"- api_{n}: {n}\n" for n in range(MANY)]
    for n in range(MANY - 1):
        head = f"---\ntopic: kiln\nupdated: {_EARLY}\n---\n"
        text = f"# Kiln kiln {n}\n\nThe kiln of the kiln is a kiln, number {n}.\n"
        world.write(f"system/memory/a{n:03}.md", head + text)
        rule = f'id = "a{n:03}"\ntool = "shell"\nrule = "use shell shell {n}"\n'
        world.write(f"system/rules/shell/a{n:03}.toml", f'{rule}priority = "high"\n')
    head = "---\ntopic: kiln\nimportance: 1.0\n---\n"
    text = "# Vent first\n\nOpen the vent before anything else is done at all.\n"
    world.write("projects/p/memory/z.md", head + text)
    rule = 'id = "z"\ntool = "shell"\nrule = "never run it twice"\n'
    world.write("system/rules/shell/z.toml", f'{rule}priority = "critical"\n')
    world.write("system/facts.md", "".join(lines))
    world.write("projects/p/facts.md", "test_command: make\n")
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
    for query in ("*", "anything"):
        done = json.loads(world.call("recall", query, *flags).stdout)
        assert done["results"][0]["id"] == "z"
        assert done["total"] == MANY


def test_a_listing_of_rules_begins_with_the_critical_one(world):
    done = world.call("rule", "list", "shell", "--effective", "--project", "p")
    assert "never run it twice" in done.stdout.splitlines()[0]


def test_a_search_finds_the_project_s_own_before_others(world):
    done = world.call("search", "open the vent first", "--project", "p", "--json")
    assert json.loads(done.stdout)["results"][0]["id"] == "z"
