"""Requests: every fault has its JSON path, and nothing else comes out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.access.faults import FaultError
from toolmem.core.access.request import Filters, read_request
from toolmem.core.access.response import read_response

QUERY = {"query_id": "q", "memory_type": "semantic", "query_text": "wine"}


def request(**more):
    return {"request_id": "r", "tool_id": "t", **more}


def fault_of(**changes):
    """Return the fault of a query with these changes."""
    filters = changes.pop("filters", {})
    query = QUERY | {"filters": filters} | changes
    (read,) = read_request(request(memory_queries=[query])).queries
    return read.fault


@pytest.mark.parametrize(
    ("document", "fault"),
    [
        (None, "$: a ToolRequest is an object"),
        ([], "$: a ToolRequest is an object"),
        ({}, "$.tool_id: is missing"),
        ({"tool_id": " "}, "$.tool_id: is blank"),
        ({"tool_id": 3}, "$.tool_id: expected a string, found 3"),
        (request(request_id=7), "$.request_id: expected a string, found 7"),
        (
            request(timestamp="noon"),
            "$.timestamp: expected a time such as 2025-01-01T00:00:00Z, found 'noon'",
        ),
        (request(inputs=[1]), "$.inputs: expected an object, found a list"),
        (
            request(agent_context={"agent_id": ["a"]}),
            "$.agent_context.agent_id: expected a string, found a list",
        ),
        (
            request(memory_queries={}),
            "$.memory_queries: expected a list, found an object",
        ),
    ],
)
def test_an_envelope_that_cannot_be_read_fails_with_the_path(document, fault):
    with pytest.raises(FaultError) as error:
        read_request(document)
    assert str(error.value) == fault


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"query_id": None}, ".query_id: is missing"),
        ({"query_id": 1}, ".query_id: expected a string, found 1"),
        ({"memory_type": "semantik"}, ".memory_type: no memory type 'semantik'"),
        ({"query_text": ["a"]}, ".query_text: expected a string, found a list"),
        ({"query_text": " "}, ".query_text: is blank, and there are no filters"),
        ({"limit": 0}, ".limit: expected a whole number above 0, found 0"),
        ({"limit": True}, ".limit: expected a whole number above 0, found true"),
        ({"budget_tokens": "1"}, ".budget_tokens: expected a whole number above 0"),
        ({"filter": {}}, ": no key 'filter'; did you mean 'filters'?"),
        ({"filters": {"tag": []}}, ".filters: no key 'tag'; did you mean 'tags'?"),
        ({"filters": {"tags": "wine"}}, ".filters.tags: expected a list, found 'wine'"),
        ({"filters": {"tags": [1]}}, ".filters.tags[0]: expected a string, found 1"),
        ({"filters": {"types": [""]}}, ".filters.types[0]: is blank"),
        (
            {"filters": {"importance_min": float("nan")}},
            ".filters.importance_min: expected a number from 0 to 1, found no number",
        ),
        (
            {"filters": {"time_range": {"start": "2025-02-30"}}},
            ".filters.time_range.start: expected a time",
        ),
        (
            {"filters": {"time_range": {"start": "2026-01-01", "end": "2025-01-01"}}},
            ".filters.time_range: ends before it begins",
        ),
        (
            {"filters": {"time_range": {"from": "2026-01-01"}}},
            ".filters.time_range: no key 'from'",
        ),
        ({"filters": {"status": "active"}}, ".filters.status: only scratch_page has"),
        (
            {"memory_type": "scratch_page", "filters": {"status": "actve"}},
            ".filters.status: no status 'actve'; did you mean 'active'?",
        ),
    ],
)
def test_a_fault_of_a_query_is_its_own(changes, fault):
    assert fault_of(**changes).startswith(f"$.memory_queries[0]{fault}")


def test_a_query_that_is_no_object_is_a_fault_of_its_own():
    first, second = read_request(request(memory_queries=[3, QUERY])).queries
    assert first.fault == "$.memory_queries[0]: expected an object, found 3"
    assert (first.query_id, second.fault) == (None, "")


def test_an_id_may_be_used_once():
    first, second = read_request(request(memory_queries=[QUERY, QUERY])).queries
    assert first.fault == ""
    assert second.fault == "$.memory_queries[1].query_id: 'q' occurs twice"


def test_what_is_not_said_is_the_specifications_default():
    (query,) = read_request(request(memory_queries=[QUERY])).queries
    assert (query.limit, query.budget, query.filters) == (10, 500, Filters())


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "tool_id request_id memory_queries query_id memory_type query_text"
                " filters tags time_range start limit agent_context agent_id x".split()
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(_json)
def test_no_document_does_more_than_be_faulty(document):
    for read in (read_request, read_response):
        message = "$"
        try:
            read(document)
        except FaultError as error:
            message = str(error)
        assert message.startswith("$")
