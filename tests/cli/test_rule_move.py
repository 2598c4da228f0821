"""``toolmem rule move``: a rule in another scope, with its id and text."""

import json

import pytest

from tests.world import World


@pytest.fixture
def added(world: World) -> dict[str, str]:
    world.vault("empty")
    words = ("rule", "add", "send_email", "never email Dana", "-p", "critical")
    done = world.call(*words, "--project", "acme", "--json")
    rule: dict[str, str] = json.loads(done.stdout)
    return rule


def test_a_rule_moves_with_its_id_and_text(world, added):
    before = world.read(added["path"])
    done = world.call("rule", "move", added["id"], "--scope", "system", "--json")
    moved = json.loads(done.stdout)
    assert (moved["id"], moved["scope"], moved["action"]) == (
        added["id"],
        "system",
        "moved",
    )
    assert world.read(moved["path"]) == before
    assert added["path"] not in world.files()


def test_a_rule_that_is_there_already_does_not_move(world, added):
    done = world.call("rule", "move", added["id"], "--scope", "project:acme")
    assert done.code != 0
    assert "project:acme" in done.stderr


def test_a_rule_needs_a_scope_to_move_to(world, added):
    assert world.call("rule", "move", added["id"]).code == 2
