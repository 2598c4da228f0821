"""A call that is not judged in time is asked about, if it names anything guarded."""

import json
import os
import subprocess
import sys
import time
from typing import Any, NamedTuple

import pytest

from tests.hooks.players import Claude
from tests.program import ROOT
from tests.world import World
from toolmem.core import hook_limits
from toolmem.store.journal.verdict_log import LARGE, LATE, SLOW, counted, log_path

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
    "parsing the payload": "toolmem.hooks.main:payload_of",
    "finding the vault": "toolmem.hooks.respond:find_in_force",
    "listing the rules": "toolmem.ops.rules.compiled:stamp",
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
PUSH = {"command": "cd x && git push --force"}
LIST = {"command": "ls -la"}
DENIED = "never force-push"


class Answer(NamedTuple):
    verdict: str
    reason: str
    seconds: float


@pytest.fixture
def vault(tmp_path) -> World:
    world = World(tmp_path / "vault").vault("empty")
    rule = ("rule", "add", "shell", DENIED, "-p", "critical")
    world.call(*rule, "--guard", 'command = ["git", "push", "--force"]')
    (tmp_path / "site").mkdir()
    call(world, LIST)
    wait_until_settled(world)
    log_path().unlink(missing_ok=True)
    return world


def wait_until_settled(world: World) -> None:
    """Let the compiled guards become older than the rules, as they are any day."""
    rules = next((world.root / "system/rules").rglob("*.toml"))
    deadline = time.monotonic() + 10
    while time.time() - rules.stat().st_ctime < 1.1 and time.monotonic() < deadline:
        time.sleep(0.02)
    call(world, LIST)


def hook(world: World, text: bytes, *, open_input: bool = False) -> Answer:
    """What a hook of Claude Code answers to a payload."""
    begun = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "toolmem", "hook", "claude"],
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
    seconds = time.monotonic() - begun
    process.communicate() if open_input else process.stdout.close()
    inner = json.loads(out)["hookSpecificOutput"] if out else {}
    found = (
        inner.get("permissionDecision", ""),
        inner.get("permissionDecisionReason", ""),
    )
    return Answer(*found, seconds)


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


@pytest.mark.parametrize("how", STALLS.values(), ids=STALLS)
def test_what_stalls_a_verdict_asks_and_is_counted_each_time(vault, how):
    stall(vault, STAGES["judging"], how)
    for _ in range(2):
        found = call(vault, PUSH)
        assert found.verdict == "ask"
        assert found.reason.startswith("not judged in time (")
        assert found.reason.endswith("the call names git")
        assert found.seconds < hook_limits.SECONDS + hook_limits.LATE_SECONDS + 2
    assert events() == [LATE, LATE]


@pytest.mark.parametrize("place", STAGES.values(), ids=STAGES)
def test_no_stage_can_stall_a_hook_or_open_the_guard(vault, place):
    stall(vault, place, STALLS["a regular expression"])
    assert call(vault, PUSH).verdict == "ask"


def test_a_call_that_names_nothing_guarded_passes(vault):
    stall(vault, STAGES["judging"], STALLS["a loop"])
    stall_free = {"file_path": "/work/readme"}
    assert call(vault, stall_free)[:2] == ("", "")
    assert events() == [LATE]


def test_without_compiled_guards_every_such_call_is_asked_about(vault):
    stall(vault, STAGES["selecting the rules"], STALLS["a loop"])
    (vault.root / ".toolmem/guards").unlink()
    assert call(vault, LIST).reason.endswith("something that may be guarded")


def test_a_call_whose_input_never_ends_is_asked_about(vault):
    text = payload(vault, LIST)[:-2]
    assert hook(vault, text, open_input=True).verdict == "ask"


@pytest.mark.parametrize(("command", "verdict"), [(PUSH, "ask"), (LIST, "")])
def test_a_call_over_the_size_limit_is_scanned(vault, command, verdict):
    filler = "x" * (hook_limits.READ_BYTES + 1)
    found = call(vault, {"padding": filler, **command})
    assert found.verdict == verdict
    assert events() == [LARGE]


def test_a_call_that_is_too_long_to_be_scanned_is_asked_about(vault):
    text = payload(vault, LIST)[:-1] + b"," + b" " * hook_limits.SCAN_BYTES
    assert hook(vault, text).verdict == "ask"


def test_check_doctor_and_the_next_session_warn(vault, tmp_path):
    stall(vault, STAGES["judging"], STALLS["a loop"])
    call(vault, PUSH)
    (tmp_path / "site/sitecustomize.py").unlink()
    said = "not judged in time"
    vault.clock(at=time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime()))
    assert said in vault.call("check").stdout
    assert said in vault.call("doctor").stdout
    start = json.dumps({**Claude(vault.root).base("SessionStart"), "source": "startup"})
    done = subprocess.run(
        [sys.executable, "-m", "toolmem", "hook", "claude"],
        input=start.encode(),
        capture_output=True,
        cwd=vault.root,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )
    assert said in json.loads(done.stdout)["systemMessage"]
