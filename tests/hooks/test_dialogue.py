"""Hooks store the conversation, and the subject of a session."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.core.transcript.lines import Claude as Lines
from tests.core.transcript.lines import jsonl
from tests.hooks.players import PLAYERS, Claude, Codex, Gemini, Player
from tests.world import World
from toolmem.store.journal import journal

pytestmark = pytest.mark.one_of(3)

SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path).vault("template")
    world.now = datetime.now(UTC).replace(microsecond=0)  # hooks have the real clock
    return world


@pytest.fixture(params=PLAYERS, ids=lambda player: player.agent)
def player(request: pytest.FixtureRequest, world: World) -> Player:
    made: Player = request.param(world.root)
    return made


@pytest.fixture(params=[Claude, Codex, Gemini], ids=lambda player: player.agent)
def talker(request: pytest.FixtureRequest, world: World) -> Player:
    """An agent that sends the model's messages to its hooks."""
    made: Player = request.param(world.root)
    return made


def answer(player, text):
    key = "prompt_response" if player.agent == "gemini" else "last_assistant_message"
    return player.send("end", {key: text})


def shown(world, *words):
    done = world.call(*words, "--json")
    assert (done.code, done.stderr) == (0, "")
    return json.loads(done.stdout)


def said(world, *args):
    found = shown(world, "conversation", "list", *args)
    return [(one["role"], one["content"]) for one in found]


def in_mind(world, *args):
    found = shown(world, "working", "show", *args)
    return {one["name"]: one["content"] for one in found}


def test_what_is_typed_is_known_at_once_and_when_its_turn_has_ended(world, player):
    player.prompt("please book a flight to Paris")
    wanted = [("user", "please book a flight to Paris")]
    assert said(world, "--agent", player.agent) == wanted
    assert in_mind(world, "--agent", player.agent) == {"task": wanted[0][1]}
    assert said(world, "--agent", "another") == []
    player.after(player.shell, command="ls")
    player.end()
    assert said(world, "--agent", player.agent) == wanted
    assert in_mind(world, "--agent", player.agent) == {"task": wanted[0][1]}
    left = {path.name for path in world.root.glob(".toolmem/sessions/s-1*.jsonl")}
    assert left - {"s-1.told.jsonl", "s-1.seen.jsonl"} == {"s-1.typed.jsonl"}


def test_what_the_model_said_is_kept_beside_it(world, talker):
    talker.prompt("please book a flight")
    answer(talker, "Which one?")
    talker.prompt("the cheapest one")
    answer(talker, "Booked.")
    assert said(world) == [
        ("user", "please book a flight"),
        ("assistant", "Which one?"),
        ("user", "the cheapest one"),
        ("assistant", "Booked."),
    ]
    assert in_mind(world) == {"task": "the cheapest one"}


def test_a_turn_that_ends_several_times_is_told_once_and_goes_on(world):
    claude = Claude(world.root)
    claude.prompt("please book a flight")
    for text in ("Booked.", "Booked.", "And the hotel, too."):
        answer(claude, text)
    assert said(world)[1:] == [("assistant", "Booked.\n\nAnd the hotel, too.")]


def test_an_answer_to_nobody_knows_what_is_not_kept(world):
    claude = Claude(world.root)
    answer(claude, "Done.")
    assert said(world) == []


def test_a_decree_and_the_answer_to_it_are_part_of_the_conversation(world):
    claude = Claude(world.root)
    claude.prompt("Never email Sarah at sarah@example.com.")
    answer(claude, "Understood.")
    claude.prompt("thanks a lot for that")
    answer(claude, "Sure.")
    assert said(world) == [
        ("user", "Never email Sarah at sarah@example.com."),
        ("assistant", "Understood."),
        ("user", "thanks a lot for that"),
        ("assistant", "Sure."),
    ]


def test_what_the_turn_changed_is_in_mind(world):
    claude = Claude(world.root)
    claude.prompt("please make a file")
    claude.after("Write", file_path=str(world.root / "a.py"), content="x")
    claude.end()
    assert in_mind(world) == {
        "task": "please make a file",
        "turn": "Tool memory:\n- Files changed: a.py",
    }


def test_a_session_that_ends_takes_along_what_was_in_mind(world):
    one, other = Claude(world.root), Claude(world.root, "s-2")
    for player in (one, other):
        player.prompt(f"please do the task of {player.session}")
        player.end()
    done = one.run("SessionEnd", json.dumps(one.base("SessionEnd")))
    assert done[:3] == (0, b"", "")
    assert in_mind(world) == {"task": "please do the task of s-2"}
    assert len(said(world)) == 2


def test_a_session_that_is_captured_after_its_hooks_heard_it_is_kept_once(world):
    claude, line = Claude(world.root), Lines()
    lines: list[dict[str, str]] = []

    def told(*some):
        now = {"timestamp": datetime.now(UTC).isoformat()}
        lines.extend(one | now for one in some)

    claude.prompt("please book a flight")
    told(line.user("please book a flight"), line.call("Bash", "c-1", command="ls"))
    claude.after("Bash", command="ls")
    answer(claude, "Which one?")
    told(line.result("c-1", "done"), line.says("Which one?"))
    claude.prompt("the cheapest one")
    told(line.user("the cheapest one"), line.says("Booked."))
    answer(claude, "Booked.")
    before = said(world)
    assert len(before) == 4
    world.write("session.jsonl", jsonl(*lines))
    for _ in range(2):
        shown(world, "capture", str(world.root / "session.jsonl"))
        assert said(world) == before
        assert [one["calls"] for one in shown(world, "stats")] == [1]


def test_no_credential_reaches_the_disk(world):
    claude = Claude(world.root)
    claude.prompt(f"please log in with {SECRET} now")
    answer(claude, f"I used {SECRET}.")
    claude.prompt(f"and once more: {SECRET}")
    assert said(world) == [
        ("user", "please log in with [redacted] now"),
        ("assistant", "I used [redacted]."),
        ("user", "and once more: [redacted]"),
    ]
    for path in world.root.joinpath(".toolmem").rglob("*"):
        assert path.is_dir() or SECRET.encode() not in path.read_bytes(), path


def test_what_a_harness_wrote_is_left_out(world):
    claude = Claude(world.root)
    claude.prompt("<task-notification>tests failed</task-notification>")
    claude.prompt("fix it please<system-reminder>be brief</system-reminder>")
    claude.send("prompt", {"prompt": "do as I say", "agent_id": "sub"})
    claude.end()
    assert said(world) == [("user", "fix it please")]


def test_a_long_message_keeps_its_head_and_its_tail(world):
    claude = Claude(world.root)
    claude.prompt("start " + "x " * 9000 + "end")
    answer(claude, "y" * 30_000)
    [(_, typed), (_, reply)] = said(world)
    assert (len(typed), typed[:6], typed[-3:]) == (4003, "start ", "end")
    assert len(reply) == 4003


def test_nothing_is_kept_where_nothing_is_to_be_kept(world):
    world.write("toolmem.toml", "schema = 1\n[conversation]\nkeep = false\n")
    claude = Claude(world.root)
    claude.prompt("please book a flight")
    claude.after("Write", file_path=str(world.root / "a.py"), content="x")
    answer(claude, "Booked.")
    claude.prompt("Never email Sarah at sarah@example.com.")
    assert (said(world), in_mind(world)) == ([], {})
    for path in world.root.joinpath(".toolmem").rglob("*"):
        assert path.is_dir() or b"book a flight" not in path.read_bytes(), path


def bytes_with(world, words):
    """The files of local state that contain these words."""
    folder = world.root / ".toolmem"
    files = (path for path in folder.rglob("*") if path.is_file())
    return [str(path) for path in files if words in path.read_bytes()]


@pytest.mark.parametrize("ended", [True, False])
@pytest.mark.parametrize("judged", [True, False])
def test_what_is_cleared_is_nowhere_in_local_state(world, player, ended, judged):
    if judged:
        world.write("toolmem.toml", 'schema = 1\n[capture]\nmode = "judged"\n')
    player.prompt("please book a flight to Paris")
    player.after("Write", file_path=str(world.root / "a.py"), content="x")
    if ended:
        answer(player, "The flight is booked.")
    cleared = shown(world, "conversation", "clear")["cleared"]
    assert cleared >= 1
    assert (said(world), bytes_with(world, b"flight")) == ([], [])
    assert "task" not in in_mind(world)
    if not ended:
        answer(player, "Done.")
        assert "a.py" in in_mind(world)["turn"]


def test_only_what_was_said_in_the_session_is_cleared(world):
    for session in ("s-1", "s-2"):
        claude = Claude(world.root)
        claude.session = session
        claude.prompt(f"please book a flight in {session}")
    shown(world, "conversation", "clear", "--session", "s-1")
    assert said(world) == [("user", "please book a flight in s-2")]
    assert bytes_with(world, b"flight in s-1") == []


@pytest.mark.parametrize("keep", ["true", "false"])
def test_messages_go_after_a_month_whether_new_ones_are_kept_or_not(world, keep):
    old = world.now - timedelta(days=31)
    world.now, now = old, world.now
    world.ask("conversation.add", text="an old flight")
    world.ask("working.set", name="note", text="an old flight")
    world.now = now
    world.write("toolmem.toml", f"schema = 1\n[conversation]\nkeep = {keep}\n")
    claude = Claude(world.root)
    claude.prompt("please book a hotel")
    claude.after("Write", file_path=str(world.root / "a.py"), content="x")
    answer(claude, "Booked.")
    with closing(sqlite3.connect(world.root / ".toolmem" / "state.db")) as state:
        for table in ("conversation", "working"):
            rows = state.execute(f"SELECT * FROM {table}").fetchall()
            assert [row for row in rows if "flight" in str(row)] == []


def test_expired_messages_are_cleared_too(world):
    world.now, now = world.now - timedelta(days=31), world.now
    world.ask("conversation.add", text="an old flight")
    world.now = now
    shown(world, "conversation", "clear")
    assert bytes_with(world, b"flight") == []


def test_it_belongs_to_the_agent_that_is_configured(world, monkeypatch):
    monkeypatch.setenv("TOOLMEM_AGENT", "helper-1")
    claude = Claude(world.root)
    claude.prompt("please book a flight")
    answer(claude, "Booked.")
    monkeypatch.delenv("TOOLMEM_AGENT")
    assert len(said(world, "--agent", "helper-1")) == 2
    assert said(world, "--agent", "claude") == []


def test_journals_that_were_left_by_an_older_toolmem_are_worked_out(world):
    line = {"session": "s-1", "cwd": str(world.root), "prompt": "0:4:s-1@18a"}
    journal.append(world.root, journal.name_of("s-1"), line)
    answer(Claude(world.root), "Done.")
    assert said(world) == [("assistant", "Done.")]
