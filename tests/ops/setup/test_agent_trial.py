"""Trials of hooks on a busy machine: a late answer is no proof of anything."""

import sys

import pytest

from tests.world import World
from toolmem.core import hook_limits
from toolmem.core.agents.hook_command import HookCommand

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
EVENTS = 5
"""Events of a trial."""
ANSWER = (
    '{"hookSpecificOutput": {"additionalContext": "block", '
    '"permissionDecision": "deny", "permissionDecisionReason": "a rule"}}'
)


@pytest.fixture
def tried(tmp_path, monkeypatch):
    """Install hooks that give an answer from some event on; return their trials."""
    world = World(tmp_path).vault("template")
    (tmp_path / "bin").mkdir()
    monkeypatch.setattr("shutil.which", lambda _: "toolmem")

    def install(silent, seconds):
        script = (
            f"cat > {tmp_path}/in; echo >> {tmp_path}/events; "
            f"ls $XDG_STATE_HOME/toolmem/guards >> {tmp_path}/compiled; "
            f"test $(wc -l < {tmp_path}/events) -le {silent} || echo '{ANSWER}'"
        )
        monkeypatch.setattr(hook_limits, "CALL_SECONDS", seconds)
        monkeypatch.setattr(HookCommand, "sh", lambda *_: script)
        done = world.call("agent", "install", "claude")
        return done, len((tmp_path / "events").read_text().splitlines())

    return install


def test_late_ones_are_tried_again(tried):
    done, events = tried(silent=1, seconds=0)
    assert "the hooks work" in done.stderr
    assert events == 2 * EVENTS


def test_guards_are_compiled_before_they_are_tried_again(tried, tmp_path):
    tried(silent=EVENTS + 1, seconds=0)
    compiled = (tmp_path / "compiled").read_text().splitlines()
    first, second = len(set(compiled)), len(compiled)
    assert (first, second) == (2, 2 * EVENTS)


def test_ones_that_are_always_late_are_no_failure(tried):
    done, _ = tried(silent=10_000, seconds=0)
    assert "no answer in time: the machine is busy" in done.stderr
    assert "the hooks may work: no answer came in time" in done.stderr
    assert "do not work" not in done.stderr


def test_ones_that_say_nothing_in_time_do_not_work(tried):
    done, events = tried(silent=10_000, seconds=1000)
    assert "a call that breaks a rule was not denied" in done.stderr
    assert "the hooks do not work" in done.stderr
    assert events == EVENTS
