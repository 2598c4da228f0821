"""A session that hooks captured is captured again from its transcript."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.core.transcript.lines import Claude as Lines
from tests.core.transcript.lines import jsonl
from tests.hooks.players import Claude
from tests.world import World

DECREE = "Never use sudo."
DELAYS = [timedelta(minutes=5), timedelta(days=-2)]


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path).vault("template")
    world.now = datetime.now(UTC).replace(microsecond=0)  # hooks have the real clock
    return world


def run(world, *words):
    done = world.call(*words)
    assert done.code == 0, done
    return done.stdout


def rules(world):
    listed = json.loads(run(world, "rule", "list", "--json"))
    return [(one["rule"], one["scope"]) for one in listed if "sudo" in one["rule"]]


def user_messages(world):
    found = json.loads(run(world, "conversation", "list", "--json"))
    return sorted((one["id"], one["content"]) for one in found if one["role"] == "user")


def transcript(world, messages, delay=timedelta(), session="s-1"):
    line, at = Lines(), datetime.now(UTC) + delay
    lines = [
        part
        | {
            "timestamp": (at + timedelta(seconds=number)).isoformat(),
            "sessionId": session,
        }
        for number, text in enumerate(messages)
        for part in (line.user(text), line.says("Done."))
    ]
    world.write("session.jsonl", jsonl(*lines))
    return str(world.root / "session.jsonl")


def archived(world, short, session):
    run(world, "rule", "archive", short, "--reason", "no more")


def deleted(world, short, session):
    run(world, "rule", "delete", short)


def narrowed(world, short, session):
    run(world, "rule", "edit", short, "--text", "Never use sudo on the build server")


def moved(world, short, session):
    run(world, "rule", "move", short, "--scope", "project:web")


def revoked(world, short, session):
    session.prompt("You can use sudo again.")


def lowered(world, short, session):
    run(world, "rule", "edit", short, "-p", "normal")


AFTER = [archived, deleted, narrowed, moved, revoked, lowered]


@pytest.mark.one_of(4)
@pytest.mark.parametrize("name", ["s-1", "forked"])
@pytest.mark.parametrize("missed", [[], ["Fix the login."]], ids=["all", "not all"])
@pytest.mark.parametrize("change", AFTER)
def test_what_a_person_changed_is_not_written_again(world, change, missed, name):
    session = Claude(world.root)
    typed = [DECREE, "Thanks, go on."]
    for text in typed:
        session.prompt(text)
    [made] = world.root.glob("system/rules/*/never-use-sudo*.toml")
    change(world, made.stem[-8:], session)
    left = rules(world)
    if change is revoked:
        typed.append("You can use sudo again.")
    path = transcript(world, [*missed, *typed], DELAYS[bool(missed)], name)
    for options in ([], ["--since-last"], ["--project", "other"]):
        run(world, "capture", path, *options)
        assert rules(world) == left
    assert json.loads(run(world, "review", "--json")) == []


@pytest.mark.parametrize("change", [deleted, lowered])
def test_line_ends_of_a_transcript_make_no_other_message(world, change):
    session = Claude(world.root)
    typed = f"{DECREE}\nAlways run the linter before each commit."
    session.prompt(typed)
    [made] = world.root.glob("system/rules/*/never-use-sudo*.toml")
    change(world, made.stem[-8:], session)
    left = rules(world)
    run(world, "capture", transcript(world, [typed.replace("\n", "\r\n")]))
    assert rules(world) == left
    assert json.loads(run(world, "review", "--json")) == []


def test_a_decree_that_is_typed_again_is_a_new_one(world):
    session = Claude(world.root)
    session.prompt(DECREE)
    [made] = world.root.glob("system/rules/*/never-use-sudo*.toml")
    deleted(world, made.stem[-8:], session)
    session.prompt(DECREE)
    assert rules(world) == [("Never use sudo", "system")]
    run(world, "capture", transcript(world, [DECREE, DECREE]))
    assert rules(world) == [("Never use sudo", "system")]


@pytest.mark.parametrize("delay", DELAYS, ids=str)
@pytest.mark.parametrize("name", ["s-1", "forked"])
def test_its_turns_and_calls_are_counted_once(world, delay, name):
    session = Claude(world.root)
    typed = [DECREE, "Thanks.", "Go on.", "Thanks."]
    for text in typed:
        session.prompt(text)
        session.end()
    before = user_messages(world)
    said = json.loads(run(world, "rule", "list", "--json"))
    path = transcript(world, typed, delay, name)
    for _ in range(2):
        run(world, "capture", path)
        assert json.loads(run(world, "rule", "list", "--json")) == said
        assert user_messages(world) == before


def test_the_calls_of_a_forked_session_are_counted_once(world):
    for name in ("first", "forked"):
        line, more = Lines(), {"sessionId": name}
        turn = (
            line.user("Build it.", **more),
            line.call("Bash", "t1", command="make"),
            line.result("t1", "no rule", True, **more),
            *([line.user("Thanks.", **more)] if name == "forked" else ()),
        )
        world.write(f"{name}.jsonl", jsonl(*(part | more for part in turn)))
        run(world, "capture", str(world.root / f"{name}.jsonl"))
    [tool] = json.loads(run(world, "stats", "--json"))
    assert (tool["tool"], tool["calls"], tool["failures"]) == ("Bash", 1, 1)
