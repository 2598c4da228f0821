"""One side retires, moves or deletes what the other works on."""

import json

import pytest

from tests.sync.checked import defects
from toolmem.store.files.layout import ARCHIVE

MEMORY = "projects/mech-fighters/memory/door-a00001.md"
ARCHIVED = f"{ARCHIVE}/{MEMORY}"
TEXT = "---\ntags: [door]\n---\n# The door\n\nOpens at nine.\n\nCloses at five.\n"
RULE = "8d116ece"


@pytest.fixture
def pair(clone):
    ada, bob = clone("ada"), clone("bob")
    ada.write(MEMORY, TEXT).commit("a door")
    must(ada, "sync")
    must(bob, "sync")
    return ada, bob


def must(world, *words, code=0):
    done = world.call(*words)
    assert done.code == code, (words, done)
    return done.stdout


def shared(ada, bob, code=0):
    """Commit what both did, and let each have what the other did."""
    for world in (ada, bob):
        world.git("add", "--all")
        world.git("commit", "--quiet", "--allow-empty", "--message", "work")
    must(ada, "sync")
    document = json.loads(must(bob, "sync", "--json", code=code))
    if not code:
        must(ada, "sync")
        assert ada.files() == bob.files()
        assert defects(ada) == []
    return document


def places(world, name):
    return [path for path in world.files() if name in path]


def retire(world):
    must(world, "memory", "archive", "door-a00001", "--reason", "walled up")


def promote(world, scope):
    must(world, "memory", "move", "door-a00001", "--scope", scope)


@pytest.mark.parametrize("retires_first", [True, False])
def test_a_retired_memory_stays_retired_with_what_the_other_changed(
    pair, retires_first
):
    ada, bob = pair if retires_first else pair[::-1]
    retire(ada)
    bob.write(MEMORY, TEXT.replace("five", "six"))
    shared(*pair)
    assert places(ada, "door-") == [ARCHIVED]
    assert "walled up" in ada.read(ARCHIVED)
    assert "Closes at six." in ada.read(ARCHIVED)


@pytest.mark.parametrize("retires_first", [True, False])
def test_a_memory_that_one_retired_and_the_other_promoted_is_retired_once(
    pair, retires_first
):
    ada, bob = pair if retires_first else pair[::-1]
    retire(ada)
    promote(bob, "system")
    shared(*pair)
    assert places(ada, "door-") == ["archive/system/memory/door-a00001.md"]


def test_a_memory_that_both_promoted_is_in_the_broader_scope(pair):
    ada, bob = pair
    promote(ada, "agent-type:coding")
    promote(bob, "system")
    path = "system/memory/door-a00001.md"
    bob.write(path, bob.read(path).replace("five", "six"))
    shared(ada, bob)
    assert places(ada, "door-") == [path]
    assert "Closes at six." in ada.read(path)


def test_a_memory_that_one_promoted_and_the_other_deleted_is_a_conflict(pair):
    ada, bob = pair
    promote(ada, "system")
    must(bob, "memory", "delete", "door-a00001")
    done = shared(ada, bob, code=1)
    path = "system/memory/door-a00001.md"
    assert [(one["path"], one["key"]) for one in done["conflicts"]] == [
        (path, "deleted")
    ]
    must(bob, "resolve", "--take", "ours")
    shared(ada, bob)
    assert places(ada, "door-") == []


@pytest.mark.parametrize("move", [False, True])
@pytest.mark.parametrize("kept", [True, False])
def test_a_rule_that_one_retired_is_in_force_until_it_is_settled(pair, kept, move):
    ada, bob = pair
    must(ada, "rule", "archive", RULE, "--reason", "no database")
    if move:
        must(bob, "rule", "move", RULE, "--scope", "system")
    else:
        must(bob, "rule", "edit", RULE, "--tag", "bob")
    done = shared(ada, bob, code=1)
    assert [one["key"] for one in done["conflicts"]] == ["deleted"]
    block = must(bob, "prompt", "--only", "rules", "--project", "mech-fighters")
    assert "reset" in block
    must(bob, "resolve", RULE, "--take", "ours" if kept else "theirs")
    shared(ada, bob)
    (path,) = places(ada, RULE)
    assert path.startswith(f"{ARCHIVE}/") is not kept


def test_an_archived_copy_is_named_by_its_path_where_its_id_is_anothers_too(world):
    world.vault("empty")
    for scope in ("system", "projects/p"):
        world.write(f"{ARCHIVE}/{scope}/memory/door-a00001.md", TEXT)
    done = world.call("restore", "door-a00001")
    assert (done.code, "by its path" in done.stderr) == (2, True)
    must(world, "restore", f"{ARCHIVE}/system/memory/door-a00001.md")
    assert world.read("system/memory/door-a00001.md") == TEXT
    assert world.call("restore", "projects/p/memory/door-a00001.md").code == 13


@pytest.mark.parametrize("place", ["system/rules/shell", "projects/p/rules/shell"])
def test_the_id_of_a_rule_that_is_in_use_is_not_restored(world, place):
    text = 'id = "a0000001"\ntool = "shell"\nrule = "never push"\n'
    world.vault("empty").write(f"{place}/never-pull-a0000001.toml", text)
    world.write(f"{ARCHIVE}/system/rules/shell/never-push-a0000001.toml", text)
    done = world.call("restore", "a0000001")
    assert (done.code, "has this id" in done.stderr) == (13, True)


def test_an_override_is_restored_though_its_rule_has_the_id(world):
    text = 'id = "a0000001"\ntool = "shell"\nrule = "never push"\n'
    world.vault("empty").write("system/rules/shell/never-push-a0000001.toml", text)
    path = "projects/p/rules/shell/never-push-a0000001.toml"
    world.write(f"{ARCHIVE}/{path}", 'id = "a0000001"\nenabled = false\n')
    must(world, "restore", "a0000001")
    assert "enabled = false" in world.read(path)
