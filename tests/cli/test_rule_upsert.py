"""Putting a rule again under its id: what is given changes, all else stays."""

import json
from typing import Any

import pytest

import toolmem
from tests.world import World
from toolmem.errors import UsageError
from toolmem.servers.agent_tools import tool_rule_put

_ID = "7b1e0c52-6c0e-4f0e-9c38-3d9a3b6c5a10"


@pytest.fixture
def vault(world: World) -> toolmem.Vault:
    world.vault("empty")
    opened = toolmem.Vault.open(world.root)
    opened.rule.add(
        "shell",
        "never use sudo",
        priority="critical",
        tag=["a", "b"],
        id=_ID,
        source="user_explicit",
    )
    return opened


def _put(vault: toolmem.Vault, **params: Any) -> Any:
    return tool_rule_put(vault, "shell", "never use sudo", id=_ID, **params)


def test_what_is_not_given_stays(vault):
    done = vault.rule.add("shell", "never use sudo or doas", id=_ID)
    rule = done.rule
    assert (rule.rule, rule.priority.value, rule.source.value, rule.tags) == (
        "never use sudo or doas",
        "critical",
        "user_explicit",
        ("a", "b"),
    )
    assert (done.action, done.lowered) == ("updated", False)


def test_no_tags_are_no_tags(vault):
    assert vault.rule.add("shell", "never use sudo", tag=[], id=_ID).rule.tags == ()


def test_the_method_of_a_harness_is_the_same_upsert(vault):
    kept = _put(vault)
    assert (kept["action"], kept["priority"], kept["source"], kept["tags"]) == (
        "unchanged",
        "critical",
        "user_explicit",
        ["a", "b"],
    )
    with pytest.raises(UsageError, match="lowering it needs a reason"):
        _put(vault, priority="normal")
    lowered = _put(vault, priority="normal", reason="it was a trial")
    assert (lowered["priority"], lowered["lowered"]) == ("normal", True)


def test_a_person_s_critical_rule_is_lowered_with_a_reason_only(world, vault):
    words = ("rule", "add", "shell", "never use sudo", "--id", _ID, "-p", "high")
    refused = world.call(*words)
    assert (refused.code, "needs a --reason" in refused.stderr) == (2, True)
    done = world.call(*words, "--reason", "it was a trial", "--json")
    assert json.loads(done.stdout)["lowered"] is True
    assert "the priority of a person's critical rule is now high" in done.stderr


def test_the_same_text_with_a_higher_priority_is_raised(world, vault):
    vault.rule.add("shell", "prefer dry runs", priority="normal")
    raised = vault.rule.add("shell", "prefer dry runs", priority="high")
    assert (raised.action, raised.rule.priority.value) == ("updated", "high")
    again = vault.rule.add("shell", "prefer dry runs", priority="normal")
    assert (again.action, again.rule.priority.value) == ("exists", "high")


def test_an_agent_does_not_raise_a_person_s_rule(world, vault):
    vault.rule.add("shell", "prefer dry runs", priority="normal")
    agent = toolmem.Vault.open(world.root, agent="helper")
    done = agent.rule.add("shell", "prefer dry runs", priority="high", scope="system")
    assert (done.action, done.rule.priority.value) == ("exists", "normal")
