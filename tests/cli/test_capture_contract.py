"""The keys of capture's documents, one by one, and that nothing detected is missing."""

import json
from pathlib import Path

import pytest

from tests.cli.hearing import spoken
from tests.hooks.players import OpenCode
from tests.world import World
from toolmem.core.capture.find import find_decrees

DATA = Path(__file__).parents[2] / "bench" / "capture_sentences"
TYPED = "Fix the login. We should never run npm install here, use pnpm. Thanks!"
DECREE = ("turn", "sentence", "text", "kind", "tier", "tools", "action", "id")
KEPT = ("id", "tool", "rule", "priority", "scope", "path", "guards", "action")
KINDS = {"ban", "demand", "preference", "back", "remember"}


@pytest.fixture
def vault(world: World) -> World:
    return world.vault("template")


def test_a_dry_run_has_everything_that_the_detector_yields_and_nothing_else(vault):
    lines = (DATA / "en.txt").read_text("utf-8").splitlines()
    messages = [line[2:] for line in lines[:120]]
    done = vault.call(
        "capture", "--dry-run", "--json", stdin=spoken(*messages, session_id="s-1")
    )
    found = json.loads(done.stdout)["decrees"]
    # A permission without a rule that it could concern is no decree.
    detected = [
        (turn, one.sentence)
        for turn, text in enumerate(messages)
        for one in find_decrees(text)
    ]
    listed = [(one["turn"], one["sentence"]) for one in found]
    assert [one for one in detected if one not in listed] == []
    extra = [one for one in found if (one["turn"], one["sentence"]) not in detected]
    assert {one["kind"] for one in extra} <= {"back"}
    for one in found:
        assert set(DECREE) <= set(one)
        assert (one["kind"] in KINDS, one["tier"] in ("sure", "candidate")) == (
            True,
            True,
        )
        assert isinstance(one["turn"], int)
        assert all(isinstance(tool, str) for tool in one["tools"])


def test_rule_keep_answers_with_what_was_kept_proposed_and_refused(vault):
    OpenCode(vault.root).prompt(TYPED)
    [past] = json.loads(vault.call("review", "--past", "--json").stdout)["candidates"]
    words = ("rule", "keep", past["id"], "kffff0000", "--tool", "Bash", "--json")
    answer = json.loads(vault.call(*words).stdout)
    assert set(answer) == {"kept", "proposed", "refused"}
    [kept] = answer["kept"]
    assert set(kept) == {*KEPT, "candidate", "checks", "place"}
    assert (kept["tool"], kept["rule"], kept["priority"], kept["action"]) == (
        "shell",
        "We should never run npm install here, use pnpm",
        "critical",
        "created",
    )
    assert (kept["scope"], kept["guards"][0]["command"]) == (
        "system",
        ["npm", "install"],
    )
    assert (vault.root / kept["path"]).is_file()
    assert answer["refused"] == [
        {"id": "kffff0000", "reason": "is not a candidate of the last 14 days"}
    ]
    assert answer["proposed"] == []


def test_several_tools_make_a_rule_each(vault):
    OpenCode(vault.root).prompt(TYPED)
    quote = ("--quote", "We should never run npm install here, use pnpm")
    tools = ("--tool", "Bash", "--tool", "Edit")
    answer = json.loads(vault.call("rule", "keep", *quote, *tools, "--json").stdout)
    assert [one["tool"] for one in answer["kept"]] == ["shell", "Edit"]


def test_a_priority_or_scope_that_does_not_exist_is_reported_first(vault):
    vault.run("rule", "keep", "k0", "-p", "nope").exits(2)
    vault.stderr("toolmem: no priority 'nope': critical, high or normal\n")
    done = vault.call("rule", "keep", "k0", "--scope", "nowhere")
    assert (done.code, "nowhere" in done.stderr) == (2, True)
