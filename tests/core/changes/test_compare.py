"""Items before and after → what became of each."""

import pytest

from toolmem.core.changes.compare import compare
from toolmem.core.changes.model import ChangedItem, Field
from toolmem.core.model import SYSTEM, Scope

PROJECT = Scope("project", "apollo")
PATH = "system/rules/shell/never-push-7b1e0c52.toml"
RULE = ChangedItem(
    "rule",
    "7b1e0c52",
    PATH,
    PATH,
    SYSTEM,
    "shell",
    "never push",
    values={"priority": "high"},
)
ARCHIVED = RULE._replace(
    path=f"archive/{PATH}", values={"priority": "high", "reason": "gone"}
)
FACT = ChangedItem("fact", "project.a", "f", "f", SYSTEM, "", "1", "a")


def actions(before, after):
    return [change.actions for change in compare(before, after)]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ([], [RULE], ("added",)),
        ([RULE], [], ("deleted",)),
        ([RULE], [ARCHIVED], ("retired",)),
        ([ARCHIVED], [RULE], ("restored",)),
        ([], [ARCHIVED], ("retired",)),
        ([], [RULE._replace(override=True)], ("overridden",)),
        ([RULE], [RULE._replace(values={"priority": "critical"})], ("raised",)),
        ([RULE], [RULE._replace(values={"priority": "normal"})], ("lowered",)),
        ([RULE], [RULE._replace(values={})], ("changed",)),
        ([RULE], [RULE._replace(text="never")], ("reworded",)),
        ([RULE], [RULE._replace(tool="git")], ("moved",)),
        (
            [RULE],
            [RULE._replace(scope=PROJECT, path="p", home="p")],
            ("moved",),
        ),
        (
            [RULE],
            [RULE._replace(values={"priority": "high", "enabled": False})],
            ("disabled",),
        ),
        (
            [RULE],
            [RULE._replace(values={"priority": "high", "conflict": {"rule": "x"}})],
            ("contested",),
        ),
        ([RULE], [RULE._replace(problem="torn", values={})], ("unreadable",)),
        ([FACT], [FACT._replace(text="2")], ("changed",)),
        ([FACT], [FACT._replace(path="g", home="g", scope=PROJECT)], ("moved",)),
    ],
)
def test_what_became_of_it(before, after, told):
    assert actions(before, after) == [told]


def test_bookkeeping_alone_is_no_news():
    touched = RULE._replace(values={"priority": "high", "updated_at": 1})
    assert compare([RULE], [touched]) == ()
    assert compare([RULE], [RULE]) == ()
    assert compare([ARCHIVED], [ARCHIVED._replace(text="x")]) == ()


def test_a_change_says_which_keys_and_which_words():
    after = RULE._replace(text="never pull", values={"priority": "high", "tags": ["a"]})
    [change] = compare([RULE], [after])
    assert change.fields == (Field("tags", None, ["a"]),)
    assert [word.text for word in change.words] == ["never ", "push", "pull"]


def test_why_it_went_is_told():
    [change] = compare([RULE], [ARCHIVED])
    assert (change.reason, change.fields) == ("gone", ())


def test_two_files_of_one_id_stay_apart():
    other = RULE._replace(path="p", home="p", scope=PROJECT)
    changed = other._replace(text="ask first")
    [change] = compare([RULE, other], [RULE, changed])
    assert change.item.scope == PROJECT


def test_changes_come_by_kind_tool_and_id():
    rules = [RULE._replace(id=i, tool=t, path=i, home=i) for i, t in ("az", "by", "ca")]
    found = compare([], [FACT, *rules])
    assert [change.item.id for change in found] == ["c", "b", "a", "project.a"]
