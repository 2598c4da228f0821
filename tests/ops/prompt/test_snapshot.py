"""A block that stays for a session, and what is said below it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.core.prompt.hostile import TEXTS
from toolmem.core.prompt.since import (
    SINCE_TITLE,
    BlockChange,
    BlockRow,
    changes_between,
    since_text,
)
from toolmem.core.text.tokens import estimate_tokens


def rule_row(tool: str, priority: str, text: str, rule_id: str) -> BlockRow:
    shown = priority != "normal"
    return BlockRow("rules", rule_id, text, f"{rule_id}.toml", shown, tool, priority)


ROWS = st.lists(
    st.builds(
        rule_row,
        st.sampled_from(["_any", "shell", "git`"]),
        st.sampled_from(["critical", "high"]),
        TEXTS,
        st.sampled_from(["a", "b", "c", "d"]),
    ),
    max_size=5,
    unique_by=lambda row: row.id,
)


@pytest.mark.parametrize(
    ("before", "after", "action"),
    [
        ("high", "critical", "raised"),
        ("normal", "high", "raised"),
        ("critical", "high", "lowered"),
        ("high", "normal", "lowered"),
        ("high", "high", "changed"),
    ],
)
def test_a_rule_that_changed_is_one_change(before, after, action):
    same = rule_row("shell", "high", "same", "b")
    old = rule_row("shell", before, "old", "a")
    new = rule_row("shell", after, "new", "a")
    change = BlockChange(action, new)
    assert changes_between([old, same], [same, new]) == (change,)
    line = f"- {action} for `shell`: **[{after}]** new\n"
    assert since_text([change]).endswith(f"\n\n{line}")


def test_normal_rules_that_come_change_and_go_are_no_change():
    before = [rule_row("shell", "normal", text, text[0]) for text in ("old", "gone")]
    after = [rule_row("shell", "normal", text, text[0]) for text in ("one", "came")]
    assert changes_between(before, after) == ()


def test_no_change_is_no_section():
    assert since_text(changes_between([], [])) == ""


@given(ROWS, ROWS, st.randoms())
def test_the_order_of_the_rules_does_not_matter(before, after, random):
    changes = changes_between(before, after)
    random.shuffle(before)
    random.shuffle(after)
    assert changes_between(before, after) == changes
    old, new = ({row.id: row for row in rows} for rows in (before, after))
    kept = {key for key in old.keys() & new.keys() if old[key].tool == new[key].tool}
    moved = (old.keys() & new.keys()) - kept
    changed = {key for key in kept if old[key] != new[key]}
    alone = old.keys() ^ new.keys()
    assert len(changes) == len(changed) + len(alone) + 2 * len(moved)


@given(ROWS, ROWS, st.integers(0, 400))
def test_critical_rules_that_came_are_shown_whatever_the_room(before, after, room):
    changes = changes_between(before, after)
    text = since_text(changes, lambda text: len(text) <= room)
    critical = (c for c in changes if c.row.priority == "critical")
    came = [c for c in critical if c.action != "retired"]
    assert text.count("**[critical]** ") >= len(came)
    lines = [line for line in text.split("\n") if line.startswith("- ")]
    if not came or len(lines) > len(came) + 1:
        assert len(text) <= room
    hard = since_text(changes, lambda text: len(text) <= room, hard=True)
    assert len(hard) <= room


@given(ROWS, st.integers(100, 500))
def test_as_many_changes_are_shown_as_there_is_room_for(after, room):
    changes = changes_between([], after)
    text = since_text(changes, lambda text: len(text) <= room, hard=True)
    shown = text.count("\n- added for ")
    more = since_text(changes, lambda text: text.count("\n- added for ") <= shown + 1)
    assert not text or shown == len(changes) or len(more) > room


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
    vault.call("rule", "archive", "x", "--reason", "allowed now")
    vault.call("rule", "add", "git", "never rebase", "-p", "critical")
    again = vault.call("prompt", "--session", "s").stdout
    assert again == (
        f"{first}\n{SINCE_TITLE}\n\n"
        "- added for `git`: **[critical]** never rebase\n"
        "- no longer applies to `shell`: never push\n"
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


def test_a_rule_that_is_raised_or_lowered_is_one_line(vault):
    call = vault.call
    call("rule", "add", "git", "never rebase", "-p", "high", "--no-guard")
    call("prompt", "--session", "s")
    made = json.loads(call("rule", "list", "git", "--json").stdout)[0]["id"]
    call("rule", "edit", made, "-p", "critical")
    raised = call("prompt", "--session", "s").stdout
    call("rule", "edit", made, "-p", "normal")
    lowered = call("prompt", "--session", "s").stdout
    assert [text.partition(SINCE_TITLE)[2].strip() for text in (raised, lowered)] == [
        "- raised for `git`: **[critical]** never rebase",
        "- lowered for `git`: **[normal]** never rebase",
    ]


@pytest.mark.parametrize("limit", ["--budget", "--max-chars"])
def test_what_is_told_since_is_within_the_limits_of_the_block(vault, limit):
    block = vault.call("prompt").stdout
    size = estimate_tokens(block) if limit == "--budget" else len(block)
    measure = estimate_tokens if limit == "--budget" else len
    asked = [("prompt", "--session", "s", limit, str(size + n)) for n in (0, 25, 200)]
    for words in asked:
        assert vault.call(*words).stdout == block
    for number in range(20):
        vault.call("rule", "add", "git", f"rule {number}", "-p", "high", "--no-guard")
    done = [vault.call(*words) for words in asked]
    assert [
        (one.code, measure(one.stdout) <= int(one.command.split()[-1])) for one in done
    ] == [(0, True)] * 3
    assert done[0].stdout == block
    assert "20 changes since the session began did not fit" in done[0].stderr
    hint = done[2].stdout.splitlines()[-1]
    assert hint.startswith("- ")
    command = hint.split("`")[1].split()
    assert command[0] == "toolmem"
    assert vault.call(*command[1:]).stdout.count("rule ") == 20
    vault.call("rule", "add", "git", "never rebase", "-p", "critical", "--no-guard")
    assert vault.call(*asked[0]).code == 21
    refreshed = vault.call(*asked[0], "--refresh")
    assert "never rebase" in refreshed.stdout
