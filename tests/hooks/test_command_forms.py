"""A command is judged in whatever form an agent hands it over."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.hooks.players import PLAYERS, Player
from tests.world import World

FORMS: dict[str, Any] = {
    "text": "telnet host 25",
    "words": ["telnet", "host", "25"],
    "words with a number": ["telnet", "host", 25],
    "words of a shell": ["bash", "-lc", "cd /tmp && telnet host 25"],
    "one line": ["cd /tmp; telnet host"],
    "lines": ["cd /tmp", "telnet host"],
    "nothing": "",
    "no words": [],
    "harmless text": "ls -l",
    "harmless words": ["ls", "-l"],
    "quoted words": ["echo", "telnet host"],
}
DENIED = {name for name in FORMS if "telnet" in str(FORMS[name])} - {"quoted words"}


def calls(player: Player, given: Any) -> dict[str, Any]:
    """A call in the agent's own words, with these arguments instead of a table."""
    call = player.call(player.shell, {})
    key = next(key for key in ("tool_input", "toolArgs", "args") if key in call)
    return {**call, key: given}


@pytest.mark.one_of(3)
@pytest.mark.parametrize("made", PLAYERS)
def test_a_command_that_is_no_table_is_judged(made, tmp_path: Path):
    world = World(tmp_path)
    world.call("init", ".")
    world.call("rule", "add", "shell", "never use telnet", "-p", "critical")
    player = made(tmp_path)
    found = {
        (name, written): player.send("before", calls(player, arguments)).verdict
        for name, given in FORMS.items()
        for written, arguments in (("plain", given), ("JSON", json.dumps(given)))
    }
    assert found == {key: "deny" if key[0] in DENIED else "" for key in found}


def test_a_list_before_a_shell_command_of_cursor_is_judged(tmp_path: Path):
    world = World(tmp_path)
    world.call("init", ".")
    world.call("rule", "add", "shell", "never use telnet", "-p", "critical")
    player = next(one for one in PLAYERS if one.agent == "cursor")(tmp_path)
    heard = player.send("shell", {"command": ["telnet", "host"]})
    assert heard.verdict == "deny"
