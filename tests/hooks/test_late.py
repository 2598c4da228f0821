"""A call that is not checked in time is asked about, if it names anything guarded."""

import json
import os
import subprocess
import sys
import time
from typing import Any, NamedTuple

import pytest

from tests.hooks.helpers import are_known, settle_guards, until
from tests.hooks.players import Claude
from tests.program import ROOT
from tests.world import World
from toolmem.core import hook_limits
from toolmem.ops.capture.session_bans import BANS
from toolmem.store.files.settings import state_folder
from toolmem.store.guards.guard_file import FOLDER
from toolmem.store.journal import journal
from toolmem.store.journal.verdict_log import LARGE, LATE, SLOW, counted, log_path
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault, utc_now

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork")

STALLS = {
    "a regular expression": "re.fullmatch('(a+)+b', 'a' * 60)",
    "a read": "os.read(os.pipe()[0], 1)",
    "a pipe that is opened": "os.mkfifo(f'{os.getcwd()}/{os.getpid()}') or "
    "open(f'{os.getcwd()}/{os.getpid()}')",
    "a loop": "any(iter(int, 1))",
    "a crash": "os.kill(os.getpid(), 11)",
}
STAGES = {
    "parsing the payload": "toolmem.hooks.work:payload_of",
    "finding the vault": "toolmem.hooks.calls:find_in_force",
    "listing the rules": "toolmem.store.guards.access:is_unchanged",
    "selecting the rules": "toolmem.ops.rules.guard:rules_for",
    "reading the shell": "toolmem.ops.rules.guard:_read_shell",
    "judging": "toolmem.ops.rules.guard:judge",
    "answering": "toolmem.ops.hooks.before_tool:_reason",
}
STALL = """
import importlib, os, re
module, _, name = {place!r}.partition(":")
def stall(*given, **named):
    {stall}
loaded = importlib.import_module(module)
getattr(loaded, name)  # a module is loaded when it is first used
setattr(loaded, name, stall)
"""
HOOK = """
from toolmem.core import hook_limits
hook_limits.SECONDS = hook_limits.CALL_SECONDS = {seconds}
hook_limits.LATE_SECONDS = {late_seconds}
hook_limits.SLOW_SECONDS = 60
hook_limits.AFTER_SECONDS = {after_seconds}  # a late answer that stalls burns a core
from toolmem.__main__ import main
main()
"""
HOOK_CLAUDE = ("hook", "claude")
UNHURRIED = 25.0
"""Seconds for what is to end by itself, however busy the machine is."""
SHORT = 0.5
"""Seconds for what never ends."""
PUSH = {"command": "cd x && git push --force"}
LIST = {"command": "ls -la"}
DENIED = "never force-push"


def each(cases: dict[str, str], fast: int) -> list[Any]:
    """The cases as parameters, those after the first ones for ``make soak`` alone."""
    return [
        pytest.param(case, id=name, marks=[pytest.mark.soak] if at >= fast else [])
        for at, (name, case) in enumerate(cases.items())
    ]


class Answer(NamedTuple):
    verdict: str
    reason: str


@pytest.fixture
def vault(tmp_path) -> World:
    world = World(tmp_path / "vault").vault("empty")
    rule = ("rule", "add", "shell", DENIED, "-p", "critical")
    world.call(*rule, "--guard", 'command = ["git", "push", "--force"]')
    (tmp_path / "site").mkdir()
    settle_guards(world)
    log_path().unlink(missing_ok=True)
    return world


def hook(
    world: World,
    text: bytes,
    *,
    open_input: bool = False,
    late_seconds: float = UNHURRIED,
    after_seconds: int = 2,
) -> Answer:
    """Return the answer of Claude Code's hook to a payload."""
    stalls = open_input or (world.root.parent / "site/sitecustomize.py").exists()
    seconds = SHORT if stalls else UNHURRIED
    program = HOOK.format(
        seconds=seconds, late_seconds=late_seconds, after_seconds=after_seconds
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, *HOOK_CLAUDE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=world.root,
        env={**os.environ, "PYTHONPATH": f"{world.root.parent / 'site'}:{ROOT}"},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(text)
    process.stdin.flush()
    if not open_input:
        process.stdin.close()
    out = process.stdout.read()
    assert process.wait() == 0
    process.communicate() if open_input else process.stdout.close()
    inner = json.loads(out)["hookSpecificOutput"] if out else {}
    found = (
        inner.get("permissionDecision", ""),
        inner.get("permissionDecisionReason", ""),
    )
    return Answer(*found)


def payload(world: World, arguments: dict[str, Any]) -> bytes:
    base = Claude(world.root).base("PreToolUse")
    return json.dumps({**base, "tool_name": "Bash", "tool_input": arguments}).encode()


def call(world: World, arguments: dict[str, Any]) -> Answer:
    return hook(world, payload(world, arguments))


def stall(world: World, place: str, how: str) -> None:
    """From now on every hook stalls in a function of toolmem."""
    text = STALL.format(place=place, stall=how)
    (world.root.parent / "site/sitecustomize.py").write_text(text)


def events() -> list[str]:
    from datetime import UTC, datetime

    found = counted(datetime(2000, 1, 1, tzinfo=UTC))
    return [one.kind for one in found if one.kind != SLOW]


def test_a_call_that_is_judged_is_not_counted(vault):
    assert call(vault, PUSH).verdict == "deny"
    assert events() == []


@pytest.mark.parametrize("how", each(STALLS, 2))
def test_what_stalls_a_verdict_asks_and_is_counted_each_time(vault, how):
    stall(vault, STAGES["judging"], how)
    for _ in range(2):
        found = call(vault, PUSH)
        assert found.verdict == "ask"
        assert found.reason.startswith("not checked in time (")
        assert found.reason.endswith("the call names git")
    assert events() == [LATE, LATE]


@pytest.mark.parametrize("place", each(STAGES, 2))
def test_no_stage_can_stall_a_hook_or_open_the_guard(vault, place):
    stall(vault, place, STALLS["a regular expression"])
    assert call(vault, PUSH).verdict == "ask"


@pytest.mark.parametrize(("command", "verdict"), [(PUSH, "ask"), (LIST, "")])
def test_a_call_that_breaks_the_work_is_scanned(vault, command, verdict):
    stall(vault, STAGES["judging"], "raise TypeError('broken')")
    assert call(vault, command).verdict == verdict
    assert events() == [LATE]


def test_a_call_that_names_nothing_guarded_passes(vault):
    stall(vault, STAGES["judging"], STALLS["a loop"])
    stall_free = {"file_path": "/srv/readme"}
    assert call(vault, stall_free) == ("", "")
    assert events() == [LATE]


@pytest.mark.parametrize(
    ("command", "verdict"),
    [
        ("toolmem rule keep --quote 'never run git push'", ""),
        ("toolmem rule keep k1a2 --tool git; git push --force", "ask"),
        ("toolmem rule delete 1a2b3c4d", "ask"),
    ],
)
def test_a_rule_keep_alone_is_not_held_up_by_the_clock(vault, command, verdict):
    stall(vault, STAGES["finding the vault"], STALLS["a loop"])
    assert call(vault, {"command": command}).verdict == verdict


def test_without_compiled_guards_every_such_call_is_asked_about(vault):
    stall(vault, STAGES["selecting the rules"], STALLS["a loop"])
    for file in (state_folder() / FOLDER).iterdir():
        file.unlink()
    assert call(vault, LIST).reason.endswith("something that may have a guard")


def test_guards_that_a_late_call_compiles_are_there_for_the_next_one(vault):
    stall(vault, STAGES["selecting the rules"], STALLS["a loop"])
    for file in (state_folder() / FOLDER).iterdir():
        file.unlink()
    hook(vault, payload(vault, LIST), after_seconds=60)
    until(lambda: are_known(vault))


@pytest.mark.parametrize("how", each(STALLS, 1))
def test_a_call_is_asked_about_even_when_the_late_answer_stalls(vault, how):
    stall(vault, "toolmem.hooks.late:answer", how)
    oversize = {"padding": "x" * (hook_limits.READ_BYTES + 1), **PUSH}
    found = hook(vault, payload(vault, oversize), late_seconds=SHORT)
    assert found.verdict == "ask"
    assert found.reason.startswith("not checked in time (")
    assert found.reason.endswith("the call names something that may have a guard")


def test_another_event_passes_when_its_late_answer_stalls(vault):
    stall(vault, "toolmem.hooks.late:answer", STALLS["a loop"])
    event = {**Claude(vault.root).base("Stop"), "x": "x" * (hook_limits.READ_BYTES + 1)}
    assert hook(vault, json.dumps(event).encode(), late_seconds=SHORT) == ("", "")


def test_a_guard_that_follows_from_words_is_asked_about(vault):
    vault.write(
        "system/rules/npm/a.toml", 'id = "a1"\ntool = "npm"\nrule = "never use rsync"\n'
    )
    settle_guards(vault)
    stall(vault, STAGES["judging"], STALLS["a loop"])
    assert call(vault, {"command": "rsync -a x y"}).reason.endswith("names rsync")


def test_a_ban_of_the_session_is_asked_about(vault):
    opened = Vault.open(find_vault({"vault": str(vault.root)}, vault.root), utc_now())
    ban = [{"tool": "_any", "guards": [{"action": "ask", "command": ["rsync"]}]}]
    line = {"ban": "c1", "text": "no rsync", "bans": ban}
    journal.append(opened.root, journal.name_of("s-1") + BANS, line)
    stall(vault, STAGES["judging"], STALLS["a loop"])
    assert call(vault, {"command": "rsync -a x y"}).reason.endswith("names rsync")


def test_a_call_whose_input_never_ends_is_asked_about(vault):
    text = payload(vault, LIST)[:-2]
    assert hook(vault, text, open_input=True).verdict == "ask"


@pytest.mark.parametrize(("command", "verdict"), [(PUSH, "ask"), (LIST, "")])
def test_a_call_over_the_size_limit_is_scanned(vault, command, verdict):
    filler = "x" * (hook_limits.READ_BYTES + 1)
    found = call(vault, {"padding": filler, **command})
    assert found.verdict == verdict
    assert events() == [LARGE]


@pytest.mark.parametrize(("command", "verdict"), [(PUSH, "ask"), (LIST, "")])
def test_a_call_that_cannot_be_parsed_is_scanned(vault, command, verdict):
    depth = 200_000
    text = payload(vault, {**command, "x": "HERE"})
    text = text.replace(b'"HERE"', b"[" * depth + b"]" * depth)
    found = hook(vault, text)
    assert found.verdict == verdict
    assert "could not be read" in found.reason or not verdict


def test_a_call_that_is_too_long_to_be_scanned_is_asked_about(vault):
    text = payload(vault, LIST)[:-1] + b"," + b" " * hook_limits.SCAN_BYTES
    assert hook(vault, text).verdict == "ask"


def test_check_doctor_and_the_next_session_warn(vault, tmp_path):
    stall(vault, STAGES["judging"], STALLS["a loop"])
    call(vault, PUSH)
    (tmp_path / "site/sitecustomize.py").unlink()
    said = "not checked in time"
    vault.clock(at=time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime()))
    assert said in vault.call("check").stdout
    assert said in vault.call("doctor").stdout
    program = HOOK.format(seconds=UNHURRIED, late_seconds=UNHURRIED, after_seconds=2)
    start = json.dumps({**Claude(vault.root).base("SessionStart"), "source": "startup"})
    done = subprocess.run(
        [sys.executable, "-c", program, *HOOK_CLAUDE],
        input=start.encode(),
        capture_output=True,
        cwd=vault.root,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )
    assert said in json.loads(done.stdout)["systemMessage"]
