"""A rule that says what works instead is shown before a call that would fail."""

import pytest

from tests.hooks.players import Claude
from tests.world import World

HINTS = [
    "`pytest -q` fails here; `uv run pytest -q` works",
    "`pytest -q` failed 4 times; `uv run pytest -q` worked",
    "`pytest -q` timed out 4 times",
    "`pytest -q` failed 4 times (not found)",
    "`pytest -q` keeps failing here: find out why before you run it again",
]


@pytest.mark.parametrize("hint", HINTS)
def test_the_hint_is_shown_once_before_the_call_it_is_about(tmp_path, hint):
    world = World(tmp_path).vault("empty")
    assert world.call("rule", "add", "shell", hint, "-p", "normal").code == 0
    session = Claude(world.root)
    session.start()
    for command in ("ls", "pytest -v", *(["uv run pytest -q"] if "uv" in hint else [])):
        assert session.before("Bash", command=command).context == ""
    shown = session.before("Bash", command="cd src && pytest -q").context
    assert shown == f"Rules for `Bash`:\n- **[normal]** {hint}"
    assert session.before("Bash", command="pytest -q").context == ""
    assert session.failed("Bash", command="pytest -q").context == ""


TOOL_HINTS = [
    "`deploy` fails here (connection refused): find out why before you call it",
    "`deploy` timed out 3 times",
    "`deploy` failed 2 times (not found), then passed",
]


@pytest.mark.one_of(3)
@pytest.mark.parametrize("name", ["deploy", "mcp__ci__deploy"])
@pytest.mark.parametrize("hint", TOOL_HINTS)
def test_the_hint_of_a_tool_is_shown_once_before_its_next_call(tmp_path, hint, name):
    world = World(tmp_path).vault("empty")
    assert world.call("rule", "add", "deploy", hint, "-p", "normal").code == 0
    session = Claude(world.root)
    session.start()
    assert session.before("Bash", command="ls").context == ""
    shown = session.before(name, to="staging").context
    assert shown == f"Rules for `{name}`:\n- **[normal]** {hint}"
    assert session.before(name, to="staging").context == ""


def test_what_failed_in_one_session_is_shown_before_the_next_use(tmp_path):
    world = World(tmp_path).vault("empty")
    session = Claude(world.root)
    session.start()
    session.prompt("please run the tests")
    for _ in range(2):
        assert session.failed("Bash", command="pytest -q").context == ""
    session.after("Bash", command="uv run pytest -q")
    session.end()
    again = Claude(world.root, session="another")
    again.start()
    assert again.before("Bash", command="uv run pytest -q").context == ""
    shown = again.before("Bash", command="pytest -q").context
    assert shown.startswith(
        "Rules for `Bash`:\n- **[normal]** `pytest -q` failed 2 times"
    )
    assert again.failed("Bash", command="pytest -q").context == ""


def test_a_tool_that_failed_in_two_sessions_is_known_before_its_next_use(tmp_path):
    world = World(tmp_path).vault("empty")

    def begun(name: str) -> Claude:
        session = Claude(world.root, session=name)
        session.start()
        session.prompt("please mail the report")
        return session

    for name in ("first", "second"):
        session = begun(name)
        assert session.before("mail", to="x").context == ""
        session.failed("mail", to="x")
        session.end()
    session = begun("third")
    hint = "`mail` fails here (not found): find out why before you call it"
    shown = session.before("mail", to="x").context
    assert shown == f"Rules for `mail`:\n- **[normal]** {hint}"
    assert session.before("mail", to="x").context == ""
    session.after("mail", to="x")
    session.end()
    assert begun("fourth").before("mail", to="x").context == ""


def test_another_normal_rule_is_not_shown_at_calls(tmp_path):
    world = World(tmp_path).vault("empty")
    text = "`pytest -q` is slow here"
    assert world.call("rule", "add", "shell", text, "-p", "normal").code == 0
    session = Claude(world.root)
    assert session.before("Bash", command="pytest -q").context == ""
