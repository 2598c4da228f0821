"""Review by session, with what a proposal changes, and how often capture was right."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from tests.cli.hearing import proposals, rules, tell
from tests.cli.test_review import asked
from tests.hooks.players import OpenCode
from tests.world import World

NPM = "We should never run npm install here, use pnpm."


@pytest.fixture
def vault(world: World) -> World:
    return world.vault("empty")


def tiers(vault: World) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = json.loads(
        vault.call("review", "--past", "--json").stdout
    )["tiers"]
    return found


def typed(vault: World, text: str) -> None:
    """Type a message to an agent, whose hook has the clock of the machine."""
    assert "a standing rule?" in OpenCode(vault.root).prompt(text).context
    vault.now = datetime.now(UTC)


def counts(kept: int = 0, dropped: int = 0, undone: int = 0, waits: int = 0) -> object:
    return {"kept": kept, "dropped": dropped, "undone": undone, "open": waits}


def test_proposals_are_grouped_by_session_with_what_they_change(vault):
    tell(vault, f"Fix the login. {NPM} Thanks!", session="s-1")
    tell(vault, "please use short commit messages in this repo.", session="s-2")
    tell(vault, "I prefer tabs over spaces in all of my files.", session="s-1")
    found = proposals(vault)
    sessions = [one["session"] for one in found]
    assert sessions == ["s-1", "s-1", "s-2"]  # of one time: in the order of ids
    [first] = [one for one in found if one["sentence"] == NPM]
    assert (first["before"], first["sentence"], first["after"]) == (
        "Fix the login.",
        NPM,
        "Thanks!",
    )
    assert (first["tier"], first["guards"][0]["command"]) == (
        "candidate",
        ["npm", "install"],
    )
    assert first["block"] == [
        {"change": "+", "tool": "bash", "priority": "critical", "rule": NPM[:-1]}
    ]
    shown = vault.call("review").stdout.splitlines()
    assert [line for line in shown if line.startswith("session")] == [
        f"session {name}" for name in dict.fromkeys(sessions)
    ]
    at = next(n for n, line in enumerate(shown) if first["id"][:8] in line)
    assert shown[at : at + 5] == [
        f"  {first['id'][:8]}  add  [critical]  bash  system  {NPM[:-1]}",
        f"    message: Fix the login. [{NPM}] Thanks!",
        f"    why: may be a rule for later sessions; from “{NPM}” (session s-1, turn "
        "0)",
        "    guard: denies `npm install`",
        f"    block: + bash [critical] {NPM[:-1]}",
    ]


def test_a_proposal_that_retires_a_rule_shows_what_the_block_loses(vault):
    tell(vault, "Never use sudo.")
    tell(vault, "you can use sudo for that now, it is fine")
    [one] = proposals(vault)
    assert one["block"] == [
        {
            "change": "-",
            "tool": "bash",
            "priority": "critical",
            "rule": "Never use sudo",
        }
    ]


def test_yes_keeps_no_drops_edit_rewords_and_skip_leaves(vault, monkeypatch):
    for number, word in enumerate(("tabs", "spaces", "dashes", "dots")):
        said = f"I prefer {word} over commas in all of my files."
        tell(vault, said, session=f"s-{number}")
    first = proposals(vault)[0]
    shown, _ = asked(vault, monkeypatch, "y\nn\ne\nuse dashes\ns\n")
    assert f"session {first['session']}" in shown
    assert f"message: [{first['sentence']}]" in shown
    assert "so far: candidates 2 kept, 1 dropped, 0 undone, 1 open" in shown
    assert sorted(rule["rule"] for rule in rules(vault)) == [
        first["sentence"].removesuffix("."),
        "use dashes",
    ]
    assert len(proposals(vault)) == 1


def test_decrees_are_counted_by_tier_as_kept_dropped_and_undone(vault):
    tell(vault, "Never use sudo.", "Never use wget.", session="s-1")
    tell(vault, NPM, session="s-1")
    tell(vault, "please use short commit messages in this repo.", session="s-2")
    assert tiers(vault) == {
        "sure": counts(kept=2),
        "candidate": counts(waits=2),
        "quoted": counts(),
    }
    first, second = proposals(vault)
    vault.call("review", "--accept", first["id"])
    vault.call("review", "--reject", second["id"])
    [wget] = [one for one in rules(vault) if "wget" in one["rule"]]
    vault.call("rule", "delete", wget["id"])
    assert tiers(vault) == {
        "sure": counts(kept=1, undone=1),
        "candidate": counts(kept=1, dropped=1),
        "quoted": counts(),
    }
    assert vault.call("review").stderr.splitlines()[-1] == (
        "toolmem: so far: sure 1 kept, 0 dropped, 1 undone; "
        "candidates 1 kept, 1 dropped, 0 undone"
    )


def test_bans_of_past_sessions_are_listed_for_two_weeks(vault):
    typed(vault, f"Fix the login. {NPM}")
    past = json.loads(vault.call("review", "--past", "--json").stdout)["candidates"]
    [one] = past
    assert (one["sentence"], one["session"], one["status"], one["kind"]) == (
        NPM,
        "s-1",
        "open",
        "ban",
    )
    line = vault.call("review", "--past").stdout
    assert line.endswith(
        f"not judged  ban  every tool  {NPM[:-1]}  (session s-1)\n"
    ) or (f"{NPM[:-1]}  (session s-1)" in line)
    kept = vault.call("rule", "keep", one["id"], "--tool", "bash")
    assert kept.code == 0
    assert "kept  ban" in vault.call("review", "--past").stdout
    assert tiers(vault)["candidate"] == counts(kept=1)
    vault.now += timedelta(days=15)
    assert vault.call("review", "--past").stdout == ""


def test_a_candidate_that_no_one_judged_counts_as_dropped_after_a_day(vault):
    typed(vault, NPM)
    assert tiers(vault)["candidate"] == counts(waits=1)
    vault.now += timedelta(days=2)
    assert tiers(vault)["candidate"] == counts(dropped=1)


def test_past_only_lists(vault):
    vault.run("review", "--past", "--accept", "x").exits(2)
    vault.stderr("toolmem: --past, --accept and --reject exclude each other\n")
