"""A session's block and what is below it say together which rules are in effect.

Rules are added, raised, lowered, reworded, overridden, archived and expire, in any
order; after each step the block is asked for again, with and without limits.
"""

import json
import re
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.world import World
from toolmem.core.prompt.since import SINCE_TITLE
from toolmem.core.text.tokens import estimate_tokens

PRIORITIES = ("critical", "high", "normal")
_number = st.integers(0, 3)
_step = st.one_of(
    st.tuples(st.just("add"), _number, st.sampled_from(PRIORITIES)),
    st.tuples(st.just("priority"), _number, st.sampled_from(PRIORITIES)),
    st.tuples(st.just("text"), _number, st.sampled_from(["one", "two"])),
    st.tuples(st.just("override"), _number, st.sampled_from(PRIORITIES)),
    st.tuples(st.just("disable"), _number, st.just("")),
    st.tuples(st.just("archive"), _number, st.just("")),
    st.tuples(st.just("expire"), _number, st.just("")),
    st.tuples(st.just("wait"), st.just(0), st.just("")),
)
_limit = st.one_of(
    st.just(()),
    st.tuples(st.sampled_from(["--budget", "--max-chars"]), st.integers(40, 900)),
)
_LINE = re.compile(r"- \*\*\[(critical|high)\]\*\* (.+)")
_CHANGE = re.compile(
    r"- (added|raised|lowered|changed|no longer applies) (?:for|to) `(\w+)`: "
    r"(?:\*\*\[(\w+)\]\*\* )?(.+)"
)


def applied(world: World, step: tuple[str, int, str]) -> None:
    """Change the vault; what cannot be done changes nothing."""
    kind, number, value = step
    call, rule = world.call, f"r{number}"
    if kind == "add":
        text = f'id = "{rule}"\ntool = "t{number}"\nrule = "{rule} as it was"\n'
        world.write(
            f"system/rules/t{number}/{rule}.toml", f'{text}priority = "{value}"\n'
        )
    elif kind == "priority":
        call("rule", "edit", rule, "-p", value, "--scope", "system")
    elif kind == "text":
        call(
            "rule", "edit", rule, "--text", f"{rule} says {value}", "--scope", "system"
        )
    elif kind == "override":
        scope = ("--scope", "project:p", "--reason", "so it is here")
        call("rule", "override", rule, "-p", value, *scope)
    elif kind == "disable":
        scope = ("--scope", "project:p", "--reason", "not here")
        call("rule", "override", rule, "--disable", *scope)
    elif kind == "archive":
        call("rule", "archive", rule, "--scope", "system", "--reason", "gone")
    elif kind == "expire":
        at = (world.now + timedelta(days=2)).isoformat()
        call("rule", "edit", rule, "--expires", at, "--scope", "system")
    else:
        world.clock(days=1)


def in_effect(world: World) -> dict[str, tuple[str, str]]:
    """Priority and text of each rule in effect, by its tool."""
    done = world.call("rule", "list", "--effective", "--json", "--project", "p")
    return {r["tool"]: (r["priority"], r["rule"]) for r in json.loads(done.stdout)}


def shown(text: str) -> dict[str, tuple[str, str]]:
    """Priority and text of each rule of a block without its last section, by tool."""
    found = {}
    tool = ""
    for line in text.partition(SINCE_TITLE)[0].splitlines():
        if line.startswith("### `"):
            tool = line[5:-1]
        elif rule := _LINE.fullmatch(line):
            found[tool] = (rule[1], rule[2])
    return found


def told(text: str) -> tuple[dict[str, tuple[str, str]], set[str], bool]:
    """Rules by tool as the block and its last section say; tools of the section."""
    found, changed = shown(text), []
    section = text.partition(SINCE_TITLE)[2]
    for line in filter(None, section.splitlines()):
        if change := _CHANGE.fullmatch(line):
            changed.append(change[2])
            if change[1] == "no longer applies":
                assert found.pop(change[2])[1] == change[4]
            else:
                assert (change[2] in found) or change[1] in ("added", "raised")
                found[change[2]] = (change[3], change[4])
        else:
            assert "more change" in line, line
    assert len(changed) == len(set(changed)), section
    return found, set(changed), "more change" in section


def pinned_only(rules: dict[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    return {tool: rule for tool, rule in rules.items() if rule[0] == "critical"}


def seen(rules: dict[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    return {tool: rule for tool, rule in rules.items() if rule[0] != "normal"}


def session_says_what_is_in_effect(folder, before, after, limit) -> None:
    world = World(folder).write("toolmem.toml", "schema = 1\n")
    for step in before:
        applied(world, step)
    plain = ("prompt", "--project", "p", "--only", "rules", "--session", "s")
    limited = (*plain, *map(str, limit))
    first = world.call(*plain).stdout
    start = world.call(*limited)
    for step in after:
        applied(world, step)
        done = world.call(*plain)
        current = in_effect(world)
        assert done.stdout.startswith(first)
        assert done.code == 0
        found, changed, _ = told(done.stdout)
        assert seen(found) == seen(current)
        assert len(changed) == len(done.stdout[len(first) :].splitlines()[3:])
        if limit:
            within_limits(world.call(*limited), start, limit, current)


def within_limits(done, start, limit, current) -> None:
    option, most = limit
    measure = estimate_tokens if option == "--budget" else len
    assert done.stdout.startswith(start.stdout)
    found, changed, _ = told(done.stdout)
    assert pinned_only(current).items() <= found.items()
    over = measure(done.stdout) > most
    assert done.code == (21 if over else 0)
    if over:
        new = {tool for tool in changed if current[tool][0] == "critical"}
        assert start.code == 21 or new


_sessions = given(
    st.lists(_step, max_size=6), st.lists(_step, min_size=1, max_size=4), _limit
)


@_sessions
@examples(60)
def test_block_and_changes_are_the_rules_in_effect(
    tmp_path_factory, before, after, limit
):
    folder = tmp_path_factory.mktemp("session")
    session_says_what_is_in_effect(folder, before, after, limit)


@pytest.mark.soak
@_sessions
@examples(600, derandomize=False)
def test_block_and_changes_are_the_rules_in_effect_at_length(
    tmp_path_factory, before, after, limit
):
    folder = tmp_path_factory.mktemp("session")
    session_says_what_is_in_effect(folder, before, after, limit)


@pytest.fixture
def history(world):
    """A rule a day from 1 to 5 April, each of which expires three days later."""
    world.write("toolmem.toml", "schema = 1\n")
    for day in range(1, 6):
        world.clock(at=f"2026-04-{day:02}T12:00:00+00:00")
        expiry = f"2026-04-{day + 3:02}T12:00:00Z"
        text = f'id = "r{day}"\ntool = "t{day}"\nrule = "of {day}"\npriority = "high"\n'
        world.write(
            f"system/rules/t{day}/r.toml", f"{text}expires_at = {expiry}\n"
        ).commit()
    return world.clock(at="2026-04-12T12:00:00+00:00")


@pytest.mark.parametrize("hour", ["", "T06:00", "T18:00Z"])
def test_at_a_date_shows_what_was_committed_and_had_not_expired(history, hour):
    for day in range(1, 12):
        done = history.call(
            "prompt", "--only", "rules", "--at", f"2026-04-{day:02}{hour}"
        )
        late = hour != "T06:00"
        wanted = [n for n in range(1, 6) if n < day + late and day + late <= n + 3]
        if day == 1 and not late:
            assert done.code == 12  # nothing was committed yet
        else:
            assert [int(text[3:]) for _, text in shown(done.stdout).values()] == wanted


def test_at_the_date_of_today_shows_what_has_not_expired_yet(history):
    history.clock(at="2026-04-08T11:00:00+00:00")
    done = history.call("prompt", "--only", "rules", "--at", "2026-04-08")
    assert [text for _, text in shown(done.stdout).values()] == ["of 5"]
