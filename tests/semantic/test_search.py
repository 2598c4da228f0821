"""Searches by meaning as a user runs them, and what must not change an answer."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.world import World
from toolmem.store.vault import library

NOTES = {
    "oauth": "# Tokens\n\nAn expired login token is refreshed with its scope.\n",
    "lunch": "# Canteen\n\nThe kitchen serves hot lunch until two.\n",
    "alembic": "# Migrations\n\nSchema changes run with alembic upgrade head.\n",
    "logs": "# Logs\n\nOld log files are removed by logrotate every night.\n",
    "deploy": "# Release\n\nA release goes out on Tuesdays after the smoke tests.\n",
}
QUESTIONS = (
    "my credentials are no longer valid, how do I sign in",
    "where can I get a meal",
    "update the tables of the database",
    "log files",
    "what happens on Tuesdays",
)


def fill(world: World) -> World:
    world.write("toolmem.toml", "schema = 1\n")
    for name, text in NOTES.items():
        world.write(f"system/memory/{name}.md", text)
    return world


@pytest.fixture
def vault(world: World) -> World:
    return fill(world)


def ask(world: World, *args: str) -> dict[str, Any]:
    done = world.call("search", *args, "--json")
    assert done.code in (0, 1)
    document: dict[str, Any] = json.loads(done.stdout)
    del document["took_ms"]
    return document


def ids(document: dict[str, Any]) -> list[str]:
    return [hit["id"] for hit in document["results"]]


@pytest.mark.parametrize(
    ("question", "first"),
    list(zip(QUESTIONS, NOTES, strict=True)),
)
def test_the_note_that_is_meant_comes_first(vault, question, first):
    assert ids(ask(vault, "--semantic", "model", question))[0] == first


def test_it_is_not_used_until_it_is_asked_for(vault):
    question, vectors = QUESTIONS[1], vault.root / ".toolmem/index/vectors"
    by_table = ask(vault, question)
    assert not vectors.exists()
    vault.write("toolmem.toml", 'schema = 1\n[search]\nsemantic = "model"\n')
    assert ids(ask(vault, question))[0] == "lunch"
    assert vectors.exists()
    assert ask(vault, "--semantic", "table", question) == by_table
    assert "lunch" not in ids(ask(vault, "--semantic", "off", question))


def test_a_question_about_something_else_finds_nothing(vault):
    done = vault.call("search", "--semantic", "model", "purple elephants dancing")
    assert (done.code, done.stdout) == (1, "")
    assert done.stderr == "toolmem: nothing found for 'purple elephants dancing'\n"


def test_what_is_read_follows_the_files(vault):
    ask(vault, "--semantic", "model", "lunch")
    vault.write("system/memory/lunch.md", "# Canteen\n\nRenovated until spring.\n")
    vault.write(
        "system/memory/soup.md", "# Soup\n\nHot meals are on the first floor.\n"
    )
    (vault.root / "system/memory/logs.md").unlink()
    found = ids(ask(vault, "--semantic", "model", QUESTIONS[1]))
    assert found[0] == "soup"
    assert "logs" not in ids(ask(vault, "--semantic", "model", "log files"))


def test_an_answer_is_the_same_each_time_and_in_each_copy(vault, tmp_path_factory):
    copy = fill(World(tmp_path_factory.mktemp("copy")))
    for question in QUESTIONS:
        first = ask(vault, "--semantic", "model", question)
        assert ask(vault, "--semantic", "model", question) == first
        assert ask(copy, "--semantic", "model", question) == first


def hide_in_other_project(world: World) -> None:
    """Nothing can be nearer than the questions themselves."""
    for number, question in enumerate(QUESTIONS * 8):
        text = f"# {question}\n\n{question}, part {number}.\n"
        world.write(f"projects/hidden/memory/m{number}.md", text)


def hide_with_an_agent(world: World) -> None:
    for number, question in enumerate(QUESTIONS):
        world.write(f"agents/other/memory/m{number}.md", f"# {question}\n")


def hide_expired(world: World) -> None:
    for number, question in enumerate(QUESTIONS):
        text = f"---\nexpires_at: 2001-01-01\n---\n# {question}\n"
        world.write(f"system/memory/expired{number}.md", text)


def hide_opposite(world: World) -> None:
    """Nothing of the vault is so far from every question."""
    text = "# 0x7f\n\n## EIO\n\nEPERM ENOSPC 0xdead 0xbeef SIGSEGV\n"
    world.write("projects/hidden/memory/far.md", text)


@pytest.mark.parametrize(
    "hide", [hide_in_other_project, hide_with_an_agent, hide_expired, hide_opposite]
)
def test_what_a_reader_cannot_see_changes_no_figure(
    vault, tmp_path_factory, hide: Callable[[World], None]
):
    other = fill(World(tmp_path_factory.mktemp("other")))
    hide(other)
    asked = ("--semantic", "model", "--project", "mine")
    for question in (*QUESTIONS, "log files after a release on Tuesdays"):
        assert ask(other, *asked, question) == ask(vault, *asked, question)


RULE = "11111111-0000-4000-8000-000000000000"
OVERRIDES = {
    "another text": 'rule = "ask before a release"\n',
    "disabled": "enabled = false\n",
    "another tool": 'tool = "canteen"\nrule = "ask before a release"\n',
    "expired": 'rule = "ask before lunch"\nexpires_at = 2001-01-01T00:00:00Z\n',
}


def with_rule(world: World, tool: str, text: str, override: str) -> World:
    """Add a rule that a project overrides."""
    fill(world)
    base = f'id = "{RULE}"\ntool = "{tool}"\nrule = "{text}"\n'
    world.write("system/rules/cook/rule-11111111.toml", base)
    path = "projects/mine/rules/cook/rule-11111111.toml"
    return world.write(path, f'id = "{RULE}"\n{override}')


@pytest.mark.parametrize("override", OVERRIDES.values(), ids=OVERRIDES)
@pytest.mark.parametrize("question", QUESTIONS)
def test_the_text_of_an_overridden_rule_changes_no_figure(
    world, tmp_path_factory, question, override
):
    with_rule(world, "cook", "a rule about nothing of the kind", override)
    other = World(tmp_path_factory.mktemp("other"))
    with_rule(other, "cook", question, override)
    asked = ("--semantic", "model", "--project", "mine", question)
    expected = ask(world, *asked)
    assert ask(other, *asked) == expected
    # Where the rule is in force it is found, and the vectors are the same ones.
    assert RULE in ids(ask(other, "--semantic", "model", question))
    assert ask(other, *asked) == expected


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_tool_of_an_overridden_rule_changes_no_figure(
    world, tmp_path_factory, question
):
    override, text = 'tool = "canteen"\n', "serve it hot until two"
    with_rule(world, "canteen", text, override)
    other = World(tmp_path_factory.mktemp("other"))
    with_rule(other, "credentials for lunch", text, override)
    asked = ("--semantic", "model", "--project", "mine", question)
    assert ask(other, *asked) == ask(world, *asked)


def test_what_was_hidden_and_went_away_changes_nothing_either(vault, tmp_path_factory):
    other = fill(World(tmp_path_factory.mktemp("other")))
    hide_in_other_project(other)
    ask(other, "--semantic", "model", QUESTIONS[0])
    for path in (other.root / "projects/hidden/memory").iterdir():
        path.unlink()
    for question in QUESTIONS:
        assert ask(other, "--semantic", "model", question) == ask(
            vault, "--semantic", "model", question
        )


def test_a_long_memory_is_as_near_as_its_nearest_passage(vault):
    filler = "The release goes out after the smoke tests have passed.\n" * 60
    text = f"# Notes\n\n{filler}\nThe cat of the neighbours is called Ada.\n"
    vault.write("system/memory/long.md", text)
    assert ids(ask(vault, "--semantic", "model", "names of pets next door"))[:1] == [
        "long"
    ]


def test_recall_prefers_the_fact_and_then_goes_by_meaning(vault):
    vault.write("system/facts.md", "## project\nrelease: v2\n")
    vault.run("recall", "--semantic", "model", "release").stdout("v2\n")
    done = vault.call(
        "recall", "--semantic", "model", QUESTIONS[1], "-n", "1", "--json"
    )
    document = json.loads(done.stdout)
    assert (document["source"], ids(document)) == ("search", ["lunch"])


def test_explain_tells_what_the_meaning_adds(vault):
    done = vault.call(
        "search", "--semantic", "model", "--explain", "somewhere to eat", "-n", "1"
    )
    lines = done.stderr.splitlines()
    assert "  1.000  meaning" in lines


def test_a_damaged_file_of_vectors_is_made_anew_without_a_word(vault):
    first = ask(vault, "--semantic", "model", QUESTIONS[0])
    (vault.root / ".toolmem/index/vectors/kept").write_bytes(b"no vectors")
    done = vault.call("search", "--semantic", "model", QUESTIONS[0], "--json")
    assert done.stderr == ""
    assert ids(json.loads(done.stdout)) == ids(first)


def test_what_keeps_it_from_meaning_is_an_error_or_a_remark(vault, monkeypatch):
    monkeypatch.setattr(library, "_said", set())
    (vault.root / ".toolmem/index").mkdir(parents=True)
    (vault.root / ".toolmem/index/vectors").write_text("in the way")
    done = vault.call("search", "--semantic", "model", "log files")
    assert (done.code, done.stdout) == (15, "")
    vault.write("toolmem.toml", 'schema = 1\n[search]\nsemantic = "model"\n')
    done = vault.call("search", "log files", "--json")
    assert ids(json.loads(done.stdout))[0] == "logs"
    assert done.stderr.startswith("toolmem: searched without a model: ")


def test_a_model_of_the_users_own_is_read_from_the_users_settings_alone(vault):
    vault.write("toolmem.toml", 'schema = 1\n[semantic]\nmodel = "/tmp/own.onnx"\n')
    assert ids(ask(vault, "--semantic", "model", QUESTIONS[1]))[0] == "lunch"
    done = vault.call("settings")
    assert "semantic.model is not read from here" in done.stderr


def test_saving_goes_by_words(vault):
    vault.write("toolmem.toml", 'schema = 1\n[search]\nsemantic = "model"\n')
    ask(vault, "log files")
    saved = vault.call(
        "memory", "save", "A login token past its end is renewed with scope.", "--json"
    )
    assert json.loads(saved.stdout)["action"] == "created"
