"""While a merge of a rule is not settled, its stricter side holds."""

from datetime import UTC, datetime

import pytest

from toolmem.core.model import SYSTEM
from toolmem.core.rules.contradictions import in_effect
from toolmem.core.rules.rule_file import RuleFile

RULE = {"id": "a", "tool": "shell", "rule": "never push"}
MAY, JUNE = datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)


def effect(stated):
    return [
        file.stated for file in in_effect(RuleFile("a", SYSTEM, "p", "shell", stated))
    ]


@pytest.mark.parametrize(
    ("ours", "theirs", "key", "held"),
    [
        ({"priority": "high"}, {"priority": "critical"}, "priority", "critical"),
        ({"priority": "critical"}, {"priority": "normal"}, "priority", "critical"),
        (
            {"priority": "high"},
            {"priority": ["normal", "critical"]},
            "priority",
            "critical",
        ),
        ({"priority": "high"}, {"removed": ["priority"]}, "priority", "high"),
        ({"enabled": False}, {"enabled": True}, "enabled", None),
        ({"enabled": False}, {"removed": ["enabled"]}, "enabled", None),
        ({}, {"enabled": False}, "enabled", None),
        ({"expires_at": MAY}, {"expires_at": JUNE}, "expires_at", JUNE),
        ({"expires_at": MAY}, {"removed": ["expires_at"]}, "expires_at", None),
        ({}, {"expires_at": MAY}, "expires_at", None),
        ({"priority": "high"}, {"priority": 3}, "priority", "high"),
        ({"guard": [{"a": 1}]}, {"guard": [[{"b": 2}]]}, "guard", [{"a": 1}, {"b": 2}]),
        ({"guard": [{"a": 1}]}, {"guard": 3}, "guard", [{"a": 1}]),
        ({"priority": "high"}, {"deleted": "theirs"}, "priority", "high"),
    ],
)
def test_the_stricter_value_holds(ours, theirs, key, held):
    [stated] = effect({**RULE, **ours, "conflict": theirs})
    assert stated.get(key) == held


def test_both_texts_and_both_tools_hold():
    conflict = {"rule": "ask first", "tool": "git"}
    stated = effect({**RULE, "priority": "high", "conflict": conflict})
    assert [(s["tool"], s["rule"], s["priority"]) for s in stated] == [
        ("shell", "never push", "high"),
        ("shell", "ask first", "high"),
        ("git", "never push", "high"),
    ]


def test_the_other_text_of_an_override_is_critical_by_itself():
    stated = effect({"id": "a", "rule": "one", "conflict": {"rule": "two"}})
    assert (stated[1]["rule"], stated[1]["priority"]) == ("two", "critical")


def test_an_override_that_one_side_deleted_switches_nothing_off():
    assert (
        effect({"id": "a", "enabled": False, "conflict": {"deleted": "theirs"}}) == []
    )


def test_a_rule_without_a_conflict_holds_as_it_is():
    assert effect(RULE) == [RULE]
