"""Hooks never hurt the agent: whatever the vault is, they end well.

A hook that does not end is killed (``tests/forked.py``), which is no good answer; that
each ends within its time is what ``test_late.py`` shows.
"""

import fcntl
import json
import os
import sqlite3
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.examples import in_turn
from tests.forked import Answer, forked
from tests.hooks.broken import BROKEN
from tests.hooks.players import PLAYERS, Claude, Heard, Player
from tests.wired import events
from tests.world import World
from toolmem.store.journal.hook_log import log_path
from toolmem.store.state.database import open_state

Agents = Sequence[type[Player]]
DECREE = "Never email Sarah at sarah@example.com."
EVENTS: dict[str, dict[str, Any]] = {
    "SessionStart": {"source": "startup"},
    "UserPromptSubmit": {"prompt": DECREE},
    "PreToolUse": {
        "tool_name": "Bash",
        "tool_input": {"command": "git push -f " + "a" * 40 + "!"},
        "tool_use_id": "t-1",
    },
    "PostToolUse": {
        "tool_name": "Edit",
        "tool_input": {"file_path": "/x/a.py"},
        "tool_response": {},
    },
    "PostToolUseFailure": {
        "tool_name": "Bash",
        "tool_input": {"command": "pytest"},
        "error": "Exit code 1\nboom",
    },
    "Stop": {},
    "SessionEnd": {"reason": "other"},
    "Compact": {"hook_event_name": "SessionStart", "source": "compact"},
    "Plain": {"hook_event_name": "UserPromptSubmit", "prompt": "please run it"},
    "Other": {"hook_event_name": "Notification"},
}


def run_many(given: list[tuple[list[str], Path, str]]) -> list[Answer]:
    return [
        forked().hook(argv, cwd, text.encode("utf-8", "surrogatepass"))
        for argv, cwd, text in given
    ]


def play(folder: Path) -> dict[str, Heard]:
    """Every event of Claude Code once, in the order of a session."""
    claude = Claude(folder)
    given = []
    for name, payload in EVENTS.items():
        document = {**claude.base(name), **payload}
        given.append((["claude"], folder, json.dumps(document)))
    answers = zip(EVENTS, given, run_many(given), strict=True)
    return {
        key: claude.heard(json.loads(one[2])["hook_event_name"], answer)
        for key, one, answer in answers
    }


def play_as(players: Iterable[Player], turn: int) -> list[Heard]:
    """Events of these agents, each in a session of its own: some of them in a turn."""
    events: list[tuple[Player, str, str]] = []
    for player in players:
        first, *others = player.every_event(DECREE)
        chosen = (first, *in_turn(others, turn, 2), ("Unheard-of", "{}"))
        events += ((player, name, text) for name, text in chosen)
    given = [(player.argv(name), player.folder, text) for player, name, text in events]
    return [
        player.heard(name, answer)
        for (player, name, _), answer in zip(events, run_many(given), strict=True)
    ]


def test_where_nothing_is_wrong_every_event_is_answered(tmp_path):
    World(tmp_path).vault("template")
    heard = play(tmp_path)
    assert heard["SessionStart"].context.startswith("## Tool-scoped rules\n")
    assert heard["UserPromptSubmit"].message.startswith(
        "captured: new critical rule for "
    )
    assert "- **[critical]** " in heard["Compact"].context
    assert "Tool memory:" in heard["Compact"].context
    assert not log()


def test_the_states_and_events_are_as_many_as_promised(tmp_path):
    assert len(BROKEN) >= 40
    for player in PLAYERS:
        names = {name for name, _ in player(tmp_path).every_event(DECREE)}
        wired = events(player.agent)
        assert wired <= names | {"SubagentStop"}


def stay_well(
    vault: Path, spoil: Callable[[Path], None], agents: Agents, turn: int = 0
) -> None:
    """Run the agents on a broken vault; each unanswered event is in the log."""
    World(vault).vault("template")
    spoil(vault)
    players = [agent(vault, f"of-{agent.agent}") for agent in agents]
    try:
        heard = play_as(players, turn)
    finally:
        for folder, _, _ in os.walk(vault):
            Path(folder).chmod(0o755)
    said = any(answer.document or answer.message for answer in heard)
    assert said or {line["agent"] for line in log()} == {p.agent for p in players}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes to put there")
@pytest.mark.parametrize("number", range(len(BROKEN)), ids=BROKEN.keys())
def test_no_state_of_a_vault_stops_an_agent(tmp_path, number):
    # One agent a state, and some of its events; all are played in the long run.
    agent = PLAYERS[number % len(PLAYERS)]
    turn = number // len(PLAYERS)
    stay_well(tmp_path / "vault", list(BROKEN.values())[number], [agent], turn)


@pytest.mark.soak
@pytest.mark.parametrize("spoil", BROKEN.values(), ids=BROKEN.keys())
def test_no_state_of_a_vault_stops_any_agent(tmp_path, spoil):
    stay_well(tmp_path / "vault", spoil, PLAYERS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "null",
        "[]",
        '"text"',
        "{",
        "{}",
        '{"hook_event_name": 1}',
        '{"hook_event_name": "PreToolUse"}',
        '{"hook_event_name": "PreToolUse", "tool_name": "\\ud800", "tool_input": 1}',
        '{"hook_event_name": "PreToolUse", "tool_name": "../../x", "tool_input": []}',
        '{"hook_event_name": "PostToolUse", "tool_name": "B", "cwd": "\\u0000"}',
        '{"hook_event_name": "UserPromptSubmit", "prompt": "never \\u0000\\ud800 x"}',
        '{"hook_event_name": "Stop", "session_id": "../../../etc/passwd"}',
        '{"a":' * 100_000,
        "[" * 1_000_000,
        "x" * 20_000_000,
        json.dumps({"hook_event_name": "PreToolUse", "tool_name": "Write"})[:-1]
        + ', "tool_input": {"content": "'
        + "never push " * 900_000
        + '"}}',
    ],
    ids=range(18),
)
def test_no_input_stops_an_agent(tmp_path, text):
    World(tmp_path).vault("template")
    [answer] = run_many([(["claude"], tmp_path, text)])
    code, out, err = answer
    assert (code, err) == (0, "")
    assert out == b"" or isinstance(json.loads(out), dict)


@pytest.mark.parametrize(
    "argv", [[], ["nobody"], ["claude", "--event"], ["claude", "--vault", "/nowhere"]]
)
def test_no_command_line_stops_an_agent(tmp_path, argv):
    World(tmp_path).vault("template")
    text = json.dumps({**Claude(tmp_path).base("Stop")})
    [(code, out, err)] = run_many([(argv, tmp_path, text)])
    assert (code, out, err) == (0, b"", "")


def log() -> list[dict[str, str]]:
    if not log_path().exists():
        return []
    return [json.loads(line) for line in log_path().read_text().splitlines()]


def test_trouble_is_in_the_log_once_an_hour_and_is_told(tmp_path):
    world = World(tmp_path).write(".toolmem.toml", "vault = \n")
    for _ in range(2):
        heard = play(tmp_path)
        for name in ("SessionStart", "Compact"):
            message = heard.pop(name).message
            assert message == (
                f"toolmem: no rules are enforced: {tmp_path}/.toolmem.toml:1: Invalid "
                "value; correct that file, then run `toolmem check`"
            )
        assert all(one.document == {} for one in heard.values())
    lines = log()
    assert len(lines) == len({(line["event"], line["error"]) for line in lines})
    assert {line["event"] for line in lines} >= {"SessionStart", "PreToolUse", "Stop"}
    assert all("InvalidFileError: " in line["error"] for line in lines)
    told = world.call("agent", "status", "--all").stderr
    last = lines[-1]
    assert told == world.plain(
        f"toolmem: a hook failed in {last['event']} of claude at {last['when']}: "
        f"{last['error']}; {log_path()} has all\n"
    )


def test_a_decree_typed_while_another_writes_is_captured_later(tmp_path):
    world = World(tmp_path).vault("template")
    claude = Claude(tmp_path)
    claude.start()
    with (tmp_path / ".toolmem" / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        said = play(tmp_path)["UserPromptSubmit"].message
        assert said.startswith("toolmem: not in force yet: another process is writing ")
        assert not list(tmp_path.glob("system/rules/send_email/never*"))
    told = claude.prompt("thanks")
    assert "critical rule for send_email: Never email Sarah" in told.message
    assert claude.before("send_email", to="sarah@example.com").verdict == "deny"
    assert claude.prompt("thanks").document == {}
    assert len(list(tmp_path.glob("system/rules/send_email/never*"))) == 1
    world.settle()


def test_a_decree_typed_at_a_broken_vault_is_captured_once_it_is_mended(tmp_path):
    world = World(tmp_path).vault("template")
    settings = world.read("toolmem.toml")
    (tmp_path / "toolmem.toml").unlink()
    world.write(".toolmem.toml", "vault = \n")
    claude = Claude(tmp_path)
    assert claude.start().message.startswith("toolmem: no rules are enforced: ")
    assert claude.prompt(DECREE).document == {}
    world.write("toolmem.toml", settings)
    assert "send_email: Never email Sarah" in claude.start().message
    assert claude.before("send_email", to="sarah@example.com").verdict == "deny"


def test_a_held_database_costs_no_decree_and_no_time(tmp_path):
    World(tmp_path).vault("template")
    with open_state(tmp_path):
        pass
    state = sqlite3.connect(tmp_path / ".toolmem" / "state.db")
    state.execute("BEGIN EXCLUSIVE")
    heard = play(tmp_path)
    state.rollback()
    state.close()
    assert "send_email: Never email Sarah" in heard["UserPromptSubmit"].message
    assert heard["SessionStart"].context.startswith("## Tool-scoped rules\n")
    claude = Claude(tmp_path)
    claude.end()
    stats = json.loads(World(tmp_path).call("stats", "--json").stdout)
    assert [one["calls"] for one in stats if one["tool"] == "Bash"] == [1]


def test_a_secret_in_a_call_is_not_kept_in_local_state(tmp_path):
    World(tmp_path).vault("template")
    claude = Claude(tmp_path)
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    claude.failed("Bash", command=f"curl -H 'Authorization: Bearer {token}' x")
    claude.prompt(f"never use {token} again")
    claude.after("Write", file_path="a.txt", content=f"the token is {token}")
    places = [tmp_path, Path.home() / ".local"]
    kept = [p for place in places for p in place.rglob("*") if p.is_file()]
    assert kept
    assert not [path for path in kept if token.encode() in path.read_bytes()]
