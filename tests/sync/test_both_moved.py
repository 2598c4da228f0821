"""A file that both sides of ``git merge`` moved, each to another scope."""

import subprocess

import pytest

from tests.world import World

NAME = "door-a00001.md"
OLD = f"system/memory/{NAME}"
TEXT = "---\ntags: [p]\n---\n# Door\n\nThe door is red.\n"
PLACES = {
    "projects": ("projects/p", "projects/q", "projects/p"),
    "broader": ("projects/p", "agent-types/coding", "agent-types/coding"),
    "retired": ("projects/p", "archive/system", "archive/system"),
}


@pytest.fixture
def merging(world: World, request: pytest.FixtureRequest) -> tuple[World, str]:
    """A merge that git left unfinished, and where the memory belongs."""
    ours, theirs, place = PLACES[request.param]
    world.vault("empty").write(OLD, TEXT)
    world.git("init", "-q", "-b", "main")
    world.call("git", "install")
    world.commit("a vault")
    world.git("checkout", "-q", "-b", "side")
    move(world, theirs, TEXT + "It has a bell.\n")
    world.git("checkout", "-q", "main")
    move(world, ours, TEXT.replace("[p]", "[p, q]"))
    with pytest.raises(subprocess.CalledProcessError):
        world.git("merge", "-q", "side")
    return world, f"{place}/memory/{NAME}"


def move(world: World, scope: str, text: str) -> None:
    world.write(f"{scope}/memory/{NAME}", text)
    world.git("rm", "-q", OLD)
    world.commit(f"move it to {scope}")


@pytest.mark.parametrize("merging", PLACES, indirect=True)
def test_it_is_merged_into_one_place(merging):
    world, place = merging
    done = world.call("resolve")
    assert (done.code, done.stdout) == (0, f"merged  {place}\n")
    assert [path for path in world.files() if path.endswith(NAME)] == [place]
    assert world.read(place) == TEXT.replace("[p]", "[p, q]") + "It has a bell.\n"
    assert world.git("ls-files", "--unmerged") == ""
    assert world.call("check").code == 0
    world.git("commit", "-q", "--no-edit")
    assert world.git("status", "--porcelain") == ""
