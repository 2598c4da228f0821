"""Remarks about the guard of a changed rule, and refusals of guards."""

import json

import pytest

from tests.world import World

DENIES = "guard: denies `git push --force`; allows --force-with-lease"
PUSH = json.dumps({"command": "git push --force"})


@pytest.fixture
def rule(world: World) -> str:
    """The id of a rule with a derived guard."""
    world.vault("empty")
    add = ("rule", "add", "git", "never force-push", "-p", "critical", "--json")
    return str(json.loads(world.call(*add).stdout)["id"])


def verdict(world: World) -> str:
    return world.call("guard", "Bash", "--input", PUSH).stdout.split()[0]


def test_an_edit_says_what_the_new_text_denies(world, rule):
    edited = world.call("rule", "edit", rule, "--text", "never run git rebase")
    assert "guard: denies `git rebase`" in edited.stderr
    edited = world.call("rule", "edit", rule, "--text", "be nice", "--json")
    assert json.loads(edited.stdout)["checks"].startswith("advice only: ")


def test_an_override_says_what_its_text_denies(world, rule):
    to = ("--scope", "project:x", "--reason", "it is theirs")
    made = world.call("rule", "override", rule, *to, "--text", "never force-push")
    assert DENIES in made.stderr


def test_other_changes_say_nothing_of_guards(world, rule):
    retired = world.call("rule", "archive", rule, "--reason", "old")
    assert "guard" not in retired.stderr


def test_an_edit_refuses_the_guard_of_a_text(world, rule):
    assert verdict(world) == "deny"
    refused = world.call("rule", "edit", rule, "--no-guard")
    assert (refused.code, "no guard: disabled with --no-guard" in refused.stderr) == (
        0,
        True,
    )
    assert verdict(world) == "allow"
    again = world.call("rule", "edit", rule, "--text", "never force-push again")
    assert "no guard: disabled with --no-guard" in again.stderr
    assert world.call("rule", "edit", rule, "--no-guard").stdout.split()[1] == (
        "unchanged"
    )


def test_guards_that_a_person_wrote_are_not_refused(world, rule):
    add = ("rule", "add", "git", "be careful", "--guard", 'command = ["git", "gc"]')
    own = json.loads(world.call(*add, "--json").stdout)
    refused = world.call("rule", "edit", own["id"], "--no-guard")
    assert refused.code != 0
    assert f"are written in {own['path']}" in refused.stderr
