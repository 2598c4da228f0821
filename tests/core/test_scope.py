"""Scopes: their text forms, the chain, and which of two is narrower."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.model import SYSTEM, Scope
from toolmem.core.scope import chain_for, is_narrower, parse_scope, weight
from toolmem.errors import ToolmemError, UsageError

FORMS = "system, agent-type:NAME, project:NAME, project:NAME/TYPE or agent:NAME"


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("system", SYSTEM),
        (" system ", SYSTEM),
        ("agent-type:coding", Scope("agent-type", "coding")),
        ("project:mech-fighters", Scope("project", "mech-fighters")),
        ("project: a b ", Scope("project", "a b")),
        ("project:mech/coding", Scope("override", "mech", "coding")),
        ("project:a%2Fb", Scope("project", "a/b")),
        ("project:a%2Fb/c", Scope("override", "a/b", "c")),
        ("project:100%", Scope("project", "100%")),
        ("agent:helper-1", Scope("agent", "helper-1")),
        ("agent:a/b", Scope("agent", "a/b")),
        ("agent:a:b", Scope("agent", "a:b")),
    ],
)
def test_a_scope_is_read_from_its_text(text, scope):
    assert parse_scope(text) == scope


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"'' is not a scope: write {FORMS}"),
        ("moon", f"'moon' is not a scope: write {FORMS}"),
        ("system:x", f"'system:x' is not a scope: write {FORMS}"),
        ("override:a/b", f"'override:a/b' is not a scope: write {FORMS}"),
        ("Project:a", f"'Project:a' is not a scope: write {FORMS}"),
        ("project:", "the name is blank"),
        ("project:/coding", "the name is blank"),
        ("project:a/", "the name is blank"),
    ],
)
def test_what_is_no_scope_is_refused(text, message):
    with pytest.raises(UsageError) as caught:
        parse_scope(text)
    assert str(caught.value) == message


@given(st.text(max_size=30))
def test_a_scope_reads_back_what_it_writes(text):
    try:
        scope = parse_scope(text)
    except ToolmemError:
        return
    assert parse_scope(str(scope)) == scope


def test_the_chain_is_what_was_given_narrowest_first():
    assert [str(scope) for scope in chain_for("p", "t", "a")] == [
        "agent:a",
        "project:p/t",
        "project:p",
        "agent-type:t",
        "system",
    ]
    assert [str(scope) for scope in chain_for("p")] == ["project:p", "system"]
    assert [str(s) for s in chain_for(None, "t")] == ["agent-type:t", "system"]
    assert [str(s) for s in chain_for("", "", "a")] == ["agent:a", "system"]
    assert chain_for() == (SYSTEM,)


def test_weights_fall_from_narrow_to_broad():
    weights = [weight(scope) for scope in chain_for("p", "t", "a")]
    assert weights == [1.2, 1.2, 1.0, 0.7, 0.4]


def test_a_scope_is_narrower_exactly_where_a_chain_holds_both():
    names = ("p", "q", None)
    types = ("t", "u", None)
    agents = ("a", None)
    chains = [chain_for(*given) for given in itertools.product(names, types, agents)]
    everything = {scope for chain in chains for scope in chain}
    together = {
        (narrow, broad)
        for chain in chains
        for narrow, broad in itertools.combinations(chain, 2)
    }
    told = {
        (narrow, broad)
        for narrow, broad in itertools.product(everything, repeat=2)
        if is_narrower(narrow, broad)
    }
    assert told == together
