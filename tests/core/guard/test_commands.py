import pytest

from tests.core.guard.command_table import (
    FORCE_PUSH,
    FORCE_PUSHES,
    INNOCENT,
    OTHERS,
)
from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.commands import read_shell
from toolmem.core.guard.guards import match_guard
from toolmem.core.guard.reading import Reading
from toolmem.core.guard.tables import parse_guards


def answer(command, text) -> str:
    guards, problems = parse_guards([{"command": command}], path="r.toml")
    assert problems == ()
    call = ToolCall("bash", {"command": text})
    match = match_guard(guards[0], Reading(call, read_shell))
    return match.action.value if match else "allow"


@pytest.mark.parametrize(("text", "wanted"), FORCE_PUSHES)
def test_force_push_is_found_however_it_is_written(text, wanted) -> None:
    assert answer(FORCE_PUSH, text) == wanted


@pytest.mark.parametrize("text", INNOCENT)
def test_what_only_looks_like_a_force_push_is_allowed(text) -> None:
    assert answer(FORCE_PUSH, text) == "allow"


@pytest.mark.parametrize(("command", "text", "wanted"), OTHERS)
def test_options_match_in_any_order_and_spelling(command, text, wanted) -> None:
    assert answer(command, text) == wanted


def test_the_table_is_as_long_as_promised() -> None:
    assert len(FORCE_PUSHES) + len(INNOCENT) + len(OTHERS) >= 150
