from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.guard.calling import CWD, HOME, reading_of
from tests.examples import examples
from toolmem.core.guard.verdict import Match, match_guard
from toolmem.core.model import Action, Problem
from toolmem.core.rules.guard_table import GUARD_KEYS, Guard, parse_guards


def parse(table: dict[str, Any]) -> tuple[Guard, list[tuple[str, str]]]:
    guards, problems = parse_guards([table], path="r.toml")
    return guards[0], [(problem.code, problem.message) for problem in problems]


@pytest.mark.parametrize(
    ("table", "wanted"),
    [
        ({}, Guard()),
        ({"action": "ask"}, Guard(Action.ASK)),
        ({"contains": "a"}, Guard(contains=("a",))),
        ({"contains": ["a", "b"]}, Guard(contains=("a", "b"))),
        ({"within": "docs/**"}, Guard(within=("docs/**",))),
        ({"within": {"outside": ["a", "b"]}}, Guard(without=("a", "b"))),
        ({"argument": "File_Path"}, Guard(argument=("filepath",))),
        ({"argument": ["to", "cc"]}, Guard(argument=("to", "cc"))),
        ({"command": "git push"}, Guard(command=(("git", "push"),))),
        ({"command": ["git", "push"]}, Guard(command=(("git", "push"),))),
        (
            {"command": ["git", ["push", "reset"]]},
            Guard(command=(("git", "push"), ("git", "reset"))),
        ),
        (
            {"command": [["git", "push"], ["rm", ["-r", "-f"]]]},
            Guard(command=(("git", "push"), ("rm", "-r"), ("rm", "-f"))),
        ),
        (
            {
                "path": "~/x",
                "match": ["~/x", {"path": "y"}, ["a", "b"]],
                "not_match": "z",
            },
            Guard(
                path=("~/x",),
                match=("~/x", {"path": "y"}, ("a", "b")),
                not_match=("z",),
            ),
        ),
    ],
)
def test_a_table_becomes_a_guard(table, wanted) -> None:
    assert parse(table) == (wanted, [])


@pytest.mark.parametrize(
    ("table", "code", "message"),
    [
        ({"comand": "x"}, "guard-key", "no key 'comand'; did you mean 'command'?"),
        (
            {"action": "block"},
            "guard",
            "action: expected deny, ask or warn, found 'block'",
        ),
        (
            {"action": "allow"},
            "guard",
            "action: expected deny, ask or warn, found 'allow'",
        ),
        (
            {"action": ["deny"]},
            "guard",
            "action: expected deny, ask or warn, found ['deny']",
        ),
        (
            {"contains": ""},
            "guard",
            "contains: expected a string or a list of strings, found ''",
        ),
        (
            {"host": []},
            "guard",
            "host: expected a string or a list of strings, found []",
        ),
        ({"path": 7}, "guard", "path: expected a string or a list of strings, found 7"),
        ({"regex": "(a)\\1"}, "guard", "regex: '(a)\\\\1' is refused: back-references"),
        ({"glob": "?" * 600}, "guard", "glob: the pattern is too large"),
        ({"command": []}, "guard", "command: expected a list of words, found []"),
        (
            {"command": ["git push", "git reset"]},
            "guard",
            'command: expected one word for each item, such as ["git", "push"],'
            " found ['git push', 'git reset']",
        ),
        (
            {"command": ["--force"]},
            "guard",
            'command: expected one word for each item, such as ["git", "push"], '
            "found ['--force']",
        ),
        (
            {"command": [["a", "b"]] * 65},
            "guard",
            "command: more than 64 command lines",
        ),
        (
            {"match": 7},
            "guard",
            "match: expected a command or a call's arguments, found 7",
        ),
    ],
)
def test_a_guard_that_cannot_be_read_asks_before_every_call(
    table, code, message
) -> None:
    guard, problems = parse(table)
    assert problems == [(code, f"guard 1: {message}")]
    assert guard.broken == f"the guard of this rule: {message}"
    assert match_guard(guard, reading_of({})) == Match(Action.ASK, guard.broken, True)


def test_an_unknown_key_beside_a_condition_does_not_disarm_the_guard() -> None:
    tables: list[Any] = [{"contains": "a", "remark": 1}, "x"]
    guards, problems = parse_guards(tables, path="r.toml")
    assert guards == (Guard(contains=("a",)), Guard(broken="the guard is not a table"))
    assert problems == (
        Problem("r.toml", 0, "guard-key", "guard 1: no key 'remark'"),
        Problem("r.toml", 0, "guard", "guard 2: not a table"),
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("abc_", max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


@examples(150)
@given(st.dictionaries(st.sampled_from([*GUARD_KEYS, "x"]), JSON, max_size=5), JSON)
def test_no_table_and_no_call_breaks_the_guard(table, value) -> None:
    guards, problems = parse_guards([table], path="r.toml")
    match = match_guard(guards[0], reading_of({"command": value, "a": value}))
    assert match is None or match.action is not Action.ALLOW
    assert all(problem.path == "r.toml" for problem in problems)


def test_the_calling_helper_uses_one_project() -> None:
    assert (reading_of({}).call.cwd, reading_of({}).call.home) == (CWD, HOME)
