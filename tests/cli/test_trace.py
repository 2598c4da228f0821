"""``toolmem trace``: what it shows, to whom, and how it goes on."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.program import ROOT
from tests.store.state.pages import opened
from tests.world import START
from toolmem.ops.access.trace import TraceFilter, follow_trace
from toolmem.ops.capture.process_journal import process_journal
from toolmem.store.journal import journal
from toolmem.store.state import trace
from toolmem.store.state.trace import TraceLine

LINES = (
    TraceLine(
        START + timedelta(milliseconds=7),
        "req-1",
        "ep_1",
        "wine_recommender",
        "helper-1",
        "query",
        "episodic",
        "ok",
        "",
        2,
        5,
        117,
        12,
    ),
    TraceLine(
        START + timedelta(minutes=5),
        "req-1",
        "sem_1",
        "wine_recommender",
        "helper-1",
        "denied",
        "semantic",
        "denied",
        "the manifest does not declare it",
    ),
    TraceLine(START + timedelta(hours=1), "req-2", "", "planner", "b", "error"),
)


@pytest.fixture
def vault(world):
    world.vault("empty")
    trace.add(opened(world.root), *LINES)
    world.clock(days=1)
    return world


def test_a_line_says_what_was_asked_and_how_much_came_of_it(vault):
    vault.run("trace").stdout(
        "2026-04-20T12:00:00.007Z  query   ok      episodic  wine_recommender  "
        "req-1/ep_1   2 of 5, 117 tokens, 12 ms\n"
        "2026-04-20T12:05:00.000Z  denied  denied  semantic  wine_recommender  "
        "req-1/sem_1  the manifest does not declare it\n"
        "2026-04-20T13:00:00.000Z  error   -       -         planner           req-2\n"
    )


def test_as_json_a_line_is_a_table_with_milliseconds(vault):
    [document] = json.loads(vault.call("trace", "--json", "--tool", "planner").stdout)
    assert document == {
        "at": "2026-04-20T13:00:00.000Z",
        "request_id": "req-2",
        "query_id": "",
        "tool": "planner",
        "agent": "b",
        "event": "error",
        "memory_type": "",
        "status": "",
        "reason": "",
        "returned": 0,
        "total": 0,
        "tokens": 0,
        "took_ms": 0,
        "project": "",
        "rule": "",
    }


@pytest.mark.parametrize(
    ("args", "found"),
    [
        ((), (0, 1, 2)),
        (("--request", "req-1"), (0, 1)),
        (("--tool", "planner"), (2,)),
        (("--request", "req-1", "--tool", "planner"), ()),
        (("--since", "2026-04-20T12:05:00Z"), (1, 2)),
        (("--since", "23h"), (2,)),
        (("--since", "22h"), ()),
        (("--agent", "helper-1"), (0, 1)),
    ],
)
def test_it_shows_what_is_asked_for(vault, args, found):
    lines = json.loads(vault.call("trace", "--json", *args).stdout)
    wanted = [LINES[number] for number in found]
    assert [(line["request_id"], line["event"]) for line in lines] == [
        (line.request_id, line.event) for line in wanted
    ]


def test_whoever_runs_as_an_agent_sees_its_own_lines(vault, monkeypatch):
    monkeypatch.setenv("TOOLMEM_AGENT", "b")
    [line] = json.loads(vault.call("trace", "--json").stdout)
    assert line["agent"] == "b"


def test_a_time_that_is_none_is_told(vault):
    vault.run("trace", "--since", "soon").exits(2)
    vault.stderr(
        "toolmem: 'soon' is not a date: write 2026-05-07, 10m, 12h or yesterday\n"
    )


def test_without_any_state_there_is_nothing_to_show(world):
    world.vault("empty").run("trace").run("trace", "--json").stdout("[]\n")
    assert not world.root.joinpath(".toolmem").exists()


@pytest.mark.skipif(os.name == "nt", reason="no such signals")
@pytest.mark.parametrize("as_json", [True, False])
def test_following_goes_on_with_each_new_line_until_it_is_interrupted(vault, as_json):
    words = ["--vault", str(vault.root), "trace", "--follow", "--request", "req-9"]
    trace.add(opened(vault.root), LINES[0]._replace(request_id="req-9", tool="first"))
    child = subprocess.Popen(
        [sys.executable, "-m", "toolmem", *words, *(["--json"] if as_json else [])],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A job in the background ignores interrupts, and so do its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert child.stdout is not None
    said = [child.stdout.readline()]
    for tool in ("other", "second"):
        request = "req-8" if tool == "other" else "req-9"
        line = LINES[0]._replace(request_id=request, tool=tool)
        trace.add(opened(vault.root), line)
    said.append(child.stdout.readline())
    child.send_signal(signal.SIGINT)
    rest, errors = child.communicate(timeout=30)
    if as_json:
        assert [json.loads(line)["tool"] for line in said] == ["first", "second"]
    assert [
        tool in line for tool, line in zip(("first", "second"), said, strict=True)
    ] == [True] * 2
    assert (rest, errors, child.returncode) == ("", "", 130)


def test_following_begins_anew_when_the_state_was_deleted(vault):
    held = opened(vault.root)

    def wait():
        for path in vault.root.joinpath(".toolmem").glob("state.db*"):
            path.unlink()
        trace.add(held, LINES[2])

    lines = follow_trace(held, TraceFilter(), wait)
    assert [next(lines) for _ in range(4)] == [*LINES, LINES[2]]


def test_a_line_of_the_guard_names_its_rule(vault):
    line = TraceLine(
        START + timedelta(hours=2),
        tool="Bash",
        event="guard",
        status="deny",
        reason="never push with --force",
        rule="7b1e0c52-6c0e",
    )
    trace.add(opened(vault.root), line)
    vault.run("trace", "--tool", "bash").stdout(
        "2026-04-20T14:00:00.000Z  guard  deny  -  Bash  7b1e0c52"
        "  never push with --force\n"
    )


def test_following_shows_a_verdict_once_before_and_after_its_turn_ends(vault):
    held = opened(vault.root)
    line = TraceLine(START, tool="Bash", event="guard", status="deny", rule="r")
    verdict = {"tool": "Bash", "status": "deny", "rule": "r"}
    steps: list[Callable[[], object]] = [
        lambda: journal.append(
            vault.root, "s-1", {"at": "2026-04-20T12:00:00Z", "verdict": verdict}
        ),
        lambda: process_journal(held, "s-1"),
        lambda: trace.add(held, LINES[2]),
    ]
    lines = follow_trace(held, TraceFilter(), lambda: (steps.pop(0)(), None)[1])
    assert [next(lines) for _ in range(5)] == [*LINES, line, LINES[2]]
