"""A file to read that is not there: the same exit status for each command."""

import pytest

from tests.world import World

READERS = (
    ("query",),
    ("apply",),
    ("capture",),
    ("import",),
    ("turn", "add"),
    ("tool", "import"),
    ("reflect", "--apply"),
    ("prompt", "--check"),
    ("capture", "--answers"),
)


@pytest.fixture
def world(tmp_path):
    return World(tmp_path).vault("template")


@pytest.mark.parametrize("command", READERS, ids=" ".join)
@pytest.mark.parametrize("name", ["nowhere.json", "toolmem.toml/nowhere.json"])
def test_a_file_that_is_not_there_is_not_found(world, command, name):
    done = world.call(*command, name)
    assert (done.code, done.stdout) == (12, "")
    assert f"{name}: no such file" in done.stderr


@pytest.mark.parametrize("command", READERS[:3] + READERS[4:], ids=" ".join)
def test_a_folder_cannot_be_read(world, command):
    done = world.call(*command, str(world.root / "system"))
    assert (done.code, done.stdout) == (15, "")
