"""An unknown project or agent type is reported by each command that reads."""

import json
import re

import pytest

from tests.access.asking import request
from tests.world import World

READERS = (
    ("search", "freeze"),
    ("recall", "freeze"),
    ("recall", "language"),
    ("rule", "list"),
    ("rule", "why", "a0000001"),
    ("fact", "get", "language"),
    ("fact", "list"),
    ("memory", "list"),
    ("guard", "deploy"),
    ("diff",),
    ("reflect",),
    ("prompt",),
    ("export", "agents-md", "--output", "-"),
    ("export", "agents-md", "--output", "out/"),
    ("export", "json"),
    ("query",),
)
REQUEST = json.dumps(request(tool="shell"))
APOLO = "toolmem: the vault has nothing for project 'apolo'; did you mean 'apollo'?\n"
CODIGN = (
    "toolmem: the vault has nothing for agent-type 'codign'; did you mean 'coding'?\n"
)


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path).vault("scopes")
    made.commit("the start")
    made.write("out/x", "")
    return made


def remarks(done):
    """Return the remarks on unknown names."""
    lines = done.stderr.splitlines(keepends=True)
    return "".join(line for line in lines if "has nothing for" in line)


@pytest.mark.one_of(3)
@pytest.mark.parametrize("reader", READERS, ids=" ".join)
def test_an_unknown_name_is_reported_once(world, reader):
    for flag, name, text in (
        ("--project", "apolo", APOLO),
        ("--agent-type", "codign", CODIGN),
    ):
        assert remarks(world.call(*reader, flag, name, stdin=REQUEST)) == text
    known = ("--project", "apollo", "--agent-type", "coding")
    assert remarks(world.call(*reader, *known, stdin=REQUEST)) == ""


@pytest.mark.parametrize("reader", READERS[:11], ids=" ".join)
def test_the_json_of_an_unknown_project_is_that_of_an_empty_one(world, reader):
    unknown = world.call(*reader, "--project", "apolo", "--json")
    assert remarks(unknown) == APOLO
    world.write("projects/apolo/memory/empty", "")
    empty = world.call(*reader, "--project", "apolo", "--json")
    assert remarks(empty) == ""
    assert took(empty.stdout) == took(unknown.stdout)


def took(text):
    """The answer without its time."""
    return re.sub(r'"took_ms": [\d.]+', "", text)


def test_a_project_named_by_a_pointer_may_be_new(world):
    world.write("work/.toolmem.toml", 'vault = ".."\nproject = "new"\n')
    for reader in READERS[:11]:
        assert remarks(world.call(*reader, cwd="work")) == ""


def test_what_is_written_for_a_new_project_is_not_reported(world):
    done = world.call("rule", "add", "git", "never force-push", "--project", "new")
    assert remarks(done) == ""
    assert remarks(world.call("rule", "list", "--project", "new")) == ""


@pytest.mark.parametrize("header", ["", "private: true\n"])
def test_a_topic_that_no_memory_has_is_reported_with_the_nearest(world, header):
    memory = f"---\ntopic: authentication\n{header}---\n# Tokens\n\nThey expire.\n"
    world.write("system/memory/tokens-a00001.md", memory)
    done = world.call("prompt", "--topic", "Authentcation")
    remark = "toolmem: no memory of the chain has the topic 'authentcation'"
    nearest = "" if header else "; did you mean 'authentication'?"
    assert (done.code, done.stderr) == (0, f"{remark}{nearest}\n")
    known = world.call("prompt", "--topic", "authentication")
    assert (remark.replace("entc", "entic") in known.stderr) == bool(header)
