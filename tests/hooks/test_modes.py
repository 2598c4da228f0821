"""Settings of a project's pointer that disable hooks, and their limits."""

import json
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


def record_of(own: World) -> str:
    return own.call("rule", "why", FORCED.replace(" ", "-")).stdout


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
    assert "matched 1, denied 0, observed 1" in record_of(own)


def test_a_pointer_turns_what_is_injected_off(own, clone):
    pointer(clone, inject="off")
    trust(clone)
    player = Claude(clone)
    assert player.start().context == ""
    assert verdict(player, FORCED) == "deny"


def test_an_injection_that_is_observed_counts_and_shows_nothing(own, clone):
    pointer(clone, inject="observe")
    trust(clone)
    player = Claude(clone)
    started = player.start()
    assert (started.context, started.message) == (
        "",
        f"toolmem: vault in force: {own.root}; settings: inject observe",
    )
    assert verdict(player, FORCED) == "deny"
    player.end()
    assert "shown 1, matched 1, denied 1" in record_of(own)


def test_a_capture_that_is_observed_records_and_writes_nothing(own, clone):
    pointer(clone, capture="observe")
    trust(clone)
    player = Claude(clone)
    assert player.prompt(BAN).document == {}
    assert player.prompt("please always run the linter first").document == {}
    mail = player.before("send_email", to="sarah@example.com")
    player.end()
    assert mail.verdict == ""
    assert [path.name for path in own.root.glob("system/rules/*/*.toml")] == [
        "git-push---force.toml"
    ]
    assert not list(own.root.glob(".toolmem/pending/*.toml"))
    past = own.call("review", "--past", "--json").stdout
    # Both were typed in the same second, or one in the next.
    assert {one["text"] for one in json.loads(past)["candidates"]} == {
        BAN,
        "please always run the linter first",
    }


def test_a_pointer_turns_capture_off(own, clone):
    pointer(clone, capture="off")
    trust(clone)
    player = Claude(clone)
    assert player.prompt(BAN).document == {}
    player.end()
    assert not list(own.root.glob("system/rules/*/never-email*.toml"))


def test_a_repository_of_no_project_is_reported_at_the_start(own, clone):
    World(clone).git("init", "--quiet")
    (own.root / "projects/mech-fighters").mkdir(parents=True, exist_ok=True)
    assert Claude(clone).start().message == (
        f"toolmem: vault in force: {own.root}; no project of the vault is found here: "
        '.toolmem.toml with project = "NAME" names one'
    )
    (clone / ".toolmem.toml").write_text('project = "mech-fighters"\n')
    assert Claude(clone, "s-2").start().message == (
        f"toolmem: vault in force: {own.root}"
    )


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
