"""What is missing: an id that nothing has, and the commit of a new vault."""

import json

import pytest

from tests.world import World

NAMED = (
    ("rule", "show"), ("rule", "why"), ("rule", "test"), ("memory", "show"),
    ("tool", "show"), ("scratch", "show"),
)  # fmt: skip


@pytest.mark.parametrize("command", NAMED, ids=" ".join)
def test_an_id_that_nothing_has_is_not_found(tmp_path, command):
    world = World(tmp_path).vault("template")
    for more in ((), ("--json",)):
        done = world.call(*command, "nope", *more)
        assert (done.code, "nope" in done.stderr) == (12, True), done


def test_a_rule_is_explained_before_its_vault_is_committed(tmp_path):
    outside = World(tmp_path)
    outside.git("init", "-q")
    outside.write("code.py", "pass\n").commit("code")
    outside.call("init", "team-vault")
    vault = World(tmp_path / "team-vault")
    vault.call("rule", "add", "git", "never force-push")
    [listed] = json.loads(vault.call("rule", "list", "--json").stdout)
    why = vault.call("rule", "why", listed["id"], "--json")
    assert (why.code, why.stderr) == (0, "")
    [layer] = json.loads(why.stdout)["layers"]
    assert (layer["committed"], layer["commits"]) == (False, [])
