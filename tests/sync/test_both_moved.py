"""A file that both sides of ``git merge`` moved, each to another scope."""

import subprocess

import pytest

from tests.world import World

NAME = "door-a00001.md"
SCOPE = "projects/p/overrides/coding"
OLD = f"{SCOPE}/memory/{NAME}"
TEXT = "---\ntags: [p]\n---\n# Door\n\nThe door is red.\n"
MERGED = TEXT.replace("[p]", "[p, q]") + "It has a bell.\n"
PLACES = {
    "wider": ("projects/p", "system", "system"),
    "retired": ("projects/q", f"archive/{SCOPE}", "archive/projects/q"),
    "apart": ("projects/q", "projects/r", ""),
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


@pytest.mark.parametrize("merging", ["wider", "retired"], indirect=True)
def test_it_is_merged_into_one_place(merging):
    world, place = merging
    done = world.call("resolve")
    assert (done.code, done.stdout) == (0, f"merged  {place}\n")
    assert_merged(world, place)


@pytest.mark.parametrize("take", ["ours", "theirs"])
@pytest.mark.parametrize("merging", ["apart"], indirect=True)
def test_of_two_places_a_person_chooses_one(merging, take):
    world, _ = merging
    places = [f"projects/{name}/memory/{NAME}" for name in "qr"]
    world.run("resolve").exits(1).stdout(
        f"merged  {places[0]}\n"
        f"{places[0]}:3: moved: ours '{places[0]}', theirs '{places[1]}'\n"
    ).stderr(
        "toolmem: resolve them with `toolmem resolve PATH --take ours`, theirs, "
        "stricter or both\n"
    )
    place = places[take == "theirs"]
    world.run("resolve", places[0], "--take", take).stdout(f"settled  {place}\n")
    world.settle()
    assert_merged(world, place)


def assert_merged(world, place):
    assert [path for path in world.files() if path.endswith(NAME)] == [place]
    assert world.read(place) == MERGED
    assert world.git("ls-files", "--unmerged") == ""
    assert world.call("check").code == 0
    world.git("commit", "-q", "--no-edit")
    assert world.git("status", "--porcelain") == ""
