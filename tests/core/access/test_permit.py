"""Decisions by a manifest: denied, narrowed, or granted some tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.access.permit import TypeAccess, read_access, rule_on
from toolmem.core.access.request import Filters, MemoryQuery
from toolmem.core.formats.toml_text import parse_toml
from toolmem.errors import InvalidFileError

OPEN = {"semantic": TypeAccess()}
STRICT = {"semantic": TypeAccess(types=("fact", "skill"), tags=("wine", "food"))}


def query(budget=500, number=0, **filters):
    return MemoryQuery(f"q{number}", "semantic", "x", Filters(**filters), budget=budget)


def judged(access, **filters):
    (ruling,) = rule_on([query(**filters)], access)
    return ruling


def test_a_manifest_declares_by_tables():
    text = (
        "[memory_access.episodic]\nquery_types = ['observation']\ntags = ['wine']\n"
        "max_queries = 3\nmax_budget_tokens = 5000\n"
        "[memory_access.working]\nenabled = false\n"
    )
    assert read_access(parse_toml(text, "t"), "t") == {
        "episodic": TypeAccess(True, ("observation",), ("wine",), 3, 1000),
        "working": TypeAccess(enabled=False),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("memory_access = 3", "memory_access: expected an object, found 3"),
        ("[memory_access.epic]", "memory_access.epic: no memory type 'epic'"),
        (
            "[memory_access.working]\nenabled = 'no'",
            "memory_access.working.enabled: expected true or false, found 'no'",
        ),
        (
            "[memory_access.working]\nmax_querys = 1",
            "memory_access.working: no key 'max_querys'; did you mean 'max_queries'?",
        ),
        (
            "[memory_access.working]\ntags = 'a'",
            "memory_access.working.tags: expected a list, found 'a'",
        ),
    ],
)
def test_what_cannot_be_understood_declares_nothing(text, message):
    with pytest.raises(InvalidFileError) as error:
        read_access(parse_toml(text, "t.toml"), "t.toml")
    assert error.value.reason.startswith(message)


def test_without_types_asked_for_the_declared_ones_are_seen():
    assert judged(STRICT).types == frozenset({"fact", "skill"})
    assert judged(STRICT).narrowed == ""
    assert judged(OPEN).types is None


def test_types_that_are_not_declared_are_taken_away_and_told():
    ruling = judged(STRICT, types=("fact", "pattern"))
    assert ruling.types == frozenset({"fact"})
    assert ruling.narrowed == (
        "the types pattern are not declared by the tool's manifest (fact, skill)"
    )


def test_only_undeclared_types_or_tags_are_denied():
    for filters in ({"types": ("pattern",)}, {"tags": ("pay",)}):
        assert judged(STRICT, **filters).status == "denied"


def test_a_further_tag_beside_a_declared_one_is_a_filter_like_any_other():
    ruling = judged(STRICT, tags=("wine", "burgundy"))
    assert (ruling.status, ruling.narrowed) == ("", "")
    assert ruling.tags == frozenset({"wine", "food"})


def test_queries_beyond_the_declared_number_are_denied():
    access = {"semantic": TypeAccess(most_queries=2)}
    rulings = rule_on([query(number=n) for n in range(4)], access)
    assert [ruling.status for ruling in rulings] == ["", "", "denied", "denied"]
    assert rulings[2].reason == "the tool's manifest allows 2 semantic queries"


def test_denied_and_faulty_queries_take_no_turn():
    access = {"semantic": TypeAccess(most_queries=1)}
    bad = query(number=1)._replace(fault="$: no")
    other = MemoryQuery("q2", "episodic")
    rulings = rule_on([bad, other, query(number=3)], access)
    assert [ruling.status for ruling in rulings] == ["error", "denied", ""]


@given(st.integers(1, 3000), st.integers(1, 1000))
def test_a_query_may_use_what_it_asks_for_and_its_manifest_allows(budget, most):
    access = {"semantic": TypeAccess(most_tokens=most)}
    (ruling,) = rule_on([query(budget, 1)], access)
    assert ruling.asked == min(budget, most)


def test_a_request_has_so_many_queries_and_no_more():
    rulings = rule_on([query(1, n) for n in range(52)], OPEN)
    assert [ruling.status for ruling in rulings] == [""] * 50 + ["denied"] * 2
