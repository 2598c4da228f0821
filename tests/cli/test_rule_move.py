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


def _overridden(world: World, rule: str, scope: str) -> None:
    words = ("rule", "override", rule, "--scope", scope, "--disable", "--reason", "x")
    assert world.call(*words).code == 0


def test_a_rule_moves_where_its_overrides_stay_narrower(world, added):
    _overridden(world, added["id"], "project:acme/coding")
    done = world.call("rule", "move", added["id"], "--scope", "system")
    assert (done.code, done.stderr) == (0, "")
    words = ("rule", "list", "--effective", "--project", "acme")
    assert "never email Dana" in world.call(*words).stdout
    assert world.call(*words, "--agent-type", "coding").stdout == ""


def test_a_rule_does_not_leave_an_override_behind(world, added):
    _overridden(world, added["id"], "project:acme/coding")
    before = world.files()
    done = world.call("rule", "move", added["id"], "--scope", "project:other")
    assert done.code == 2
    assert "is overridden in project:acme/coding" in done.stderr
    assert f"toolmem rule delete {added['id'][:8]} --scope" in done.stderr
    assert world.files() == before


def test_a_rule_of_two_projects_has_to_become_one_first(world, added):
    text = world.read(added["path"])
    name = added["path"].rpartition("/")[2]
    world.write(f"projects/other/rules/send_email/{name}", text)
    done = world.call("rule", "move", added["id"], "--scope", "system")
    assert done.code == 2
    assert "is a rule in several scopes (project:acme, project:other)" in done.stderr


def test_an_override_with_a_text_of_its_own_moves_with_nothing(world, added):
    words = ("rule", "override", added["id"], "--scope", "project:acme/coding")
    done = world.call(*words, "--text", "ask Dana first", "--reason", "x")
    assert done.code == 0
    done = world.call("rule", "move", added["id"], "--scope", "system", "--json")
    assert json.loads(done.stdout)["path"].startswith("system/rules/send_email/")
