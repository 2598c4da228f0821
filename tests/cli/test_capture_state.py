"""Capture and local state: missing, damaged, locked, newer; nothing is lost unsaid."""

import json
import sqlite3
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.cli.hearing import outcome, rules, spoken, tell
from tests.client import toolmem
from tests.core.transcript.lines import Claude, jsonl
from toolmem.store.files import lock
from toolmem.store.files.timeouts import Timeouts

IMPATIENT = [Timeouts(0.05, 0.05)]
"""A person waits for some seconds, a test does not."""
KEPT = "turns, counts and the transcript's place could not be kept in the local state"


@pytest.fixture
def vault(world):
    return world.vault("empty")


def state(vault):
    return sqlite3.connect(vault.root / ".toolmem/state.db")


def test_state_that_is_deleted_costs_no_rule(vault):
    first = tell(vault, "Never use sudo.", session="s-1")
    vault.call("turn", "list")
    for path in vault.root.joinpath(".toolmem").iterdir():
        path.unlink()
    again = tell(vault, "Never use sudo.", session="s-1")
    assert outcome(again, "action", "id") == [("seen", first["decrees"][0]["id"])]
    assert len(rules(vault)) == 1


def test_damaged_state_is_moved_aside_and_that_is_said(vault):
    tell(vault, "Never use sudo.", session="s-1")
    vault.write(".toolmem/state.db", b"this is no database, is it? " * 10)
    done = vault.call("capture", "-", "--json", stdin=spoken("Never use curl."))
    assert done.stderr == (
        "toolmem: the local state was damaged and was created again (moved to "
        "state.db.corrupt-1): turns, counts, scratch pages, conversations "
        "and the trace were lost, rules and memories were not\n"
    )
    assert outcome(json.loads(done.stdout), "action") == [("created",)]
    assert (vault.root / ".toolmem/state.db.corrupt-1").is_file()


def test_state_of_a_newer_toolmem_is_left_alone_and_that_is_said(vault):
    tell(vault, "Never use sudo.", session="s-1")
    with state(vault) as held:
        held.execute("PRAGMA user_version = 99")
    held.close()
    done = vault.call("capture", "-", stdin=spoken("Never use curl."))
    newer = (
        "/world/.toolmem/state.db: written by a newer toolmem; upgrade, or delete it"
    )
    newer = f"{newer} (it contains no "
    assert done.stderr.splitlines() == [
        f"toolmem: the local state cannot be read: {newer}rules and no memories)",
        f"toolmem: {KEPT}: {newer}rules and no memories)",
        "toolmem: undo with `toolmem rule archive ID --reason …`",
    ]
    assert len(rules(vault)) == 2


def test_state_that_somebody_holds_stops_no_rule_and_that_is_said(vault, monkeypatch):
    monkeypatch.setattr("toolmem.store.files.timeouts._now", IMPATIENT)
    tell(vault, "Never use sudo.", session="s-1")
    held = state(vault)
    held.execute("BEGIN EXCLUSIVE")
    done = vault.call("capture", "-", "--json", stdin=spoken("Never use curl."))
    held.rollback()
    held.close()
    assert done.code == 0
    assert f"toolmem: {KEPT}: " in done.stderr
    assert done.stderr.endswith("database is locked\n")
    assert len(rules(vault)) == 2


def test_a_file_in_the_place_of_the_state_is_told(vault):
    vault.write(".toolmem", "x")
    done = vault.call("capture", "-", stdin=spoken("Never use sudo."))
    assert (done.code, done.stdout) == (15, "")
    assert done.stderr == (
        "toolmem: .toolmem/lock: cannot be locked: is a file, not a folder; 1 message "
        "could be neither captured nor kept\n"
    )


def test_what_a_locked_vault_could_not_take_is_captured_the_next_time(
    vault, monkeypatch
):
    monkeypatch.setattr("toolmem.store.files.timeouts._now", IMPATIENT)
    said = spoken(
        "Never use sudo.", "How are you?", "Never use curl.", session_id="s-1"
    )
    with lock.hold(vault.root):
        done = vault.call("capture", "-", stdin=said)
    assert (done.code, done.stdout) == (14, "")
    assert done.stderr.endswith(": try again; 3 messages will be captured next time\n")
    later = tell(vault, "Go on.", session="s-2")
    assert outcome(later, "action", "evidence") == [
        ("created", "“Never use sudo.” (session s-1, turn 0)"),
        ("created", "“Never use curl.” (session s-1, turn 2)"),
    ]
    assert tell(vault, "Go on.", session="s-2")["decrees"] == []


def test_a_file_that_grows_is_read_from_where_it_was_left(vault):
    session = Claude()
    lines = [session.user("Never use sudo.")]
    vault.write("log", jsonl(*lines))
    assert len(since(vault)["decrees"]) == 1
    lines += [session.call("Bash", "t", command="make")]
    lines += [session.result("t", "Exit code 2\nno", True)]
    vault.write("log", jsonl(*lines))
    grown = since(vault)
    assert grown["decrees"] == []
    assert [(turn["turn"], len(turn["failed"])) for turn in grown["turns"]] == [(0, 1)]
    lines += [session.user("Never use curl.")]
    vault.write("log", jsonl(*lines))
    more = since(vault)
    assert outcome(more, "turn", "text") == [(1, "Never use curl")]
    assert more["turns"] == []


def since(vault, *args):
    done = vault.call("capture", "log", "--since-last", "--json", *args)
    assert (done.code, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_a_file_that_was_rewritten_is_read_whole(vault):
    session = Claude()
    first, second = session.user("Never use sudo."), session.user("Never use curl.")
    vault.write("log", jsonl(first, session.user("Go on.")))
    since(vault)
    vault.write("log", jsonl({"type": "summary", "summary": "shorter"}, first, second))
    assert outcome(since(vault), "text") == [("Never use curl",)]


def test_a_short_file_that_was_rewritten_is_another_session(vault):
    vault.write("log", jsonl(*_chat("Never use sudo.", "please build it")))
    assert outcome(since(vault), "turn") == [(0,)]
    vault.write("log", jsonl(*_chat("Never use curl.", "please test it")))
    assert outcome(since(vault), "turn", "text") == [(2, "Never use curl")]


def _chat(*messages):
    """Lines of a chat that begin with the same line in every session."""
    yield {"role": "system", "content": "You are a helpful assistant."}
    for text in messages:
        yield {"role": "user", "content": text}
        yield {"role": "assistant", "content": "Done."}


@pytest.mark.parametrize("read", ["file", "standard input"])
def test_a_transcript_of_a_subagent_that_is_read_again_counts_once(vault, read):
    main = Claude()
    vault.write("main", jsonl(main.user("please build it")))
    assert vault.call("capture", "main", "--since-last").code == 0
    worker = Claude()
    side = {"isSidechain": True, "agentId": "a1"}
    lines = [worker.user("build it", **side)]
    for number in range(2):
        lines += [worker.call("Write", f"w{number}", file_path=f"/x/{number}.py")]
        lines += [worker.result(f"w{number}", "written")]
    given = jsonl(*({**line, **side} for line in lines))
    vault.write("side", given)
    for _ in range(3):
        if read == "file":
            done = vault.call("capture", "side", "--since-last")
        else:
            done = vault.call("capture", "-", stdin=given)
        assert done.code == 0
    assert _calls(vault) == {"Write": 2}
    lines = [main.call("Write", "m0", file_path="/x/m.py"), main.result("m0", "ok")]
    with vault.root.joinpath("main").open("a") as file:
        file.write(jsonl(*lines).decode())
    assert vault.call("capture", "main", "--since-last").code == 0
    assert _calls(vault) == {"Write": 3}


def test_a_file_of_calls_alone_that_is_read_again_counts_once(vault):
    main = Claude()
    vault.write("main", jsonl(main.user("please build it")))
    assert vault.call("capture", "main", "--since-last").code == 0
    lines = [main.call("Write", "m0", file_path="/x/m.py"), main.result("m0", "ok")]
    vault.write("more", jsonl(*lines))
    for _ in range(3):
        assert vault.call("capture", "more", "--since-last").code == 0
    assert _calls(vault) == {"Write": 1}


def _calls(vault):
    tools = json.loads(vault.call("stats", "--json").stdout)
    return {tool["tool"]: tool["calls"] for tool in tools}


def test_one_document_that_grows_is_read_again_and_heard_but_once(vault):
    vault.write("log", spoken("Never use sudo."))
    assert len(since(vault)["decrees"]) == 1
    vault.write("log", spoken("Never use sudo.", "Never use curl."))
    assert outcome(since(vault), "turn", "text") == [(1, "Never use curl")]


def test_a_session_handed_over_turn_by_turn_is_one_session(vault):
    for text in ("Go on.", "Never use sudo.", "Go on.", "Never use curl."):
        found = tell(vault, text, session="s-1", args=("--since-last",))
    assert outcome(found, "turn", "text") == [(3, "Never use curl")]
    assert vault.call("turn", "list").stdout == "s-1  4 turns  2026-04-20T12:00:00Z\n"


def test_a_forked_session_repeats_no_message(vault):
    session = Claude()
    key = "4f9c2c6e-7a53-4d3e-9d3f-0a1b2c3d4e5f"
    decree = session.user("Never use sudo.", uuid=key)
    vault.write("one", jsonl(decree))
    vault.write("two", jsonl({**decree, "sessionId": "s-2"}))
    [made] = json.loads(vault.call("capture", "one", "--json").stdout)["decrees"]
    [again] = json.loads(vault.call("capture", "two", "--json").stdout)["decrees"]
    assert (again["action"], again["count"]) == ("seen", 1)
    vault.call("rule", "archive", made["id"], "--reason", "no")
    [later] = json.loads(vault.call("capture", "two", "--json").stdout)["decrees"]
    assert later["action"] == "skipped"


def test_captures_at_once_make_one_rule_and_lose_no_count(vault):
    def one(number):
        command = [*toolmem(), "capture", "--session"]
        return subprocess.run(
            [*command, f"s-{number}"],
            cwd=vault.root,
            input=spoken("Never use sudo."),
            capture_output=True,
            text=True,
            check=False,
        )

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(one, range(4)))
    assert [one.returncode for one in done] == [0] * 4
    assert sum("captured: new" in one.stdout for one in done) == 1
    assert len(rules(vault)) == 1
    found = tell(vault, "Never use sudo.", session="s-9")
    assert outcome(found, "action", "count") == [("seen", 5)]
