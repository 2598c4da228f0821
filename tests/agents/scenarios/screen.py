"""Questions and commands that agents have on a terminal only."""

from tests.agents.scenarios.block import RULE, add_rule, expect_one_block
from tests.agents.steps import Say, Shell
from tests.agents.table import scenario
from tests.agents.world import World
from toolmem.core.agents.hook_command import REMEMBERED

_LONG = Shell("seq 1 4000")
"""Gemini does not compress a history that is short."""


@scenario(
    "the block comes once after a compaction on screen",
    agents=["codex", "gemini", "opencode", "copilot"],
)
def compaction(world: World) -> None:
    add_rule(world)
    script = [_LONG, Say("ANSWER ONE."), Say("ANSWER TWO.")]
    with world.on_screen(script) as screen:
        screen.ask("MY FIRST QUESTION", "ANSWER ONE.")
        screen.ask(world.terminal.compact, world.terminal.compacted)
        screen.ask("MY SECOND QUESTION", "ANSWER TWO.")
    last = world.model.requests()[-1]
    assert not last.count("3999"), "the history was not compacted"
    expect_one_block(last)
    expect_one_block(last, RULE)


@scenario("a machine without toolmem says on screen that calls are not checked")
def not_installed(world: World) -> None:
    (world.home / REMEMBERED).unlink()
    with world.on_screen([Say("ANSWER ONE.")], world.without_toolmem()) as screen:
        screen.ask("MY FIRST QUESTION", "ANSWER ONE.")
        # A line of OpenCode's messages has no room for more.
        assert screen.has_shown("this project has toolmem rules"), screen.text


@scenario("a ban typed on a full disk is answered on screen")
def no_space(world: World) -> None:
    with world.on_screen([Say("ANSWER ONE.")]) as screen, world.full_disk():
        screen.ask("never use rsync.", "ANSWER ONE.")
        assert screen.has_shown("not in force yet: no space in the vault"), screen.text


@scenario(
    "hooks that are trusted on screen run",
    agents=["codex", "gemini", "copilot"],
    trust=False,
)
def trusting(world: World) -> None:
    add_rule(world)
    with world.on_screen([Say("ANSWER ONE.")]) as screen:
        screen.ask("MY FIRST QUESTION", "ANSWER ONE.")
    expect_one_block(world.model.requests()[-1], RULE)
    status = world.toolmem("agent", "status", world.agent)
    assert "installed" in status, status
    assert "not yet active" not in status, status
