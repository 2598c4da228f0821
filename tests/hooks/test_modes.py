"""What a project's pointer turns off, and whose it does not turn off."""

from pathlib import Path

import pytest

from tests.hooks.players import Claude
from tests.hooks.test_strangers import BAN, FORCED, clone, own, rule, verdict
from tests.world import World
from toolmem.core import hook_limits
from toolmem.ops.setup.trust import trust

__all__ = ["clone", "own"]


def pointer(folder: Path, **modes: str) -> None:
    lines = [f'{name}.mode = "{mode}"\n' for name, mode in modes.items()]
    (folder / ".toolmem.toml").write_text("".join(lines))


def test_a_trusted_pointer_turns_the_guard_off(own, clone):
    pointer(clone, guard="off")
    trust(clone)
    player = Claude(clone)
    assert player.start().message == (
        f"toolmem: vault in force: {own.root}; settings: guard off"
    )
    assert verdict(player, FORCED) == ""


def test_a_guard_that_observes_counts_and_stops_nothing(own, clone):
    pointer(clone, guard="observe")
    trust(clone)
    player = Claude(clone)
    player.start()
    assert verdict(player, FORCED) == ""
    player.end()
    record = own.call("rule", "why", FORCED.replace(" ", "-")).stdout
    assert "matched 1, denied 0, observed 1" in record


def test_a_pointer_turns_what_is_injected_off(own, clone):
    pointer(clone, inject="off")
    trust(clone)
    player = Claude(clone)
    assert player.start().context == ""
    assert verdict(player, FORCED) == "deny"


def test_a_pointer_turns_capture_off(own, clone):
    pointer(clone, capture="off")
    trust(clone)
    player = Claude(clone)
    assert player.prompt(BAN).document == {}
    player.end()
    assert not list(own.root.glob("system/rules/*/never-email*.toml"))


@pytest.mark.parametrize("mode", ["off", "observe"])
def test_a_pointer_that_is_not_trusted_turns_nothing_of_the_user_s_off(
    own, clone, mode
):
    pointer(clone, guard=mode, inject="off", capture="off")
    player = Claude(clone)
    assert f"never run {FORCED}" in player.start().context
    assert verdict(player, FORCED) == "deny"


@pytest.mark.parametrize("mode", ["off", "observe"])
def test_a_stranger_s_vault_can_be_turned_off_by_its_own_pointer(own, clone, mode):
    (clone / "toolmem.toml").write_text("")
    rule(World(clone), "system", "git stash")
    pointer(clone, guard=mode, inject="off")
    player = Claude(clone)
    context = player.start().context
    assert f"never run {FORCED}" in context
    assert "never run git stash" not in context
    assert (verdict(player, FORCED), verdict(player, "git stash")) == ("deny", "")


@pytest.mark.parametrize(
    "command",
    [
        "toolmem trust add",
        "cd x && toolmem trust add /tmp/x",
        "toolmem trust remove .",
        "toolmem init --user x",
    ],
)
def test_an_agent_asks_before_it_changes_what_is_trusted(own, command):
    assert verdict(Claude(own.root), command) == "ask"


def test_an_agent_may_look_at_what_is_trusted(own):
    assert verdict(Claude(own.root), "toolmem trust list") == ""


@pytest.mark.parametrize(
    ("mode", "verdict"), [("enforce", "ask"), ("observe", ""), ("off", "")]
)
def test_a_call_that_is_too_long_is_asked_about_where_guards_are_enforced(
    own, clone, mode, verdict
):
    pointer(clone, guard=mode)
    trust(clone)
    padding = "x" * (hook_limits.READ_BYTES + 1)
    found = Claude(clone).before("Bash", command=FORCED, padding=padding)
    assert found.verdict == verdict
