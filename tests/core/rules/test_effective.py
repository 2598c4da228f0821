"""Rules in effect in a chain, and permitted changes of a critical one."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.core.rules.files import rule_file
from tests.examples import examples
from toolmem.core.model import SYSTEM, Priority, Scope
from toolmem.core.rules.effective import (
    ORPHAN,
    EffectiveRule,
    RuleLayer,
    combine,
    find_by_prefix,
    listing_order,
    rule_from,
)
from toolmem.core.rules.rule_file import RuleFile
from toolmem.core.scope import breadth, chain_for
from toolmem.errors import UsageError

AGENT, OVERRIDE, PROJECT, TYPE, _ = CHAIN = chain_for("p", "t", "a")
NOW = datetime(2026, 4, 20, 12, tzinfo=UTC)
LATER = datetime(2026, 5, 1, tzinfo=UTC)
EARLIER = datetime(2026, 4, 1, tzinfo=UTC)
PUSH: dict[str, Any] = {"tool": "shell", "rule": "never push"}
NO_REASON = "changing a critical rule needs a reason"
NOT_AN_AGENT = "an agent's scope cannot change a critical rule of a person"
NOT_A_PROGRAM = "only a person can change a critical rule of a person"


def only(*files: RuleFile) -> EffectiveRule:
    [entry] = combine(files)
    return entry


def changed(entry: EffectiveRule) -> list[tuple[Scope, tuple[str, ...], str]]:
    return [(layer.scope, layer.changed, layer.refused) for layer in entry.layers]


def test_an_override_changes_the_keys_that_it_states_and_no_other():
    base = rule_file(SYSTEM, **PUSH, priority="high", tags=["git"], guard=[{"a": "b"}])
    entry = only(base, rule_file(PROJECT, rule="never push to main", tags=["team"]))
    assert entry.rule is not None
    assert entry.rule._replace(stated={}) == rule_from(base.stated, base)._replace(
        rule="never push to main", tags=("team",), stated={}
    )
    assert changed(entry) == [(SYSTEM, (), ""), (PROJECT, ("rule", "tags"), "")]


def test_the_narrowest_override_is_the_last_word():
    entry = only(
        rule_file(OVERRIDE, enabled=True),
        rule_file(SYSTEM, **PUSH, priority="high"),
        rule_file(PROJECT, enabled=False),
        rule_file(TYPE, priority="critical"),
    )
    assert entry.rule is not None
    assert (entry.rule.enabled, entry.rule.priority) == (True, Priority.CRITICAL)
    assert [layer.scope for layer in entry.layers] == [SYSTEM, TYPE, PROJECT, OVERRIDE]


def test_a_rule_holds_when_it_is_enabled_and_not_expired():
    base: dict[str, Any] = {**PUSH, "priority": "high"}
    assert only(rule_file(**base)).is_in_effect(NOW)
    assert only(rule_file(**base, expires_at=LATER)).is_in_effect(NOW)
    assert not only(rule_file(**base, expires_at=NOW)).is_in_effect(NOW)
    assert not only(rule_file(**base, enabled=False)).is_in_effect(NOW)
    assert not only(rule_file(**base), rule_file(PROJECT, enabled=False)).is_in_effect(
        NOW
    )
    expired = rule_file(**base, expires_at=EARLIER)
    assert only(expired, rule_file(PROJECT, expires_at=LATER)).is_in_effect(NOW)


def test_an_override_of_nothing_is_no_rule():
    orphan = rule_file(PROJECT, enabled=False)
    assert only(orphan) == EffectiveRule(
        "x", None, (RuleLayer(PROJECT, orphan.path, (), ORPHAN),)
    )
    broad = rule_file(SYSTEM, priority="critical")
    entry = only(broad, rule_file(PROJECT, **PUSH))
    assert entry.rule is not None
    assert entry.rule.priority is Priority.NORMAL
    assert changed(entry) == [(SYSTEM, (), ORPHAN), (PROJECT, (), "")]


def test_a_second_file_with_the_id_in_one_scope_hides_nothing():
    first = rule_file(SYSTEM, "a", **PUSH, priority="critical")
    second = rule_file(SYSTEM, "b", tool="shell", rule="be kind")
    assert [entry.rule and entry.rule.rule for entry in combine([second, first])] == [
        "never push",
        "be kind",
    ]


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        ({"enabled": False}, NO_REASON),
        ({"enabled": False, "reason": " "}, NO_REASON),
        ({"enabled": False, "reason": "the repository is gone"}, ""),
        ({"priority": "high"}, NO_REASON),
        ({"rule": "push as you like"}, NO_REASON),
        ({"tool": "other"}, NO_REASON),
        ({"expires_at": LATER}, NO_REASON),
        ({"guard": [{"action": "warn"}]}, NO_REASON),
        ({"tags": ["team"]}, ""),
        ({"priority": "critical", "enabled": True, "rule": "never push"}, ""),
    ],
)
def test_a_critical_rule_changes_only_for_a_reason(change, refused):
    base = rule_file(SYSTEM, **PUSH, priority="critical", source="user_explicit")
    entry = only(base, rule_file(PROJECT, **change))
    assert entry.layers[1].refused == refused
    if refused:
        assert entry.rule == rule_from(base.stated, base)


@pytest.mark.parametrize(
    ("scope", "author", "refused"),
    [
        (PROJECT, {}, ""),
        (PROJECT, {"source": "user_explicit"}, ""),
        (PROJECT, {"source": "programmatic"}, NOT_A_PROGRAM),
        (PROJECT, {"source": "post_turn"}, NOT_A_PROGRAM),
        (PROJECT, {"agent": "a"}, NOT_A_PROGRAM),
        (PROJECT, {"source": "user_explicit", "agent": "a"}, NOT_A_PROGRAM),
        (AGENT, {"source": "user_explicit"}, NOT_AN_AGENT),
    ],
)
def test_only_a_person_changes_a_critical_rule_of_a_person(scope, author, refused):
    base = rule_file(SYSTEM, **PUSH, priority="critical", source="user_explicit")
    entry = only(base, rule_file(scope, enabled=False, reason="please", **author))
    assert entry.layers[1].refused == refused
    assert entry.is_in_effect(NOW) is bool(refused)


def test_a_critical_rule_of_a_program_may_be_changed_by_one_with_a_reason():
    base = rule_file(SYSTEM, **PUSH, priority="critical", source="programmatic")
    change = rule_file(PROJECT, enabled=False, source="programmatic", reason="over")
    assert not only(base, change).is_in_effect(NOW)


def test_what_an_agent_wrote_is_high_at_most():
    alone = only(rule_file(SYSTEM, **PUSH, priority="critical", agent="a"))
    raised = only(
        rule_file(SYSTEM, **PUSH, priority="normal"),
        rule_file(PROJECT, priority="critical", agent="a"),
    )
    for entry in (alone, raised):
        assert entry.rule is not None
        assert entry.rule.priority is Priority.HIGH


PERSONS = {**PUSH, "priority": "critical", "source": "user_explicit"}
ANY_KEYS = st.fixed_dictionaries(
    {},
    optional={
        "tool": st.sampled_from(["shell", "other"]),
        "rule": st.sampled_from(["never push", "push"]),
        "priority": st.sampled_from(["critical", "high", "normal"]),
        "enabled": st.booleans(),
        "expires_at": st.sampled_from([EARLIER, LATER]),
        "guard": st.just([{"action": "warn"}]),
        "tags": st.just(["t"]),
        "reason": st.just("because"),
    },
)
AUTHOR = st.sampled_from(
    [
        {"source": "programmatic"},
        {"source": "post_turn"},
        {"agent": "a"},
        {"agent": "a", "source": "user_explicit"},
    ]
)
NOT_PERSONS = st.builds(
    lambda scope, name, keys, author: rule_file(scope, name, **{**keys, **author}),
    st.sampled_from(CHAIN),
    st.sampled_from(["a", "m", "z"]),
    ANY_KEYS,
    AUTHOR,
)
IN_AN_AGENTS_SCOPE = ANY_KEYS.map(lambda keys: rule_file(AGENT, "k", **keys))


@examples(200)
@given(
    st.sampled_from(CHAIN[1:]),
    st.lists(st.one_of(NOT_PERSONS, IN_AN_AGENTS_SCOPE), max_size=5),
)
def test_no_agent_or_program_weakens_a_critical_rule_of_a_person(scope, others):
    persons = rule_file(scope, "persons", **PERSONS)
    assume(all(other.path != persons.path for other in others))
    held = [
        e.rule for e in combine([persons, *others]) if e.is_in_effect(NOW) and e.rule
    ]
    assert [
        rule
        for rule in held
        if (rule.tool, rule.rule, rule.priority) == ("shell", "never push", "critical")
        and rule.expires_at is None
        and rule.guards == ()
    ]


ANY_FILE = st.builds(
    lambda scope, name, keys, author: rule_file(scope, name, **{**keys, **author}),
    st.sampled_from(CHAIN),
    st.sampled_from(["a", "m", "z"]),
    ANY_KEYS,
    st.one_of(AUTHOR, st.just({})),
)


@examples(200)
@given(st.lists(ANY_FILE, max_size=6, unique_by=lambda file: file.path), st.randoms())
def test_the_order_of_the_files_does_not_matter(files, random):
    shuffled = files.copy()
    random.shuffle(shuffled)
    assert combine(shuffled) == combine(files)


@examples(200)
@given(st.lists(ANY_FILE, max_size=6, unique_by=lambda file: file.path))
def test_every_file_has_one_layer_in_the_order_of_the_chain(files):
    entries = combine(files)
    layers = [layer for entry in entries for layer in entry.layers]
    assert sorted(layer.path for layer in layers) == sorted(file.path for file in files)
    for entry in entries:
        order = [breadth(layer.scope) for layer in entry.layers]
        assert order == sorted(order)
        assert (entry.rule is None) == all(
            lay.refused == ORPHAN for lay in entry.layers
        )


def test_a_listing_is_by_priority_then_newest_then_id():
    rules = [
        rule_from(file.stated, file)
        for file in (
            rule_file(**{**PUSH, "id": "d"}),
            rule_file(**PUSH | {"id": "c", "priority": "high", "created_at": EARLIER}),
            rule_file(**PUSH | {"id": "b", "priority": "high", "updated_at": LATER}),
            rule_file(**PUSH | {"id": "a", "priority": "high", "created_at": EARLIER}),
            rule_file(**PUSH | {"id": "e", "priority": "critical"}),
        )
    ]
    assert [rule.id for rule in sorted(rules, key=listing_order)] == list("ebacd")


@pytest.mark.parametrize(
    ("prefix", "found"),
    [
        ("abc", "abc"),
        ("ab", "ab"),
        ("abcd", "abcd"),
        ("x", "X1"),
        ("X1", "X1"),
        (" x1 ", "X1"),
        ("q", None),
        ("", None),
        (" ", None),
    ],
)
def test_a_rule_is_found_by_a_beginning_that_no_other_has(prefix, found):
    assert find_by_prefix(["ab", "abc", "abcd", "X1"], prefix) == found


def test_an_id_is_found_though_another_differs_only_in_case():
    assert [find_by_prefix(["ID", "id"], one) for one in ("ID", "id")] == ["ID", "id"]
    with pytest.raises(UsageError, match="'Id' is a prefix of several ids: ID, id"):
        find_by_prefix(["ID", "id"], "Id")


def test_a_beginning_of_several_ids_names_them():
    with pytest.raises(UsageError) as caught:
        find_by_prefix([f"a{n}" for n in range(9)], "a")
    assert str(caught.value) == "'a' is a prefix of several ids: a0, a1, a2, a3, a4"
