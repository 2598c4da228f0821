"""A block that stays for a session, and what is said below it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.core.prompt.hostile import TEXTS
from toolmem.ops.prompt.snapshot import (
    SINCE_TITLE,
    RuleChange,
    changes_between,
    since_text,
)

ROWS = st.lists(
    st.tuples(
        st.sampled_from(["_any", "shell", "git`"]),
        st.sampled_from(["critical", "high"]),
        TEXTS,
        st.sampled_from(["a", "b", "c", "d"]),
    ),
    max_size=5,
    unique_by=lambda row: row[3],
)


def test_a_rule_that_changed_is_one_retired_and_one_added():
    before = [("shell", "high", "old", "a"), ("shell", "high", "same", "b")]
    after = [("shell", "high", "same", "b"), ("shell", "critical", "new", "a")]
    assert changes_between(before, after) == (
        RuleChange("added", "shell", "critical", "new", "a"),
        RuleChange("retired", "shell", "high", "old", "a"),
    )


def test_no_change_is_no_section():
    assert since_text(changes_between([], [])) == ""


@given(ROWS, ROWS, st.randoms())
def test_the_order_of_the_rules_does_not_matter(before, after, random):
    changes = changes_between(before, after)
    random.shuffle(before)
    random.shuffle(after)
    assert changes_between(before, after) == changes
    assert len(changes) == len({*before} ^ {*after})


@given(ROWS, ROWS, st.integers(0, 400))
def test_added_critical_rules_stand_whatever_the_room(before, after, room):
    changes = changes_between(before, after)
    text = since_text(changes, room)
    added = [c for c in changes if (c.action, c.priority) == ("added", "critical")]
    assert text.count("**[critical]** ") >= len(added)
    lines = [line for line in text.split("\n") if line.startswith("- ")]
    if len(lines) > len(added) + 1:
        assert len(text) <= room


@given(ROWS)
def test_the_section_is_one_heading_and_one_item_for_each_change(after):
    text = since_text(changes_between([], after))
    tokens = MarkdownIt().parse(text)
    kinds = [token.type for token in tokens]
    assert kinds.count("heading_open") == bool(after)
    assert kinds.count("list_item_open") == len(after)
    assert not {"html_block", "fence", "code_block"} & set(kinds)


@pytest.fixture
def vault(world):
    rule = 'id = "x"\ntool = "shell"\nrule = "never push"\npriority = "critical"\n'
    return world.vault("empty").write("system/rules/shell/x.toml", rule)


def test_a_session_outlives_the_rules_that_it_began_with(vault):
    first = vault.call("prompt", "--session", "s").stdout
    vault.call("rule", "delete", "x")
    vault.call("rule", "add", "git", "never rebase", "-p", "critical")
    again = vault.call("prompt", "--session", "s").stdout
    assert again == (
        f"{first}\n{SINCE_TITLE}\n\n"
        "- added for `git`: **[critical]** never rebase\n"
        "- no longer holds for `shell`: never push\n"
    )
    assert vault.call("prompt", "--session", "s").stdout == again
    assert vault.call("prompt", "--session", "t").stdout != first


def test_other_flags_are_another_block_of_the_session(vault):
    whole = vault.call("prompt", "--session", "s").stdout
    rules = vault.call("prompt", "--session", "s", "--only", "rules").stdout
    assert rules != whole
    assert vault.call("prompt", "--session", "s").stdout == whole


def test_local_state_may_go_at_any_time(vault):
    first = vault.call("prompt", "--session", "s")
    for path in (vault.root / ".toolmem").iterdir():
        path.unlink()
    assert vault.call("prompt", "--session", "s")._replace(command="") == (
        first._replace(command="")
    )
