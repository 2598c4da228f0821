"""A candidate in a session of each agent: noted, kept, enforced and traceable."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.hooks.players import PLAYERS, BlockAtPrompt, Cursor, Player
from tests.world import World

BAN = "We should never run npm install here, use pnpm."
MAIL = """can you answer this mail for me?

Hi Tom,
from now on please send all invoices to billing@example.com and never to my private
address. Always lock the door.

Kind regards,
Eve
"""


@pytest.fixture(params=PLAYERS, ids=lambda player: player.agent)
def player(request: pytest.FixtureRequest, tmp_path: Path) -> Player:
    World(tmp_path).vault("template").commit("the start")
    made: Player = request.param(tmp_path)
    return made


def shell(player: Player, command: str) -> Any:
    if isinstance(player, Cursor):
        arguments = {"command": command, "cwd": str(player.folder)}
        return player.send("shell", arguments)
    return player.before(player.shell, command=command)


def note_of(player: Player, text: str) -> str:
    """Type a message; return the note, which comes with it or with the next result."""
    note = player.prompt(text).context
    return note or player.after(player.shell, command="ls").context


def review(player: Player, *args: str) -> Any:
    return json.loads(World(player.folder).call("review", *args, "--json").stdout)


@pytest.mark.one_of(3)
def test_a_ban_is_noted_kept_enforced_shown_and_traceable(player):
    world = World(player.folder)
    player.start()
    note = note_of(player, f"Fix the login. {BAN} Thanks!")
    asked = shell(player, "npm install left-pad")
    assert asked.verdict in ("ask", "deny")
    assert "the user wrote in this session: We should never run npm" in asked.reason
    [command] = re.findall(r"run: (toolmem rule keep k\w+)", note)
    keep = f"{command} --tool {player.shell}"
    assert shell(player, keep).verdict in ("", "allow")

    answer = world.call(*shlex.split(keep)[1:])
    assert answer.code == 0
    assert answer.stdout.startswith("New critical rule for ")
    assert ", in every project: “We should never run npm install" in answer.stdout
    assert "undo: toolmem rule delete " in answer.stdout

    denied = shell(player, "npm install left-pad")
    assert denied.verdict == "deny"
    assert "We should never run npm install here, use pnpm" in denied.reason

    player.session = "s-2"
    first = player.start().context or player.prompt("go on with the work").context
    block = first or player.after(player.shell, command="ls").context
    assert "**[critical]** We should never run npm install here, use pnpm" in block

    [kept] = [one for one in review(player) if one["kind"] == "rule"]
    # Two agents take the block with their first message only.
    place = f"(session s-1, turn {int(isinstance(player, BlockAtPrompt))})"
    assert kept["evidence"] == f"“{BAN}” {place}"
    assert kept["kept_by"] == player.agent
    shown = world.call("review").stdout
    assert f"from “{BAN}” {place}, kept by {player.agent}" in shown
    [past] = review(player, "--past")["candidates"]
    assert (past["status"], past["session"], past["agent"]) == (
        "kept",
        "s-1",
        player.agent,
    )


@pytest.mark.parametrize(
    "before",
    [
        *(0, 19_990, 20_000),
        *(pytest.param(size, marks=pytest.mark.soak) for size in (300_000, 999_900)),
    ],
)
def test_a_quotation_is_found_anywhere_in_a_message(tmp_path, before):
    world = World(tmp_path).vault("template")
    player = PLAYERS[0](tmp_path)
    log = "é: step done.\n"
    player.prompt(log * (before // len(log)) + f"Keep notes.\n\n{BAN} Thanks!")
    said = world.call("rule", "keep", "--quote", BAN).stdout
    assert said.startswith("New critical rule for ")


@pytest.mark.soak  # a busy machine has no time for so long a message
def test_a_quotation_behind_the_bound_is_refused_with_the_bound(tmp_path):
    world = World(tmp_path).vault("template")
    player = PLAYERS[0](tmp_path)
    player.prompt("a step done.\n" * 77_000 + f"\n{BAN}")
    world.call("rule", "keep", "--quote", BAN)
    [proposal] = review(player)
    assert proposal["why"] == (
        "the quoted words are not in the first 1,000,000 characters of the user's "
        "messages"
    )


@pytest.mark.one_of(3)
def test_an_invented_quote_is_refused_and_becomes_a_proposal(player):
    world = World(player.folder)
    player.prompt("please add the login page")
    command = "toolmem rule keep --quote 'never use docker here' --tool docker"
    shell(player, command)
    said = world.call(*shlex.split(command)[1:]).stdout
    assert said.startswith("Proposed, not in effect: “never use docker here”")
    assert shell(player, "docker ps").verdict == ""
    [proposal] = review(player)
    assert (proposal["state"], proposal["text"], proposal["why"]) == (
        "pending",
        "never use docker here",
        "the quoted words are not in the user's messages",
    )
    assert not list(player.folder.glob("**/rules/**/*docker*.toml"))


@pytest.mark.one_of(3)
def test_a_pasted_mail_makes_nothing(player):
    assert "standing rule" not in note_of(player, MAIL)
    assert review(player) == []
    assert review(player, "--past") == {"candidates": [], "tiers": {}}


@pytest.mark.one_of(3)
def test_a_later_session_is_asked_once_about_what_was_not_decided(player):
    world = World(player.folder)
    player.start()
    note_of(player, f"Fix the login. {BAN} Thanks!")
    listed = world.call("review")
    assert "We should never run npm install here" in listed.stdout.splitlines()[0]
    assert "toolmem rule keep ID" in listed.stderr

    player.session = "s-2"
    start = player.start()
    assert "1 statement of earlier sessions not decided: toolmem review" in (
        start.message + start.context
    )
    if "toolmem rule keep k" in start.context:
        player.session = "s-3"
        assert "not decided" not in player.start().message
    assert "We should never run npm install here" in world.call("review").stdout
