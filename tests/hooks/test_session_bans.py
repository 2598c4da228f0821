"""Bans that were typed and not judged ask in their session, until they are lifted."""

import sqlite3

import pytest

from tests.hooks.players import Claude

BAN = "please do not push to main until we are done, and could you look at the build"
PUSH = {"command": "git push origin main"}


@pytest.fixture
def claude(world):
    world.vault("template")
    return Claude(world.root)


def test_a_ban_ends_when_the_user_takes_it_back(claude, world):
    claude.prompt(BAN)
    asked = claude.before("Bash", **PUSH)
    assert (asked.verdict, asked.reason.count("do not push")) == ("ask", 1)
    other = Claude(world.root, "s-2")
    other.prompt("you can push to main now")
    assert claude.before("Bash", **PUSH).verdict == "ask"
    lifted = claude.prompt("you can push to main now")
    assert "only for this session" in lifted.message
    assert claude.before("Bash", **PUSH).verdict == ""


def test_a_permission_that_may_be_about_something_else_lifts_no_ban(claude):
    claude.prompt(BAN)
    claude.prompt("you can push to the docs branch now")
    assert claude.before("Bash", **PUSH).verdict == "ask"


def test_a_ban_about_two_tools_asks_for_each_and_is_lifted_for_both(claude):
    ban = "don't use bash or the send_email tool for sarah@example.com"
    note = claude.prompt(f"{ban} until we are done, and look at the build").context
    assert note.count("sarah@example.com") == 1
    calls = (
        (claude.mail, {"to": "sarah@example.com"}),
        ("Bash", {"command": "mail sarah@example.com"}),
    )
    asked = [claude.before(tool, **arguments).verdict for tool, arguments in calls]
    claude.prompt("you can use bash and send_email for sarah@example.com again")
    after = [claude.before(tool, **arguments).verdict for tool, arguments in calls]
    assert (asked, after) == (["ask", "ask"], ["", ""])


@pytest.mark.parametrize("state", ["newer", "a link", "no database", "none"])
def test_guards_work_whatever_the_local_state_is(claude, world, state):
    add = ("rule", "add", "Bash", "never run docker", "-p", "critical")
    assert world.call(*add).code == 0
    claude.prompt(BAN)
    file = world.root / ".toolmem/state.db"
    file.unlink(missing_ok=True)
    if state == "newer":
        with sqlite3.connect(file) as held:
            held.execute("PRAGMA user_version = 999")
    elif state == "a link":
        file.symlink_to(world.root / "elsewhere.db")
    elif state == "no database":
        file.write_text("no database")
    assert claude.before("Bash", command="docker run x").verdict == "deny"
    assert claude.before("Bash", **PUSH).verdict == "ask"


@pytest.mark.parametrize("text", ["never mind", "Never mind that.", "scratch that"])
def test_words_that_take_nothing_back_are_no_standing_rule(claude, text):
    assert "standing rule" not in claude.prompt(text).context


@pytest.mark.parametrize(
    "rest", ["Actually, scratch that.", "Hmm, no, docker compose is fine."]
)
def test_a_ban_that_its_message_takes_back_is_neither_noted_nor_asked(claude, rest):
    said = claude.prompt(f"Never run docker compose. {rest}").context
    assert "standing rule" not in said
    assert claude.before("Bash", command="docker compose up").verdict == ""
