"""The rules of one agent are in no listing of another that names no scope."""

import json

import pytest

from tests.world import World


@pytest.fixture
def world(tmp_path):
    world = World(tmp_path).vault("empty")
    for text in ("never use the alice mirror", "always use the alice mirror"):
        added = ("rule", "add", "shell", text, "--scope", "agent:alice", "--no-guard")
        assert world.call(*added).code == 0
    world.call("rule", "add", "shell", "prefer the shared mirror", "--no-guard")
    world.write("agents/alice/rules/shell/broken.toml", "rule = ")
    return world


@pytest.mark.parametrize(
    ("agent", "sees"), [("", True), ("alice", True), ("bob", False)]
)
@pytest.mark.parametrize(
    "command", [("rule", "list"), ("rule", "list", "shell"), ("reflect",)]
)
def test_an_agent_sees_no_other_agents_rules(world, monkeypatch, agent, sees, command):
    monkeypatch.setenv("TOOLMEM_AGENT", agent)
    done = world.call(*command)
    assert ("alice" in done.stdout + done.stderr) == sees
    assert "shared" in world.call("rule", "list").stdout


def test_a_scope_that_is_named_is_listed(world, monkeypatch):
    monkeypatch.setenv("TOOLMEM_AGENT", "bob")
    listed = world.call("rule", "list", "--scope", "agent:alice", "--json").stdout
    assert len(json.loads(listed)) == 2
