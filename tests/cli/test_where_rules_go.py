"""Options, pointers and words decide where something is written; folders never do."""

import json
import re
from itertools import product
from pathlib import Path

import pytest

from tests.hooks.players import Claude
from tests.world import World

POINTERS = ("", "lib", "other")
OPTIONS = ("", "--project=shop", "--scope=system", "--scope=project:shop")
REMOTES = ("", "git@example.org:team/web.git")
WRITES = {
    "rule": ("rule", "add", "shell", "never use telnet"),
    "memory": ("memory", "save", "The cache is cold after a deploy."),
    "fact": ("fact", "set", "port", "8080"),
}


def repository(folder: Path, pointer: str, remote: str) -> World:
    """A repository ``lib`` of a user who has a default vault."""
    world = World(folder / "lib").write("a.py", "")
    world.call("init", "--user")
    world.commit()
    if remote:
        world.git("remote", "add", "origin", remote)
    if pointer:
        world.write(".toolmem.toml", f'project = "{pointer}"\n')
    return world


def scope_of(world: World, words: tuple[str, ...], option: str) -> str:
    done = world.call(*words, *filter(None, [option]), "--json")
    found = json.loads(done.stdout)
    return str(found.get("scope") or found["rule"]["scope"])


def expected(pointer: str, option: str) -> str:
    if option:
        return "system" if option == "--scope=system" else "project:shop"
    return f"project:{pointer}" if pointer else "system"


@pytest.mark.one_of(3)
@pytest.mark.parametrize(("pointer", "remote"), product(POINTERS, REMOTES))
def test_folders_of_projects_never_decide(tmp_path, pointer, remote):
    world = repository(tmp_path, pointer, remote)
    for number in range(2):
        for option in OPTIONS:
            for kind, words in WRITES.items():
                own = (*words[:-1], f"{words[-1]} {option} {number}")
                own = words if kind == "fact" else own
                assert scope_of(world, own, option) == expected(pointer, option)
        for project in ("lib", "web", "other"):
            note = f"Another note of {project}"
            world.call("memory", "save", note, "--project", project)


@pytest.mark.parametrize(
    ("text", "pointer", "option", "scope"),
    [
        ("never use telnet in this repository", "", "", "project:lib"),
        ("in this project never use telnet", "other", "", "project:other"),
        ("never use telnet, in any project", "other", "", "system"),
        ("never use telnet in this repository", "", "--scope=system", "system"),
        ("never use telnet, in any project", "", "--project=shop", "project:shop"),
    ],
)
def test_words_of_a_place_come_after_options_and_before_the_rest(
    tmp_path, text, pointer, option, scope
):
    world = repository(tmp_path, pointer, "")
    for project in ("lib", "other"):
        assert scope_of(world, ("rule", "add", "shell", text), option) == scope
        world.call("memory", "save", f"A note of {project}", "--project", project)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "in every project"),
        (("--project", "lib"), "only in project lib (--scope system: everywhere)"),
        (
            ("--scope", "agent-type:coding"),
            "for agents of type coding (--scope system: everywhere)",
        ),
        (
            ("--scope", "project:lib/coding"),
            "only in project lib, for agents of type coding "
            "(--scope system: everywhere)",
        ),
    ],
)
def test_the_answer_names_the_scope_in_words(tmp_path, words, said):
    world = repository(tmp_path, "", "")
    done = world.call("rule", "add", "shell", "never use telnet", *words)
    assert done.stderr.endswith(f"toolmem: guard: denies `telnet`; {said}\n")


@pytest.mark.parametrize(
    ("typed", "where", "other"),
    [
        ("never use telnet.", "in every project", "project:lib"),
        ("always use rsync.", "only in project lib", "system"),
        ("never use curl in this repository.", "only in project lib", "system"),
        ("never use wget in lib.", "only in project lib", "system"),
        ("always use ruff in all our services.", "in every project", "project:lib"),
        ("never ever use sudo on my machine.", "in every project", "project:lib"),
    ],
)
def test_the_words_typed_decide_the_place(tmp_path, typed, where, other):
    world = repository(tmp_path, "", "")
    message = Claude(world.root).prompt(typed).message
    assert re.search(
        rf"; {where} \([a-z ]+: toolmem rule move \w{{8}} --scope {other}\)", message
    )


def test_the_project_s_name_is_the_pointer_s_then_the_remote_s_then_the_root_s(
    tmp_path,
):
    world = repository(tmp_path, "", "")

    def project() -> str | None:
        found = json.loads(world.call("settings", "--json").stdout)
        value: str | None = found["project"]["value"]
        return value

    for name in ("lib", "web", "mine"):
        world.call("memory", "save", f"A note of {name}", "--project", name)
    assert project() == "lib"
    world.git("remote", "add", "origin", "https://example.org/team/web.git/")
    assert project() == "web"
    world.git("remote", "set-url", "origin", "https://example.org/team/unknown")
    assert project() is None
    world.write(".toolmem.toml", 'project = "mine"\n')
    assert project() == "mine"
