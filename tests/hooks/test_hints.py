"""A rule that says what works instead is shown before a call that would fail."""

import pytest

from tests.hooks.players import Claude
from tests.world import World

HINTS = [
    "`pytest -q` fails here; `uv run pytest -q` works",
    "`pytest -q` failed 4 times; `uv run pytest -q` worked",
]


@pytest.mark.parametrize("hint", HINTS)
def test_the_hint_is_shown_once_before_the_call_it_is_about(tmp_path, hint):
    world = World(tmp_path).vault("empty")
    assert world.call("rule", "add", "shell", hint, "-p", "normal").code == 0
    session = Claude(world.root)
    session.start()
    for command in ("ls", "uv run pytest -q", "pytest -v"):
        assert session.before("Bash", command=command).context == ""
    shown = session.before("Bash", command="cd src && pytest -q").context
    assert shown == f"Rules for `Bash`:\n- **[normal]** {hint}"
    assert session.before("Bash", command="pytest -q").context == ""
    assert session.failed("Bash", command="pytest -q").context == ""


def test_another_normal_rule_is_not_shown_at_calls(tmp_path):
    world = World(tmp_path).vault("empty")
    text = "`pytest -q` is slow here"
    assert world.call("rule", "add", "shell", text, "-p", "normal").code == 0
    session = Claude(world.root)
    assert session.before("Bash", command="pytest -q").context == ""
