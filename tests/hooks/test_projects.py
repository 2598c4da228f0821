"""Local state of one project says nothing about another, in mid-turn too."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.hooks.players import Claude
from tests.world import World

COMMANDS = (
    ("conversation", "list", "--json"),
    ("working", "show", "--json"),
    ("scratch", "list", "--json"),
)


@pytest.fixture
def place(world: World, monkeypatch: pytest.MonkeyPatch) -> "Place":
    world.vault("template").now = datetime.now(UTC)  # the hooks' own clock
    return Place(world, monkeypatch)


class Place:
    """A vault that is used for one project or another."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self.world = world
        self._monkeypatch = monkeypatch

    def at(self, project: str) -> None:
        """From here on the project is this one."""
        self._monkeypatch.setenv("TOOLMEM_PROJECT", project)

    def seen(self, project: str) -> list[Any]:
        """Everything that a project sees of local state."""
        self.at(project)
        return [json.loads(self.world.call(*words).stdout) for words in COMMANDS]

    def work(self, project: str, *, ended: bool) -> None:
        """A turn of a session of the project, and what its people leave there."""
        self.at(project)
        claude = Claude(self.world.root, f"s-{project}")
        claude.prompt(f"please deploy {project} to production")
        if ended:
            claude.end()
        call = self.world.call
        assert call("scratch", "add", f"secret of {project}").code == 0
        ask = self.world.ask
        ask("working.set", name=f"plan-{project}", text=f"of {project}")
        ask("conversation.add", text=f"a word about {project}")


@pytest.mark.parametrize("ended", [False, True], ids=["in mid-turn", "ended"])
def test_what_a_project_does_is_seen_from_no_other(place, ended):
    place.work("alpha", ended=True)
    before = place.seen("alpha")
    assert "alpha" in json.dumps(before)
    place.work("beta", ended=ended)
    assert place.seen("alpha") == before
    assert "alpha" not in json.dumps(place.seen("beta"))
    assert "deploy beta" in json.dumps(place.seen("beta"))


def test_a_project_changes_and_clears_what_is_its_own_alone(place):
    place.work("alpha", ended=True)
    entry = place.seen("alpha")[2][0]["id"]
    before = place.seen("alpha")
    place.work("beta", ended=False)
    call = place.world.call
    assert call("scratch", "show", entry).code == 12
    assert call("scratch", "edit", entry, "--text", "changed").code == 12
    assert call("conversation", "clear").code == 0
    assert call("working", "clear").code == 0
    assert place.seen("beta")[:2] == [[], []]
    assert place.seen("alpha") == before


@pytest.mark.parametrize("command", ["conversation", "working"])
def test_what_was_typed_in_a_turn_that_goes_on_can_be_cleared(world, command):
    world.vault("template")
    claude = Claude(world.root)
    claude.prompt("please book a flight")
    done = world.call(command, "clear")
    assert (done.code, "0" in done.stdout + done.stderr) == (0, False)
    shown = "list" if command == "conversation" else "show"
    assert json.loads(world.call(command, shown, "--json").stdout) == []


def test_a_turn_that_another_project_s_hook_processes_keeps_its_project(place):
    place.at("alpha")
    Claude(place.world.root, "s-1").prompt("please deploy alpha to production")
    place.at("beta")
    Claude(place.world.root, "s-1").end()
    assert "deploy" not in json.dumps(place.seen("beta"))
    assert "deploy alpha" in json.dumps(place.seen("alpha"))
