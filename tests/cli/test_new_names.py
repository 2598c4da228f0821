"""A new project, agent type or tool: said to be new, or asked about as a typo."""

import json

import pytest

from tests.cli.test_review import asked
from tests.world import World
from toolmem.api.vault import Vault
from toolmem.errors import UnknownNameError
from toolmem.store.files.settings import SETTINGS

WRITERS = (
    ("rule", "add", "shell", "never use sudo"),
    ("rule", "move", "a0000005"),
    ("rule", "override", "a0000001", "--disable", "--reason", "x"),
    ("fact", "set", "language", "C"),
    ("memory", "save", "The door opens at nine."),
    ("memory", "move", "door"),
    ("review", "--accept", "system/memory/door-a00001.md"),
)
QUESTION = (
    "toolmem: the vault has no project 'apolo'; did you mean 'apollo'? "
    "--create makes a new one\n"
)


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path).vault("scopes")
    made.commit("the start")
    made.write("system/memory/door-a00001.md", "# The door opens at 9\n")
    made.write("toolmem.toml", "schema = 1\n")
    return made


@pytest.mark.parametrize("words", WRITERS, ids=lambda words: " ".join(words[:2]))
def test_a_typo_makes_nothing_unless_it_is_meant(world, words):
    before = world.files()
    refused = world.call(*words, "--scope", "project:apolo")
    assert (refused.code, refused.stdout, refused.stderr) == (2, "", QUESTION)
    assert world.files() == before
    failure = world.call(*words, "--scope", "project:apolo", "--json").stderr
    assert json.loads(failure)["suggestions"] == ["apollo"]
    made = world.call(*words, "--scope", "project:apolo", "--create")
    assert made.code == 0
    assert "toolmem: project 'apolo' is new in this vault\n" in made.stderr


def test_the_names_of_the_chain_count_as_well(world):
    for flag, name in (("--project", "apolo"), ("--agent-type", "codign")):
        assert world.call("fact", "set", "a", "b", flag, name).code == 2
    world.write("work/.toolmem.toml", 'vault = ".."\nproject = "apolo"\n')
    assert world.call("fact", "set", "a", "b", cwd="work").code == 0


def test_a_tool_is_known_by_rules_manifests_and_agents_and_on_the_path(world):
    world.write("tools/npmm.toml", 'name = "npmm"\naliases = ["send_mail"]\n')
    for tool, new in (("sned_mail", 2), ("npm", 0), ("Grep", 0), ("dploy", 2)):
        assert world.call("rule", "add", tool, "with care").code == new
    said = world.call("rule", "add", "deploy_all", "with care").stderr
    assert "toolmem: tool 'deploy_all' is new in this vault\n" in said
    again = world.call("rule", "add", "deploy_all", "at nine").stderr
    assert "is new" not in again


@pytest.mark.parametrize(("typed", "code"), [("y\n", 0), ("n\n", 2), ("", 2)])
def test_at_a_terminal_one_is_asked(world, monkeypatch, typed, code):
    words = ("fact", "set", "a", "b", "--project", "apolo")
    shown, answered = asked(world, monkeypatch, typed, *words, code=code)
    assert shown.startswith(f"{QUESTION}Make it? [y/N] ")
    assert bool(answered) == (code == 0)


def test_what_may_not_fail_remarks_on_it(world):
    remark = "project 'apolo' is new in this vault; did you mean 'apollo'?"
    world.write("AGENTS.md", "- Never use `curl`.\n")
    done = world.call("import", "AGENTS.md", "--scope", "project:apolo")
    assert (done.code, remark in done.stderr) == (0, True)
    keep = ("rule", "keep", "--quote", "never use wget", "--scope", "project:apolo2x")
    assert "is new in this vault" in world.call(*keep).stderr


def test_programs_get_the_suggestion(world):
    vault = Vault.open(world.root)
    with pytest.raises(UnknownNameError) as refused:
        vault.fact.set("a", "b", scope="project:apolo")
    assert refused.value.suggestions == ("apollo",)
    assert vault.fact.set("a", "b", scope="project:apolo", create=True).remarks


def test_settings_fit_a_screen_and_all_are_explained_on_demand(world):
    few, every = world.call("settings"), world.call("settings", "--all").stdout
    assert len(few.stdout.splitlines()) < 24
    assert few.stderr.endswith("have their defaults: `toolmem settings --all`\n")
    assert [one.name for one in SETTINGS if one.name not in every] == []
