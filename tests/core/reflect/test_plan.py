"""A plan reads back as it was written, whatever is in it."""

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.reflect.plan import (
    CONTEST,
    FACT,
    LOOK,
    MERGE,
    PROMOTE,
    RETIRE,
    RULE,
    Plan,
    Step,
    Version,
    parse_plan,
    plan_text,
)
from toolmem.errors import InvalidFileError

NOW = datetime(2026, 4, 20, 12, 0, tzinfo=UTC)
LINE = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30)
TEXT = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60),
    st.lists(
        st.sampled_from(
            ["'''", "a.b.c.d.e.f.g.h.i.j = 1", "=======", "x'", "", "\r", "\t"]
        )
    )
    .map("\n".join)
    .filter(bool),
)
VERSION = st.builds(
    Version,
    st.from_regex(r"[a-z][a-z /.'\"=\\-]{0,20}[a-z]", fullmatch=True),
    st.from_regex(r"[0-9a-f]{40}", fullmatch=True),
)


def files(least: int = 1, most: int = 3) -> st.SearchStrategy:
    unique = st.lists(
        VERSION, min_size=least, max_size=most, unique_by=lambda v: v.path
    )
    return unique.map(tuple)


def steps(action: str, **given: st.SearchStrategy) -> st.SearchStrategy:
    table = {"action": st.just(action), "reason": LINE, **given}
    return st.fixed_dictionaries(table).map(lambda found: Step(**found))


STEP = st.one_of(
    steps(LOOK, files=files(0)),
    steps(RETIRE, files=files()),
    steps(MERGE, files=files(), text=TEXT),
    steps(PROMOTE, files=files(), text=TEXT, scope=st.just("agent-type:x")),
    steps(CONTEST, files=files(2, 2)),
    steps(FACT, files=files(0), scope=st.just("system"), key=LINE, value=LINE),
    steps(
        RULE,
        scope=st.just("project:p"),
        tool=LINE,
        text=LINE,
        priority=st.sampled_from(["critical", "high", "normal"]),
    ),
)


@examples(60)
@given(st.lists(STEP, max_size=3))
def test_a_plan_reads_back_as_it_was_written(steps):
    plan = Plan(NOW, tuple(steps))
    assert parse_plan(plan_text(plan), "plan.toml") == plan


@examples(50)
@given(st.text())
def test_any_text_is_refused_with_its_name_or_read(text):
    with suppress(InvalidFileError):
        assert parse_plan(text, "plan.toml").made_at


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (
            "action = 'contest'\nreason = 'r'\nfiles = ['{0} a.md']",
            "contest: expected two files",
        ),
        ("action = 'merge'\nreason = 'r'", "merge: files is missing"),
        ("action = 'merge'\nreason = 'r'\nfiles = ['a.md']", "expected a git blob id"),
        (
            "action = 'merge'\nreason = 'r'\nfiles = 'a.md'",
            "files: expected a list of strings",
        ),
        ("action = 'look'\nreason = ''", "look: reason is missing"),
        (
            "action = 'retire'\nreason = 'r'\nfiles = ['{0} a', '{0} a']",
            "the same path",
        ),
        (
            "action = 'rule'\nreason = 'r'\nscope = 'system'\ntool = 't'\ntext = 'x'\n"
            "priority = 'urgent'",
            "no priority 'urgent'",
        ),
        (
            "action = 'fact'\nreason = 'r'\nscope = 'nowhere'\nkey = 'k'\nvalue = 'v'",
            "scope: ",
        ),
        ("action = 1\nreason = 'r'", "action: expected a quoted string"),
    ],
)
def test_what_is_wrong_with_a_step_is_told_with_its_line(lines, reason):
    text = f"made_at = 2026-04-20T12:00:00Z\n[[step]]\n{lines.format('a' * 40)}\n"
    with pytest.raises(InvalidFileError) as caught:
        parse_plan(text, "plan.toml")
    assert str(caught.value).startswith("plan.toml:2: ")
    assert reason in str(caught.value)
