"""Rules are taken back by words of the user that name what the rule is about."""

import re
from pathlib import Path

import pytest

from tests.hooks.players import Claude
from tests.world import World

pytestmark = pytest.mark.one_of(3)

RULES = {
    "force": ("shell", "never force-push to main"),
    "docker": ("docker", "never run containers as root"),
    "config": ("edit", "never edit config/prod.yaml"),
    "mail": ("send_email", "never email Sarah at sarah@example.com"),
    "sudo": ("shell", "never use sudo"),
}


@pytest.fixture
def player(tmp_path: Path) -> Claude:
    world = World(tmp_path).vault("template")
    for name, (tool, text) in RULES.items():
        world.call("rule", "add", tool, text, "-p", "critical", "--id", name)
    player = Claude(tmp_path)
    player.start()
    return player


def retract(player: Claude, quote: str, which: str = "") -> str:
    """Take back with a quotation; return the hook's answer."""
    more = f" --which {which}" if which else ""
    command = f'toolmem rule retract --quote "{quote}"{more}'
    return player.before("Bash", command=command).reason


def in_force(player: Claude) -> set[str]:
    files = player.folder.glob("system/rules/*/*.toml")
    ids = {re.findall(r'^id = "([\w-]+)"', file.read_text(), re.M)[0] for file in files}
    return ids & RULES.keys()


@pytest.mark.parametrize("which", RULES)
@pytest.mark.parametrize(
    "typed",
    [
        "fix the login page",
        "please fix the login page, you may edit its files",
        "you may change the test file again",
        "never use telnet",
        "never edit config/dev.yaml",
        "always run the tests",
        "you can deploy to staging again",
    ],
)
def test_words_about_something_else_take_no_rule_back(player, typed, which):
    player.prompt(typed)
    assert retract(player, typed, which).startswith(("Proposed", "Refused"))
    assert in_force(player) == RULES.keys()


@pytest.mark.parametrize(
    ("typed", "quote"),
    [
        ("never ever say that you may use sudo again", "you may use sudo again"),
        ("I don't think you may use sudo again", "you may use sudo again"),
        ('the README says "you may use sudo again"', "you may use sudo again"),
        ("never use sudo", "use sudo"),
        ("do not use sudo again", "use sudo again"),
    ],
)
def test_a_part_of_a_ban_takes_no_rule_back(player, typed, quote):
    player.prompt(typed)
    retract(player, quote, "sudo")
    assert "sudo" in in_force(player)


@pytest.mark.parametrize(
    ("typed", "which"),
    [
        ("ok you may force-push again if you really have to", "force"),
        ("I guess you can run docker containers as root from now on", "docker"),
        ("well, you may edit config/prod.yaml from now on I suppose", "config"),
        ("hm, you can email Sarah from now on I guess", "mail"),
        ("I suppose that you may use sudo from now on", "sudo"),
    ],
)
@pytest.mark.parametrize("named", [True, False])
def test_words_about_a_rule_take_it_back(player, typed, which, named):
    player.prompt(typed)
    answer = retract(player, typed, which if named else "")
    assert answer.startswith(
        (f"Archived rule {which}", f"Added an exception to rule {which}")
    )
    assert in_force(player) >= RULES.keys() - {which}


def test_words_that_only_refer_take_back_what_the_sentence_before_names(player):
    player.prompt("The bastion is gone and with it sudo. Please drop that rule.")
    assert retract(player, "Please drop that rule.", "docker").startswith("Proposed")
    answer = retract(player, "Please drop that rule.", "sudo")
    assert answer.startswith("Archived rule sudo")


def test_a_named_rule_is_chosen_only_among_those_that_the_words_name(player):
    typed = "hm, you can email Sarah from now on I guess"
    player.prompt(typed)
    assert retract(player, typed, "sudo").startswith("Proposed")
    assert in_force(player) == RULES.keys()


def test_a_candidate_takes_back_only_the_rule_that_it_is_about(player):
    note = player.prompt("Fine, you may email Sarah again I guess.").context
    [found] = re.findall(r"toolmem rule retract (k\w+)", note)
    command = f"toolmem rule retract {found} --which sudo"
    assert player.before("Bash", command=command).reason.startswith("Proposed")
    assert in_force(player) == RULES.keys()
    player.before("Bash", command=f"toolmem rule retract {found}")
    assert in_force(player) == RULES.keys() - {"mail"}


def test_the_words_of_the_user_count_where_an_agent_is_named(player, monkeypatch):
    monkeypatch.setenv("TOOLMEM_AGENT", "helper")
    typed = "I suppose that you may use sudo from now on"
    player.prompt(typed)
    assert retract(player, typed).startswith("Archived rule sudo")
    assert in_force(player) == RULES.keys() - {"sudo"}


def test_a_session_s_agents_propose_five_times(player):
    player.prompt("fix the login page")
    said = [
        player.before(
            "Bash", command=f'toolmem rule keep --quote "never run tool number {n}"'
        ).reason
        for n in range(5)
    ]
    assert all(one.startswith("Proposed") for one in said)
    refused = retract(player, "you may use sudo again", "sudo")
    assert refused.partition(" is ")[2] == (
        "one proposal too many: 5 of this session wait (toolmem review)"
    )
    assert len(list(player.folder.glob(".toolmem/pending/*.toml"))) == 5
    again = 'toolmem rule keep --quote "never run tool number 3"'
    assert player.before("Bash", command=again).reason.startswith("Proposed")
    other = Claude(player.folder, "s-2")
    other.prompt("fix the login page")
    assert retract(other, "you can use sudo again", "sudo").startswith("Proposed")


DOAS = "In general I prefer doas for the vpn script."


def test_what_replaces_a_rule_is_kept_in_the_same_call_and_names_it(player):
    typed = f"I suppose that you may use sudo from now on. {DOAS}"
    note = player.prompt(typed).context
    [(back, new)] = re.findall(r"toolmem rule retract (k\w+) (k\w+)", note)
    answer = player.before("Bash", command=f"toolmem rule retract {back} {new}").reason
    retracted, kept = answer.split("); ", 1)
    assert retracted.startswith("Archived rule sudo")
    assert kept.startswith("New high rule for every tool")
    assert in_force(player) == RULES.keys() - {"sudo"}
    texts = [file.read_text() for file in player.folder.glob("**/rules/*/*.toml")]
    assert [text for text in texts if 'why = "replaces rule sudo"' in text]


def test_without_a_rule_taken_back_nothing_replaces_it(player):
    note = player.prompt(DOAS).context
    [new] = re.findall(r"toolmem rule keep (k\w+)", note)
    command = f'toolmem rule retract {new} --quote "you may use sudo again"'
    assert "replaces no rule: none was taken back" in (
        player.before("Bash", command=command).reason
    )
    assert in_force(player) == RULES.keys()
