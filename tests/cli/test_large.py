"""Commands look at what changed, not at every file: files opened and git processes."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest

from toolmem.core import limits

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
def test_git_is_started_as_often_for_many_changes_as_for_one(vault, command):
    started = []
    for changed in (0, 1, 20):
        for number in range(changed):
            vault.write(name(number), "# Another\n")
        with work() as done:
            vault.call(command)
        started.append(len(done.started))
    none, single, many = started
    assert (single, many) == (none + 1, none + 1)  # which reads what was there
    assert many < 10


@pytest.fixture
def many(vault, monkeypatch):
    """More changed files than are read."""
    monkeypatch.setattr(limits, "DIFF_FILES", 5)
    for number in range(6):
        vault.write(name(number), "# Another\n")
    vault.write("projects/p1/memory/new-a00001.md", "# New\n")
    (vault.root / name(7)).unlink()
    return vault


def test_too_many_changes_are_counted(many):
    with work() as done:
        many.run("diff").stdout(
            "~  changed  2 memories in project:p0\n"
            "~  changed  2 memories in project:p1\n"
            "~  changed  2 memories in project:p2\n"
            "+  added  1 memory in project:p1\n"
            "-  deleted  1 memory in project:p1\n"
            "each file: git status\n"
        )
    assert "new-a00001.md" not in done.opened
    found = json.loads(many.call("diff", "--json").stdout)
    assert (found["memories"], sum(one["files"] for one in found["counts"])) == ([], 8)


def test_a_page_of_too_many_changes_has_their_counts(many):
    first = many.git("rev-parse", "HEAD").strip()
    second = many.commit()
    shown = many.call("diff", first, second, "--format", "markdown").stdout
    assert "- `~ changed 2 memories in project:p0`\n" in shown
    assert f"Each file: `git diff --stat {first[:10]} {second[:10]}`\n" in shown


def test_too_many_changes_are_reviewed_and_committed_by_name(many):
    found = json.loads(many.call("review", "--json").stdout)
    assert len(found) == 8
    actions = {one["id"]: one["changes"][0]["actions"] for one in found}
    assert actions["new-a00001"] == ["added"]
    assert actions["lesson-000007"] == ["deleted"]
    assert many.call("commit").code == 0
    assert many.git("status", "--porcelain") == ""
    subject = many.git("log", "-1", "--format=%s").strip()
    assert subject == "Learn 1 memory; delete 1 memory; change 6 memories"


def test_a_credential_among_too_many_changes_is_refused(many):
    token = "ghp_" + "a1B2c3D4e5" * 4
    many.write("projects/p1/memory/new-a00001.md", f"# Token\n\n{token[:40]}\n")
    done = many.call("commit")
    assert "projects/p1/memory/new-a00001.md:3: this looks like a cred" in done.stderr
    assert done.code != 0


def test_an_agent_reads_all_changes_and_is_not_told_of_private_ones(many, monkeypatch):
    many.write("projects/p1/memory/new-a00001.md", "---\nprivate: true\n---\n# New\n")
    monkeypatch.setenv("TOOLMEM_AGENT", "bot")
    found = json.loads(many.call("diff", "--json").stdout)
    assert (len(found["memories"]), found["counts"]) == (7, [])


def test_a_listing_of_a_project_lists_only_its_folders(vault):
    vault.write("projects/p2/memory/lesson-000002.md", b"\xff")
    with work() as done:
        vault.call("memory", "list", "--project", "p1")
    opened = {one for one in done.opened if one.startswith("lesson")}
    assert opened == {name(n).rpartition("/")[2] for n in range(_COUNT) if n % 3 == 1}


def test_a_message_lists_a_thousand_changes(vault):
    for number in range(1002):
        vault.write(f"system/memory/new-{number:06d}.md", "# New\n")
    text = vault.call("commit", "--dry-run").stdout
    assert text.count("new-0") == 1000
    assert "\nand 2 more\n" in text
