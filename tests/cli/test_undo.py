"""``toolmem undo``: a capture, a keep, a retract or a deletion is taken back."""

import json

import pytest

from tests.cli.hearing import rules, tell
from tests.hooks.players import Claude
from tests.world import World

RULE = "Never email Sarah at sarah@example.com"


@pytest.fixture
def world(tmp_path):
    world = World(tmp_path).vault("empty")
    world.commit()
    return world


def texts(world):
    return [one["rule"] for one in rules(world)]


def undone(world, *words):
    done = world.call("undo", *words)
    assert (done.code, done.stderr) == (0, ""), done
    return done.stdout


def test_a_captured_rule_is_deleted_again(world):
    tell(world, f"{RULE}.")
    assert undone(world) == f"undone: captured “{RULE}”\n"
    assert texts(world) == []
    done = world.call("undo")
    assert (done.code, done.stderr) == (1, "toolmem: nothing to undo\n")


def test_what_was_taken_back_is_in_force_again(world):
    tell(world, f"{RULE}.", session="a")
    tell(world, f"{RULE}.", "You can email Sarah again.", session="a")
    assert texts(world) == []
    assert undone(world) == f"undone: retracted “{RULE}”\n"
    assert texts(world) == [RULE]
    assert undone(world) == f"undone: captured “{RULE}”\n"
    assert texts(world) == []


def test_a_kept_rule_of_several_tools_is_one_step(world):
    for tool in ("mail", "chat"):
        assert world.call("tool", "add", tool).code == 0
    player = Claude(world.root)
    player.prompt("We agreed that nothing may be sent to Bob at bob@example.com, right")
    words = (
        "--quote",
        "nothing may be sent to Bob",
        "--tool",
        "mail",
        "--tool",
        "chat",
    )
    kept = world.call("rule", "keep", *words, "--session", player.session)
    assert kept.code == 0, kept
    assert len(texts(world)) == 2
    undone(world)
    assert texts(world) == []


@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize("by", ["command", "hand"])
def test_a_deleted_rule_is_there_again(world, by, committed):
    world.call("rule", "add", "shell", "never use sudo")
    world.commit()
    [file] = world.root.glob("system/rules/*/*.toml")
    text = file.read_bytes()
    if by == "hand":
        file.unlink()
    else:
        assert world.call("rule", "delete", rules(world)[0]["id"]).code == 0
    if committed:
        world.commit()
    assert undone(world) == "undone: deleted “never use sudo”\n"
    assert file.read_bytes() == text
    assert world.call("undo").code == 1


def test_a_rule_that_was_never_committed_is_there_again(world):
    world.call("rule", "add", "shell", "never use sudo")
    assert world.call("rule", "delete", rules(world)[0]["id"]).code == 0
    undone(world)
    assert texts(world) == ["never use sudo"]


def test_a_list_shows_ten_steps_and_an_id_chooses_one(world):
    for number in range(12):
        world.call("rule", "add", "shell", f"never use tool{number}")
    for rule in rules(world):
        world.call("rule", "delete", rule["id"])
    listed = undone(world, "--list").splitlines()
    assert len(listed) == 10
    name = listed[3].split()[0]
    undone(world, name)
    [text] = texts(world)
    assert listed[3].endswith(f"deleted “{text}”")
    assert len(json.loads(undone(world, "--list", "--json"))) == 10


def test_what_was_changed_since_is_left_alone(world):
    tell(world, f"{RULE}.")
    [rule] = rules(world)
    world.call("rule", "edit", rule["id"], "--text", "never email anyone")
    done = world.call("undo")
    short = rule["id"][:8]
    assert (done.code, done.stdout) == (12, "")
    assert done.stderr.endswith(
        f"{rule['path']} has changed since: `toolmem rule delete {short}` deletes it\n"
    )
    assert texts(world) == ["never email anyone"]


def test_an_agent_may_not_undo(world, monkeypatch):
    tell(world, f"{RULE}.")
    monkeypatch.setenv("TOOLMEM_AGENT", "bot")
    done = world.call("undo")
    assert (done.code, done.stdout) == (2, "")
    assert done.stderr == "toolmem: only a person can undo changes of rules\n"
    monkeypatch.delenv("TOOLMEM_AGENT")
    assert texts(world) == [RULE]
