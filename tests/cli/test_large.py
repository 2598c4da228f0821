"""Commands look at what changed, not at every file: files opened and git processes."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest

_COUNT = 60


class Work(NamedTuple):
    """Files of the vault that were opened, and processes that were started."""

    opened: list[str]
    started: list[str]


_watched: list[Work] = []


def _watch(event: str, args: tuple[object, ...]) -> None:
    for work in _watched:
        if event == "open" and str(args[0]).endswith((".md", ".toml")):
            work.opened.append(str(args[0]).rpartition("/")[2])
        if event == "subprocess.Popen":
            work.started.append(str(args[0]))


sys.addaudithook(_watch)


@contextmanager
def work() -> Iterator[Work]:
    found = Work([], [])
    _watched.append(found)
    yield found
    _watched.remove(found)


def name(number: int) -> str:
    return f"projects/p{number % 3}/memory/lesson-{number:06d}.md"


@pytest.fixture
def vault(world):
    world.vault("empty").write(".gitignore", "/.toolmem/\n")
    for number in range(_COUNT):
        world.write(name(number), f"# Lesson {number}\n\nOf the kiln.\n")
    world.commit()
    world.git("status")
    return world


@pytest.mark.parametrize("command", ["diff", "review"])
def test_only_changed_memories_are_read(vault, command):
    vault.write(name(7), "# Lesson 7\n\nOf the oven.\n")
    vault.write("projects/p1/memory/new-a00001.md", "# New\n")
    with work() as done:
        assert vault.call(command).code == 0
    memories = [one for one in done.opened if one.endswith(".md")]
    assert sorted(set(memories)) == ["lesson-000007.md", "new-a00001.md"]


@pytest.mark.parametrize("command", ["diff", "review"])
@pytest.mark.parametrize("changed", [0, 20])
def test_git_is_started_as_often_for_many_changes_as_for_none(vault, command, changed):
    with work() as none:
        vault.call(command)
    for number in range(changed):
        vault.write(name(number), "# Another\n")
    with work() as some:
        vault.call(command)
    assert len(some.started) <= len(none.started)
    assert len(some.started) < 10
