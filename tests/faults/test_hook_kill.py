"""A hook killed at any call: each typed message is captured once, or once more with
the same result, and none is lost or stuck."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.faults import hook_driver, kill
from tests.faults.hook_driver import BAN

pytestmark = pytest.mark.skipif(not kill.has_strace(), reason=kill.MISSING)

DRIVER = str(kill.ROOT / "tests/faults/hook_driver.py")
BANS = (BAN, "never use sudo.")
RULES = ("never-use-rsync", "never-use-sudo")


def hook(event: str) -> list[str]:
    return [DRIVER, event, "{vault}"]


def empty(vault: Path) -> None:
    vault.joinpath("toolmem.toml").write_text("schema = 1\n")


def with_messages(vault: Path) -> None:
    """A message in each place where one can wait."""
    empty(vault)
    hook_driver.leave_waiting(vault, BANS[0])
    hook_driver.leave_waiting(vault, BANS[1], outside=True)


def with_a_turn(vault: Path) -> None:
    """Return what a session's hooks stored of one turn: a message and a call."""
    empty(vault)
    folder = vault / ".toolmem/sessions"
    folder.mkdir(parents=True)
    about = {"session": "s-1", "cwd": str(vault)}
    call = {"name": "Bash", "args": {"command": "ls"}, "output": "", "exit_code": 1}
    lines = [{**about, "prompt": "0:0:s-1@1"}, {**about, "call": call}]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    folder.joinpath("s-1.jsonl").write_text(text)


def rules(vault: Path) -> list[str]:
    """The rule files without their ids."""
    found = vault.glob("*/rules/*/*.toml")
    return sorted(path.stem.rpartition("-")[0] for path in found)


def left_over(vault: Path) -> list[str]:
    """Messages that still wait."""
    return [path.name for path in vault.glob(".toolmem/**/waiting/*.json")]


def killed(
    case: kill.Case, vault: Path, choose: Callable[[kill.Point], bool]
) -> Iterator[kill.Point]:
    """Kill a hook at each of the chosen points, on a fresh vault."""
    chosen = kill.sampled(
        [point for point in kill.points(case, vault) if choose(point)]
    )
    assert len(chosen) > 2
    for point in chosen:
        kill.kill_at(case, vault, point)
        yield point


def in_queue(point: kill.Point) -> bool:
    """The calls that take and forget messages, and those that write the rule."""
    return "/waiting" in point.text or "/rules/" in point.text


def in_journal(point: kill.Point) -> bool:
    """The calls that take and forget a journal, and some that write what it says."""
    is_commit = "state.db-wal" in point.text and point.number % 8 == 0
    return "/sessions" in point.text or is_commit


def take_messages(vault: Path, choose: Callable[[kill.Point], bool]) -> list[str]:
    wrong = []
    case = kill.Case(hook("Stop"), with_messages, loaded="hooks")
    for point in killed(case, vault, choose):
        again = kill.run(case, vault)
        found = rules(vault), left_over(vault)
        if found != (sorted(RULES), []):
            wrong.append(f"killed at {point}: {found} {again.stderr}")
    return wrong


def type_message(vault: Path, choose: Callable[[kill.Point], bool]) -> list[str]:
    """Kill the hook that a ban is typed to; then no one types it again."""
    wrong = []
    case = kill.Case(hook("UserPromptSubmit"), empty, loaded="hooks")
    for point in killed(case, vault, choose):
        stored = list(vault.glob(".toolmem/waiting/*.json"))
        done = any(_is_whole(path) for path in stored) or bool(rules(vault))
        kill.run(replace(case, command=hook("Stop")), vault)
        wanted = [[RULES[0]]] if done else [[], [RULES[0]]]
        if rules(vault) not in wanted or left_over(vault):
            wrong.append(f"killed at {point}: {done} {rules(vault)}")
    return wrong


def _is_whole(path: Path) -> bool:
    try:
        return bool(json.loads(path.read_text()))
    except ValueError:
        return False


def count_turns(vault: Path, choose: Callable[[kill.Point], bool]) -> list[str]:
    """Kill the hook that processes a turn; then a session begins."""
    wrong = []
    case = kill.Case(hook("Stop"), with_a_turn, loaded="hooks")
    for point in killed(case, vault, choose):
        kill.run(replace(case, command=hook("SessionStart")), vault)
        with sqlite3.connect(vault / ".toolmem/state.db") as state:
            turns = state.execute("SELECT session, turn FROM turns").fetchall()
            calls = state.execute("SELECT tool, calls FROM calls").fetchall()
        left = sorted(path.name for path in vault.glob(".toolmem/sessions/s-1.jsonl*"))
        if (turns, calls, left) != ([("s-1", 0)], [("bash", 1)], []):
            wrong.append(f"killed at {point}: {turns} {calls} {left}")
    return wrong


@pytest.mark.sampled
def test_messages_that_wait_survive_a_hook_killed_at_the_queue(tmp_path):
    assert take_messages(tmp_path / "vault", in_queue) == []


@pytest.mark.sampled
def test_a_typed_message_survives_a_hook_killed_once_it_is_stored(tmp_path):
    assert type_message(tmp_path / "vault", in_queue) == []


@pytest.mark.sampled
def test_a_typed_message_waits_before_anything_else_stores_it(tmp_path):
    vault = tmp_path / "vault"
    case = kill.Case(hook("UserPromptSubmit"), empty, loaded="hooks")
    for point in killed(case, vault, lambda one: ".typed" in one.text):
        stored = [_is_whole(path) for path in vault.glob(".toolmem/waiting/*.json")]
        assert stored == [True], point


@pytest.mark.sampled
def test_a_turn_is_counted_once_though_its_hook_was_killed(tmp_path):
    assert count_turns(tmp_path / "vault", in_journal) == []


@pytest.mark.soak
@pytest.mark.parametrize("sweep", [take_messages, type_message, count_turns])
def test_so_it_is_at_every_other_call(sweep, tmp_path):
    assert sweep(tmp_path / "vault", lambda _: True) == []
