"""``toolmem agent test``: installed hooks tried on a copy of the vault."""

import json
import sys

import pytest

from tests.ops.setup.test_agent_install import install, settings, tree
from tests.wired import events
from toolmem.core.agents.event import BEFORE_TOOL, PROMPT
from toolmem.core.agents.registry import hooked, samples

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX shell")
RULE = (
    "new critical rule for every tool: Never run toolmem-other-sample in this project"
)


@pytest.mark.one_of(3)
@pytest.mark.parametrize(
    ("agent", "more"),
    [("gemini", ()), ("copilot", ()), ("claude", ("--user", "--no-warm"))],
)
@pytest.mark.usefixtures("program")
def test_what_the_hooks_do_is_printed_and_the_vault_is_not_touched(world, agent, more):
    world.vault("template")
    assert world.call("agent", "install", agent, *more).code == 0
    before = tree(world)
    done = world.call("agent", "test", agent, "--json")
    assert (done.code, tree(world)) == (0, before)
    trials = {one["kind"]: one for one in json.loads(done.stdout)}
    assert "## Tool-scoped rules" in "".join(one["shown"] for one in trials.values())
    denied = trials[BEFORE_TOOL]["denied"]
    assert denied.startswith("never run toolmem-sample (a rule of this test) (toolmem")
    [captured] = trials[PROMPT]["captured"]
    assert f"{RULE} (undo: toolmem rule delete " in captured
    assert {one["error"] for one in trials.values()} == {""}


def test_the_command_says_what_each_event_came_to(world, program):
    world.vault("template")
    done = world.call("agent", "install", "claude")
    assert done.stderr.endswith(
        "toolmem: the hooks work: `toolmem agent test claude` shows it\n"
    )
    lines = world.call("agent", "test", "claude").stdout.splitlines()
    assert lines[1].endswith("shown to the user: toolmem: vault in force: /world")
    assert "denied: never run toolmem-sample (a rule of" in "\n".join(lines)
    assert [RULE in line for line in lines].count(True) == 2  # for model and user
    program.write_text("#!/bin/sh\necho broken >&2\nexit 3\n")
    broken = world.call("agent", "test", "claude")
    assert broken.code == 1
    assert "failed: exit code 3: broken" in broken.stdout


@pytest.mark.usefixtures("program")
def test_hooks_that_are_not_installed_cannot_be_tried(world):
    world.vault("template")
    missing = world.call("agent", "test", "claude")
    step = "installed: run `toolmem agent install claude`"
    assert missing.stderr == f"toolmem: the hooks of claude are not {step}\n"
    install(world, "claude")
    path = settings(world, "claude")
    path.write_text(path.read_text().replace("toolmem hook", "x hook", 1))
    partly = world.call("agent", "test", "claude")
    assert partly.stderr == f"toolmem: the hooks of claude are only partly {step}\n"
    install(world, "continue")
    assert world.call("agent", "test", "continue").code == 2


@pytest.mark.parametrize("agent", hooked())
def test_the_samples_are_of_events_that_are_wired(agent):
    wired = events(agent) | {"session_start"}  # the plugin's own start
    assert {sample.name for sample in samples(agent, "/w")} <= wired
