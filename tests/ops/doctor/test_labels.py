"""Topics and tags are one form whatever was typed, and older forms stay usable."""

import json

import pytest

TYPED = ("GitHub", "C++", "C#", "PostgreSQL tuning", "Mu\u0308ller", "Node.js")
STORED = ("github", "c++", "c#", "postgresql-tuning", "m\u00fcller", "node-js")


@pytest.fixture
def world(world):
    return world.write("toolmem.toml", "schema = 1\n")


def old(world, name: str, topic: str, tag: str = "x") -> str:
    path = f"system/memory/{name}.md"
    world.write(path, f"---\ntopic: {topic}\ntags: [{tag}]\n---\n# {name} it is\n")
    return path


def ids(world, *words: str) -> list[str]:
    done = json.loads(world.call("memory", "list", "--json", *words).stdout)
    return [memory["id"] for memory in done]


def test_what_is_typed_is_stored_in_one_form(world):
    for number, typed in enumerate(TYPED):
        text = f"Remark {number} is about a matter of its own: {number * 7919}"
        words = ("memory", "save", text, "--topic", typed, "--tag", typed)
        assert world.call(*words).code == 0
    listed = json.loads(world.call("memory", "list", "--json").stdout)
    assert {memory["topic"] for memory in listed} == set(STORED)
    assert {tag for memory in listed for tag in memory["tags"]} == set(STORED)


@pytest.mark.parametrize("typed", ["GitHub", "github", "GITHUB", "github-git-hub"])
def test_an_older_spelling_is_the_same_topic_and_tag(world, typed):
    old(world, "a", "github-git-hub", "GitHub")
    old(world, "b", "github", "github")
    old(world, "c", "git", "git")
    assert ids(world, "--topic", typed) == ["a", "b"]
    assert ids(world, "--tag", typed) == ["a", "b"]
    found = world.call("search", "it is", "--tag", typed, "--json").stdout
    assert {hit["id"] for hit in json.loads(found)["results"]} == {"a", "b"}
    block = world.call("prompt", "--topic", typed).stdout
    assert "a it is" in block
    assert "b it is" in block


def test_check_fix_moves_older_spellings_and_names_the_ambiguous_ones(world):
    path = old(world, "a", "postgresql-tuning-postgre-sql", "Wine")
    kept = old(world, "b", "c", "wine")
    before = world.read(kept)
    named = world.call("check").stdout
    done = world.call("check", "--fix")
    assert named == done.stdout
    assert done.code == 0
    assert world.read(path).startswith(
        "---\ntopic: postgresql-tuning\ntags: [wine]\n---\n"
    )
    assert world.read(kept) == before
    assert [line.split(" ")[0:3] for line in done.stdout.splitlines()] == [
        [f"{kept}:1:", "warning:", "ambiguous-topic"]
    ]
    assert world.call("--agent", "ci", "check", "--fix").code != 0


def test_a_project_in_decomposed_form_is_the_same_project(world):
    world.write("projects/M\u00fcller/facts.md", "port: 1\n")
    done = world.call("prompt", "--project", "Mu\u0308ller")
    assert (done.code, done.stderr, "port: 1" in done.stdout) == (0, "", True)
