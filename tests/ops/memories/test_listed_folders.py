"""A command lists the folders of a vault at most once, whatever it looks for."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.world import World

_counts: list[list[int]] = []
TOPICS = 30


@contextmanager
def listed_folders() -> Iterator[list[int]]:
    """Count the folders that are listed in the block."""
    count = [0]
    _counts.append(count)
    try:
        yield count
    finally:
        _counts.remove(count)


def _watch(event: str, _: tuple[Any, ...]) -> None:
    if event in ("os.scandir", "os.listdir"):
        for count in _counts:
            count[0] += 1


sys.addaudithook(_watch)


@pytest.fixture
def spread(world: World) -> World:
    """A vault whose memories are in many folders, with an index."""
    world.vault("empty")
    for number in range(TOPICS):
        world.write(f"system/memory/t{number}/m-{number:06}.md", f"# Note {number}\n")
    assert world.call("search", "note").code == 0
    return world


def listings(world: World, *words: str) -> int:
    """Folders that a command lists."""
    with listed_folders() as count:
        assert world.call(*words).code == 0
    return count[0]


def test_a_save_lists_no_folder_more_often_than_a_search(spread):
    search = listings(spread, "search", "note")
    save = listings(spread, "memory", "save", "The kiln is cleaned on Mondays")
    assert save - search < TOPICS / 2


def test_links_of_many_memories_are_looked_up_without_listing(spread):
    def contested(name: str, rival: str) -> None:
        header = f"topic: kilns\ncontested_with: [{rival}]"
        spread.write(f"system/memory/{name}.md", f"---\n{header}\n---\n# Kiln {name}\n")

    contested("a-000001", "b-000001")
    contested("b-000001", "a-000001")
    block = spread.call("prompt", "--topic", "kilns").stdout
    assert block.count("contested: another memory contradicts it") == 2
    few = listings(spread, "prompt", "--topic", "kilns")
    for number in range(5):
        contested(f"c-{number:06}", "a-000001")
    spread.call("search", "kiln")
    assert listings(spread, "prompt", "--topic", "kilns") == few


def test_an_id_that_another_scope_has_is_not_given_again(spread):
    text = "The kiln is cleaned on Mondays"
    first = spread.call("memory", "save", "--json", text).stdout
    second = spread.call("memory", "save", "--json", "--project", "x", text).stdout
    ids = [out.partition('"id": "')[2].partition('"')[0] for out in (first, second)]
    assert ids[0]
    assert ids[1].startswith(ids[0])
    assert len(ids[1]) == len(ids[0]) + 1
