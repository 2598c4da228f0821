"""Capture stores the conversation of a transcript, and its subject."""

import json

import pytest

from tests.cli.hearing import tell
from tests.cli.sessions import SESSIONS
from tests.core.transcript.lines import Claude, jsonl

SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"


@pytest.fixture
def vault(world):
    return world.vault("empty")


def shown(vault, *words):
    done = vault.call(*words, "--json")
    assert (done.code, done.stderr) == (0, "")
    return json.loads(done.stdout)


def said(vault, *args):
    found = shown(vault, "conversation", "list", *args)
    return [(one["role"], one["content"]) for one in found]


def in_mind(vault):
    return {one["name"]: one["content"] for one in shown(vault, "working", "show")}


def capture(vault, data, *args):
    done = vault.call("capture", *args, "-", "--json", stdin=data)
    assert (done.code, done.stderr) == (0, "")


def chat(*messages, **header):
    listed = [{"role": role, "content": content} for role, content in messages]
    return json.dumps({"session_id": "s-1", "messages": listed, **header})


TALK = chat(
    ("user", "Which wine fits?"),
    ("assistant", "Let me look."),
    ("assistant", "A Burgundy."),
    ("user", f"Order it, the token is {SECRET}"),
    ("assistant", "Ordered."),
)


def test_both_sides_of_each_turn_are_kept_and_the_last_request_is_in_mind(vault):
    capture(vault, TALK)
    assert said(vault) == [
        ("user", "Which wine fits?"),
        ("assistant", "Let me look.\n\nA Burgundy."),
        ("user", "Order it, the token is [redacted]"),
        ("assistant", "Ordered."),
    ]
    assert in_mind(vault) == {"task": "Order it, the token is [redacted]"}
    for path in vault.root.joinpath(".toolmem").iterdir():
        assert path.is_dir() or SECRET.encode() not in path.read_bytes()


def test_a_transcript_that_is_read_again_and_has_grown_is_kept_once(vault):
    capture(vault, TALK)
    before = said(vault)
    capture(vault, TALK)
    assert said(vault) == before
    grown = json.loads(TALK)
    grown["messages"].append({"role": "user", "content": "Thanks, and two glasses."})
    capture(vault, json.dumps(grown), "--since-last")
    assert said(vault) == [*before, ("user", "Thanks, and two glasses.")]


@pytest.mark.parametrize("name", sorted(SESSIONS))
def test_of_every_agent_what_a_person_typed_is_kept_and_nothing_else(vault, name):
    vault.clock(at="2026-02-02T00:00:00+00:00")  # a day after these were typed
    capture(vault, SESSIONS[name](), "--session", "s-1")
    users = [text for role, text in said(vault) if role == "user"]
    assert users == [
        "Never email Sarah at sarah@example.com.",
        "You can email Sarah again.",
    ]


def test_the_conversation_of_a_sub_agent_is_not_kept(vault):
    session = Claude()
    lines = [session.user("look at this", isSidechain=True, agentId="x")]
    capture(vault, jsonl(*lines), "--session", "s-1")
    assert said(vault) == []


def test_what_was_said_long_ago_is_not_kept(vault):
    transcript = jsonl(Claude().user("long ago"))
    found = []
    for moment in ("2026-02-01T12:00:00+00:00", "2026-02-20T12:00:00+00:00"):
        vault.clock(at=moment)
        capture(vault, transcript)
        found.append((len(said(vault)), len(in_mind(vault))))
        vault.call("conversation", "clear")
        vault.call("working", "clear")
    vault.clock(at="2026-04-20T12:00:00+00:00")
    capture(vault, transcript)
    found.append((len(said(vault)), len(in_mind(vault))))
    assert found == [(1, 1), (1, 0), (0, 0)]


def test_a_dry_run_keeps_nothing_and_so_does_the_setting(vault):
    vault.call("capture", "--dry-run", "-", stdin=TALK)
    vault.write("toolmem.toml", "schema = 1\n[conversation]\nkeep = false\n")
    capture(vault, TALK)
    assert (said(vault), in_mind(vault)) == ([], {})


def test_it_belongs_to_the_agent_that_is_configured_or_that_wrote_it(
    vault, monkeypatch
):
    capture(vault, TALK)
    assert len(said(vault, "--agent", "openai-chat")) == 4
    monkeypatch.setenv("TOOLMEM_AGENT", "helper-1")
    assert said(vault) == []
    capture(vault, chat(("user", "hello"), session_id="s-3"))
    assert said(vault) == [("user", "hello")]


def test_capture_with_a_decree_goes_on_as_before(vault):
    found = tell(vault, "Never use sudo.", session="s-1")
    assert [one["action"] for one in found["decrees"]] == ["created"]
    assert said(vault) == [("user", "Never use sudo.")]
