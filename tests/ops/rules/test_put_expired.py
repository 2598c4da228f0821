"""A rule that has expired is put again: by every way it is in force afterwards."""

import json

import pytest

from tests.world import World

TEXT = "never use rsync"
RULE = """\
id = "{}"
tool = "bash"
rule = "never use rsync"
priority = "critical"
expires_at = 2026-04-01T00:00:00Z
"""


def in_force(world: World) -> list[str]:
    listed = world.call("rule", "list", "--effective", "--json").stdout
    return [rule["rule"] for rule in json.loads(listed)]


@pytest.fixture
def expired(world: World) -> World:
    """A vault with the expired rule, and an expired twin of it in the same scope."""
    world.vault("template")
    for file in world.root.glob("*/rules/*/*.toml"):
        file.unlink()
    for number in (1, 2):
        world.write(f"system/rules/bash/never-{number}.toml", RULE.format(f"r{number}"))
    assert in_force(world) == []
    return world


@pytest.mark.parametrize(
    "words",
    [
        ("rule", "add", "bash", TEXT, "-p", "critical"),
        ("rule", "add", "bash", TEXT, "-p", "critical", "--id", "r1"),
        ("rule", "add", "bash", TEXT, "-p", "critical", "--expires", "2099-01-01"),
    ],
    ids=["text", "id", "expiry"],
)
def test_an_expired_rule_that_is_added_again_is_in_force(expired, words):
    assert expired.call(*words).code == 0
    assert in_force(expired) == [TEXT]
    again = json.loads(expired.call(*words, "--json").stdout)
    assert again["action"] in ("exists", "unchanged")
    assert in_force(expired) == [TEXT]


def test_so_it_is_when_it_is_captured(expired):
    said = {"messages": [{"role": "user", "content": "Never use rsync."}]}
    expired.write("said.json", json.dumps({"session_id": "s-1", **said}))
    assert expired.call("capture", "said.json").code == 0
    assert [text.lower() for text in in_force(expired)] == [TEXT]


def test_so_it_is_when_it_is_imported(expired):
    expired.write("AGENTS.md", "# Rules\n\n- Never use rsync.\n")
    assert expired.call("import", "AGENTS.md").code == 0
    assert [text.lower().rstrip(".") for text in in_force(expired)] == [TEXT]


@pytest.mark.parametrize(
    ("expires", "action"),
    [("2026-04-20T12:00:00Z", "created"), ("2026-04-20T12:00:01Z", "updated")],
)
def test_a_rule_has_expired_at_the_moment_that_it_names(world, expires, action):
    rule = RULE.format("r1").replace("2026-04-01T00:00:00Z", expires)
    world.vault("empty").write("system/rules/bash/never-1.toml", rule)
    assert in_force(world) == ([TEXT] if action == "updated" else [])
    put = world.call("rule", "add", "bash", TEXT, "-p", "critical", "--json")
    assert json.loads(put.stdout)["action"] == action
    assert in_force(world) == [TEXT]
