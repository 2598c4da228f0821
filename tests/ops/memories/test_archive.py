"""Retiring a rule that a writer which died has half retired."""

from tests.cli.hearing import rules

RULE = "system/rules/bash/never-use-sudo-00000001.toml"


def retire(world, reason="no"):
    done = world.call("rule", "archive", "00000001", "--reason", reason)
    assert done.code == 0, done.stderr
    return done.stdout.split()[-1]


def archived(world):
    return sorted(path for path in world.files() if path.startswith("archive/"))


def test_what_was_begun_is_finished_and_not_done_twice(world):
    world.vault("empty").call("rule", "add", "bash", "never use sudo")
    text = world.read(RULE)
    retire(world, "first")
    world.write(RULE, text).clock(days=1)
    assert retire(world, "second") == f"archive/{RULE}"
    assert (archived(world), rules(world)) == ([f"archive/{RULE}"], [])
    assert 'reason = "second"\n' in world.read(f"archive/{RULE}")


def test_another_rule_in_its_place_is_kept(world):
    world.vault("empty").call("rule", "add", "bash", "never use sudo")
    text = world.read(RULE)
    retire(world)
    world.write(RULE, text + "# said again\n")
    again = retire(world)
    assert archived(world) == sorted([again, f"archive/{RULE}"])
    assert again != f"archive/{RULE}"
