"""Every pair of operations that two people do to one rule, fact or memory, merged.

Both intentions are in the result, or a conflict names the file and can be settled; it
makes no difference who merges.
"""

import itertools
import json
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from tests.examples import sample
from tests.sync.operations import BASE, ITEMS, Files
from tests.world import START, World

WAYS = ("sync", "driver", "plain")
"""``toolmem sync``; ``git merge`` with the merge driver and without; then `resolve`."""
Prepared = Callable[[str], World]


class Case(NamedTuple):
    item: str
    first: str
    second: str
    way: str

    def __str__(self) -> str:
        return f"{self.item}: {self.first}, {self.second}, {self.way}"


CASES = [
    Case(item, *pair, way)
    for item, operations in ITEMS.items()
    for pair in itertools.combinations_with_replacement(operations, 2)
    for way in WAYS
]
SAMPLE = sample(CASES, lambda case: (case.item, case.way), 6)


class Outcome(NamedTuple):
    """Files after a merge, the paths of its conflicts, and whether they were written.

    ``sync`` writes nothing where the merged vault would have an error.
    """

    files: Files
    named: frozenset[str]
    written: bool


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """Makes a repository with a branch for each operation on an item, once."""
    worlds: dict[str, World] = {}

    def prepare(item: str) -> World:
        if item not in worlds:
            worlds[item] = _with_branches(tmp_path_factory.mktemp("item"), item)
        return worlds[item]

    return prepare


def _with_branches(root, item: str) -> World:
    world = World(root)
    for path, text in BASE.items():
        world.write(path, text)
    world.commit("base")
    world.call("git", "install")
    (root / ".gitattributes").rename(root / ".git" / "drivers")
    for name, operation in ITEMS[item].items():
        for who in (0, 1):
            world.git("checkout", "-q", "-B", _branch(name, who), "main")
            world.now, world._ids = START, 100 * who
            world.clock(days=who + 1)
            operation.do(world, who)
            assert operation.shows(world.files(), who), (name, who)
            world.commit(name)
    world.git("config", "remote.origin.url", "../nowhere")
    world.git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
    world.git("checkout", "-q", "main")
    world.git("config", "branch.main.remote", "origin")
    world.git("config", "branch.main.merge", "refs/heads/main")
    return world


def _branch(name: str, who: int) -> str:
    return f"{name.replace(' ', '-')}/{who}"


def _merge(world: World, way: str, ours: str, theirs: str) -> Outcome:
    world.git("reset", "-q", "--hard", ours)
    world.git("clean", "-qfdx")
    world.git("update-ref", "refs/remotes/origin/main", theirs)
    if way == "sync":
        done = world.call("sync", "--offline", "--json")
        assert done.code in (0, 1), done
        document = json.loads(done.stdout)
        named = [*document["conflicts"], *document["problems"]]
        written = document["action"] != "stopped"
    else:
        drivers = (world.root / ".git" / "drivers").read_text()
        attributes = world.root / ".git" / "info" / "attributes"
        attributes.parent.mkdir(exist_ok=True)
        attributes.write_text(drivers if way == "driver" else "")
        command = ["git", "merge", "--quiet", "--no-edit", theirs]
        subprocess.run(command, cwd=world.root, capture_output=True, check=False)
        named, written = [*_problems(world)], True
    paths = frozenset(one["path"] for one in named)
    return Outcome(world.files(), paths, written)


def _problems(world: World) -> Iterator[dict[str, str]]:
    """Yield what `resolve` leaves to a person, and what `check` finds."""
    done = world.call("resolve", "--json")
    assert done.code in (0, 1), done
    document = json.loads(done.stdout)
    yield from (*document["open"], *document["problems"])
    yield from json.loads(world.call("check", "--json").stdout)["problems"]
    unmerged = world.git("ls-files", "--unmerged", "-z").split("\0")[:-1]
    known = {one["path"] for one in document["open"]}
    assert {line.split("\t")[1] for line in unmerged} <= known


def _settle(world: World, outcome: Outcome, take: str) -> Files:
    """Settle each conflict for a side by the path that names it, from a folder.

    A move that an override is in the way of is refused: the other side is taken.
    """
    document = json.loads(world.call("resolve", "--json").stdout)
    for path in sorted({one["path"] for one in document["open"]}):
        assert path in outcome.named
        words = "resolve", path, "--take"
        done = world.call(*words, take, cwd="projects")
        if done.code:
            assert (
                "a0000001.toml has this id" in done.stderr or "overrid" in done.stderr
            )
            other = "theirs" if take == "ours" else "ours"
            done = world.call(*words, other, cwd="projects")
        assert done.code == 0, done
    assert world.git("ls-files", "--unmerged") == ""
    return world.files()


def _keys(files: Files) -> dict[str, object]:
    """Return the files, those of rules as keys: their order may differ."""
    return {
        path: tomllib.loads(data.decode()) if path.endswith(".toml") else data
        for path, data in files.items()
    }


@pytest.mark.sampled
@pytest.mark.parametrize("case", SAMPLE, ids=str)
def test_both_intentions_are_kept_or_a_conflict_names_the_file(case, prepared):
    world = prepared(case.item)
    operations = ITEMS[case.item]
    names = case.first, case.second
    branches = [_branch(name, who) for who, name in enumerate(names)]
    one = _merge(world, case.way, *branches)
    settled = _settle(world, one, "ours")
    other = _merge(world, case.way, *branches[::-1])
    if one.written:
        assert _keys(settled) == _keys(_settle(world, other, "theirs"))
    assert (one.named, one.written) == (other.named, other.written)
    if one.named:
        return
    assert one.files == other.files
    shown = [operations[name].shows(one.files, who) for who, name in enumerate(names)]
    assert shown == [True, True]
