"""Merges by example: what is united, what the later side decides, what conflicts."""

from datetime import UTC, datetime

import pytest

from tests.growth import is_linear
from toolmem.core.formats.toml_text import parse_toml
from toolmem.core.merge.lines import merge_text
from toolmem.core.merge.merge import merge_file
from toolmem.core.merge.open_conflicts import conflicts_of, resolve_conflict
from toolmem.core.merge.result import Conflict
from toolmem.core.merge.stretches import sides_of
from toolmem.core.merge.tables import merge_tables
from toolmem.core.rules.compose import rule_file_text
from toolmem.errors import InvalidFileError, UsageError

MORNING, NOON = (datetime(2026, 4, 7, hour, tzinfo=UTC) for hour in (8, 12))
BASE = """\
# who wrote this
id = "7b1e0c52"
tool = "shell"
rule = "never push"   # to main
priority = "high"
tags = ["a"]
updated_at = 2026-04-07T10:00:00Z
"""
OURS = BASE.replace('"high"', '"critical"').replace('["a"]', '["a", "b"]')
THEIRS = (
    BASE.replace("T10", "T12").replace('["a"]', '["a", "c"]')
    + "\n# theirs\nagent = 'x'\n"
)


def test_what_both_did_is_in_the_merged_rule_comments_and_all():
    merged = merge_file("rule", BASE, OURS, THEIRS, "f")
    assert merged.conflicts == ()
    assert merged.text == (
        "# who wrote this\n"
        'id = "7b1e0c52"\n'
        'tool = "shell"\n'
        'rule = "never push"   # to main\n'
        'priority = "critical"\n'
        'tags = ["a", "b", "c"]\n'
        "updated_at = 2026-04-07T12:00:00Z\n"
        "\n# theirs\nagent = 'x'\n"
    )


@pytest.mark.parametrize(
    ("key", "base", "ours", "theirs", "value", "other"),
    [
        ("priority", "normal", "high", "critical", "critical", None),
        ("priority", "high", "critical", "normal", "critical", "normal"),
        ("rule", "a", "Never push.", "never push", "never push", None),
        ("rule", "a", "b", "c", "b", "c"),
        ("evidence", "a", "b", "c", "c", None),
        ("enabled", None, False, True, False, True),
        ("unknown", 1, 2, 3, 2, 3),
        ("unknown", None, 1, True, 1, True),
        ("tags", ["a", "b"], ["a"], ["a", "b", "c"], ["a", "c"], None),
        ("tags", ["a"], None, ["a", "b"], ["b"], None),
        ("tags", None, ["a"], "a", ["a"], "a"),
    ],
)
def test_a_key_that_both_changed(key, base, ours, theirs, value, other):
    sides = [{} if v is None else {key: v} for v in (base, ours, theirs)]
    sides[1]["updated_at"], sides[2]["updated_at"] = MORNING, NOON
    merged = merge_tables(*sides)
    assert merged.table[key] == value
    assert merged.table.get("conflict", {}).get(key) == other


def test_a_key_that_one_took_away_and_the_other_changed_is_a_conflict():
    merged = merge_tables({"expires_at": 1}, {}, {"expires_at": 2})
    assert merged.table == {"conflict": {"expires_at": 2}}
    merged = merge_tables({"expires_at": 1}, {"expires_at": 2}, {})
    assert merged.table == {"expires_at": 2, "conflict": {"removed": ["expires_at"]}}


def test_a_conflict_that_one_side_settled_is_settled():
    base = {"rule": "a", "conflict": {"rule": "b"}}
    merged = merge_tables(base, {"rule": "b"}, {**base, "tags": ["x"]})
    assert merged.table == {"rule": "b", "tags": ["x"]}


def test_conflicts_of_both_sides_stay_open():
    ours = {"rule": "a", "conflict": {"rule": "b"}}
    theirs = {"rule": "a", "conflict": {"rule": "c", "tool": "x"}}
    merged = merge_tables({"rule": "a"}, ours, theirs)
    assert merged.table == {"rule": "a", "conflict": {"rule": ["b", "c"], "tool": "x"}}
    assert len(merged.conflicts) == 3


CONFLICT = merge_file(
    "rule", BASE, BASE.replace("never", "do not"), BASE.replace("never", "always"), "f"
).text


@pytest.mark.parametrize(
    ("take", "text"), [("ours", "do not push"), ("theirs", "always push")]
)
def test_a_conflict_is_settled_for_a_side(take, text):
    [conflict] = conflicts_of("rule", CONFLICT, "f")
    assert conflict == Conflict("rule", "do not push", "always push", 9)
    settled = resolve_conflict("rule", CONFLICT, conflict, take, "f")
    assert settled == BASE.replace("never push", text)


@pytest.mark.parametrize("take", ["stricter", "both", "mine"])
def test_what_means_nothing_for_a_conflict_is_refused(take):
    [conflict] = conflicts_of("rule", CONFLICT, "f")
    with pytest.raises(UsageError):
        resolve_conflict("rule", CONFLICT, conflict, take, "f")


MEMORY = "---\ntopic: a\n---\n# T\n\none\ntwo\n"


def test_a_memory_has_conflicts_in_its_header_and_its_text():
    ours = MEMORY.replace("topic: a", "topic: b").replace("two", "2")
    theirs = MEMORY.replace("topic: a", "topic: c").replace("two", "zwei")
    merged = merge_file("memory", MEMORY, ours, theirs, "f.md")
    assert merged.text == (
        "---\ntopic: b\nconflict: {topic: c}\n---\n# T\n\none\n"
        "<!-- conflict: ours -->\n2\n<!-- conflict: theirs -->\nzwei\n"
        "<!-- conflict: end -->\n"
    )
    found = conflicts_of("memory", merged.text, "f.md")
    assert [(c.key, c.ours, c.theirs, c.line) for c in found] == [
        ("topic", "b", "c", 3),
        ("text:1", "2\n", "zwei\n", 8),
    ]
    text = merged.text
    for take, conflict in (("both", found[1]), ("theirs", found[0])):
        text = resolve_conflict("memory", text, conflict, take, "f.md") or ""
    assert text == "---\ntopic: c\n---\n# T\n\none\n2\nzwei\n"


def test_a_comment_cannot_be_broken_out_of():
    merged = merge_file("facts", "a: 1\n", "a: 2\n", "a: --> ## x\n", "f")
    assert merged.text == (
        'a: 2\n<!-- conflict: {"namespace": "project", "key": "a", "ours": "2", '
        '"theirs": "--\\u003e ## x"} -->\n'
    )
    [conflict] = conflicts_of("facts", merged.text, "f")
    assert (
        resolve_conflict("facts", merged.text, conflict, "theirs", "f")
        == "a: --> ## x\n"
    )


def test_facts_under_new_headings_stay_under_them():
    merged = merge_file(
        "facts", "a: 1\n", "a: 1\n\n## tools\nx: 1\n", "a: 1\nb: 2\n", "f"
    )
    assert merged.text == "a: 1\nb: 2\n\n## tools\nx: 1\n"


@pytest.mark.parametrize(
    ("kind", "side"),
    [
        ("rule", "id ="),
        ("memory", "---\na: [\n---\n"),
        ("rule", "<<<<<<< a\n"),
        ("facts", "<<<<<<< a\n"),
    ],
)
def test_a_side_that_cannot_be_read_is_refused(kind, side):
    with pytest.raises(InvalidFileError):
        merge_file(kind, "", "x = 1\n", side, "f")


def test_a_rule_of_wrong_types_is_neither_merged_nor_taken():
    with pytest.raises(InvalidFileError):
        merge_file("rule", BASE, OURS, BASE.replace('"high"', "3"), "f")
    text = BASE + "\n[conflict]\nguard = 3\n"
    [conflict] = conflicts_of("rule", text, "f")
    with pytest.raises(UsageError):
        resolve_conflict("rule", text, conflict, "theirs", "f")
    assert resolve_conflict("rule", text, conflict, "ours", "f") == BASE


FORCE = {"command": ["git", "push", "--force"], "action": "deny"}
TO_ORIGIN, TO_BACKUP = (
    {**FORCE, "unless": {"command": ["git", "push", "--force", remote]}}
    for remote in ("origin", "backup")
)
RSYNC = {"command": ["rsync"], "action": "deny"}


@pytest.mark.parametrize(
    ("ours", "theirs", "merged", "other"),
    [
        ([TO_ORIGIN], [TO_BACKUP], [TO_ORIGIN], [TO_BACKUP]),
        ([RSYNC], [TO_ORIGIN], [RSYNC], [TO_ORIGIN]),
        ([FORCE, RSYNC], [TO_ORIGIN], [TO_ORIGIN, RSYNC], None),
        ([], [TO_ORIGIN], [TO_ORIGIN], None),
        ([TO_ORIGIN], [TO_ORIGIN, RSYNC], [TO_ORIGIN], [TO_ORIGIN, RSYNC]),
    ],
)
def test_one_guard_that_both_replaced_is_a_conflict(ours, theirs, merged, other):
    sides = ({"rule": "x", "guard": guards} for guards in ([FORCE], ours, theirs))
    table = merge_tables(*sides).table
    assert table["guard"] == merged
    assert table.get("conflict") == (other and {"guard": [other]})


def test_a_conflict_of_guards_is_settled_by_either_side():
    base, ours, theirs = (
        rule_file_text({"id": "7b1e0c52", "tool": "shell", "rule": "x", "guard": [g]})
        for g in (FORCE, TO_ORIGIN, TO_BACKUP)
    )
    text = merge_file("rule", base, ours, theirs, "f").text
    assert merge_file("rule", base, text, text.replace("x", "y"), "f").conflicts
    [conflict] = conflicts_of("rule", text, "f")
    for take, guard in (("ours", TO_ORIGIN), ("theirs", TO_BACKUP)):
        settled = resolve_conflict("rule", text, conflict, take, "f")
        assert settled is not None
        assert parse_toml(settled, "f")["guard"] == [guard]
        assert conflicts_of("rule", settled, "f") == []


def test_what_is_not_ours_gets_the_marks_of_git():
    merged = merge_file("other", "a\n", "b\n", "c\n", "f")
    assert merged.text == "<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n"


def test_the_sides_of_gits_marks():
    text = "x\n<<<<<<< HEAD\na\n||||||| base\nb\n=======\nc\n>>>>>>> side\ny\n"
    assert sides_of(text, "f") == ("x\nb\ny\n", "x\na\ny\n", "x\nc\ny\n")
    plain = text.replace("||||||| base\nb\n", "")
    assert sides_of(plain, "f") == ("x\ny\n", "x\na\ny\n", "x\nc\ny\n")


@pytest.mark.parametrize(
    "text",
    [
        "<<<<<<< a\nx\n",
        "<<<<<<< a\n=======\n",
        ">>>>>>> b\n",
        "<<<<<<< a\n<<<<<<< a\n=======\n>>>>>>> b\n",
        "<<<<<<< a\n>>>>>>> b\n",
    ],
)
def test_marks_that_do_not_pair_are_refused(text):
    with pytest.raises(InvalidFileError):
        sides_of(text, "f")


def test_a_heading_with_an_underline_is_no_mark():
    assert sides_of("Title\n=======\n", "f").ours == "Title\n=======\n"


def test_many_equal_lines_are_merged_in_no_time():
    base = "same\n" * 20_000
    merged = merge_file("prose", base, base + "ours\n", "theirs\n" + base, "f")
    assert merged.text == "theirs\n" + base + "ours\n"


def test_the_work_for_many_conflicts_grows_with_their_number():
    def merge(base):
        return merge_text(base, base.replace("x", "y"), base.replace("x", "z"))

    def lines(size):
        return "".join(f"{at}\nx{at}\n" for at in range(size // 32))

    assert [one.line for one in merge(lines(96)).conflicts] == [2, 8, 14]
    assert is_linear(merge, lines)
