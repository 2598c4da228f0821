"""``log`` of a commit with many files, and through a pager."""

import json
import os
import shlex
import sys

import pytest

from tests.pseudoterminal import printed
from tests.world import World
from toolmem.cli.pager import page_lines

_PRIVATE = "---\nprivate: true\n---\n"
_WHEN = "2026-04-20 12:00"


def fill(world: World, count: int) -> World:
    """Commit two facts, a rule and so many memories, every tenth one private."""
    world.vault("empty").write("system/facts.md", "## project\na: 1\nb: 2\n")
    world.write("system/rules/shell/a-a0000001.toml", 'tool="shell"\nrule="never x"\n')
    for number in range(count):
        path = f"projects/p{number % 2}/memory/lesson-{number:06d}.md"
        header = _PRIVATE if number % 10 == 0 else ""
        world.write(path, f"{header}# Lesson {number}\n")
    return world


def short(world):
    return world.git("rev-parse", "HEAD")[:10]


def test_a_commit_of_many_files_is_counted_by_kind_and_scope(world):
    fill(world, 120).commit("import")
    name = short(world)
    world.run("log").stdout(
        f"{name} {_WHEN} Ada: import\n"
        "  +  added  60 memories in project:p0\n"
        "  +  added  60 memories in project:p1\n"
        "  +  added  1 rule in system\n"
        "  +  added  1 file of facts in system\n"
        "  +  added  1 setting\n"
        f"  each file: git show --stat {name}\n"
    )


def test_no_file_of_it_is_read(world):
    fill(world, 120).commit("import")
    for blob in world.root.glob(".git/objects/??/*"):
        kind = world.git("cat-file", "-t", blob.parent.name + blob.name)
        if kind == "blob\n":
            blob.unlink()
    assert world.call("log").code == 0


def test_its_json_has_the_counts_in_place_of_the_changes(world):
    fill(world, 120).commit("import")
    [event] = json.loads(world.call("log", "--json").stdout)
    assert event["changes"] == []
    assert event["counts"][:2] == [
        {"action": "added", "kind": "memory", "scope": f"project:p{n}", "files": 60}
        for n in range(2)
    ]
    assert sum(one["files"] for one in event["counts"]) == 123


def test_an_agent_is_not_told_how_many_are_private(world, monkeypatch):
    fill(world, 120).commit("import")
    monkeypatch.setenv("TOOLMEM_AGENT", "bot")
    done = world.call("log")
    assert "48 memories in project:p0" in done.stdout
    assert "60 memories in project:p1" in done.stdout


def test_a_commit_of_few_files_is_shown_change_by_change(world):
    fill(world, 3).commit("import")
    world.write("system/facts.md", "## project\na: 1\n").commit("less")
    [last, first] = json.loads(world.call("log", "--json").stdout)
    assert [one["actions"] for one in last["changes"]] == [["deleted"]]
    assert len(first["changes"]) == 7
    assert (last["counts"], first["counts"]) == ([], [])


def test_many_scopes_are_cut_after_twelve_lines(world):
    for number in range(130):
        world.write(f"projects/p{number:03d}/facts.md", "## project\na: 1\n")
    world.vault("empty").commit("import")
    *_, rest, hint = world.call("log").stdout.splitlines()
    assert rest == "  and 119 more in 119 further kinds and scopes"
    assert hint == f"  each file: git show --stat {short(world)}"


def test_the_json_of_no_commit_is_an_empty_list(world):
    world.vault("empty").git("init", "--quiet")
    world.run("log", "--json").stdout("[]\n")


def on_terminal(world, *args, **environment):
    """What a command prints where standard output is a terminal."""
    words = [sys.executable, "-m", "toolmem", "--vault", str(world.root), *args]
    given = {n: v for n, v in os.environ.items() if n not in ("PAGER", "GIT_PAGER")}
    env = given | {"TERM": "dumb"} | environment
    return printed(words, env)


@pytest.fixture
def pager(tmp_path_factory):
    """A pager that prints its name before each line."""
    place = tmp_path_factory.mktemp("pager") / "pager"
    place.write_text('#!/bin/sh\necho "LESS=$LESS"\nsed "s/^/$1: /"\n')
    place.chmod(0o755)
    return shlex.quote(str(place))


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("where", "name"),
    [("PAGER", "theirs"), ("core.pager", "git's"), ("GIT_PAGER", "first")],
)
def test_a_terminal_gets_the_pager_that_git_would_use(world, pager, where, name):
    fill(world, 1).commit("import")
    environment = {"PAGER": f"{pager} theirs"}
    if where == "core.pager":
        world.git("config", "--global", "core.pager", f'{pager} "git\'s"')
    if where == "GIT_PAGER":
        environment["GIT_PAGER"] = f"{pager} first"
    shown = on_terminal(world, "log", **environment)
    assert shown.startswith(f"LESS=FRX\n{name}: {short(world)} ")


def test_a_pager_is_not_taken_from_the_vault(world, pager):
    fill(world, 1).commit("import")
    world.git("config", "core.pager", f"{pager} vault")
    shown = on_terminal(world, "log", PAGER="cat")
    assert shown.startswith(f"{short(world)} ")


def test_a_pager_that_is_left_early_ends_the_command_quietly(world):
    fill(world, 1).commit("import")
    assert on_terminal(world, "log", PAGER="head -c 10") == f"{short(world)}"


def test_no_pager_runs_without_a_terminal(world, pager, monkeypatch):
    fill(world, 1).commit("import")
    monkeypatch.setenv("GIT_PAGER", f"{pager} never")
    assert world.call("log").stdout.startswith(short(world))


def test_an_interrupt_leaves_the_terminal_to_the_pager(monkeypatch, tmp_path):
    left = tmp_path / "left"
    monkeypatch.setenv("GIT_PAGER", f"sleep 1; touch {shlex.quote(str(left))}")
    monkeypatch.setattr("toolmem.cli.terminal.is_terminal", lambda _: True)

    def lines():
        yield "one"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        page_lines(lines())
    assert left.exists()
