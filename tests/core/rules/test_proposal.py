from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.model import SYSTEM, Priority, Scope, Source
from toolmem.core.rules.proposal import KINDS, Proposal, parse_proposal, proposal_text
from toolmem.core.text.safetext import find_unsafe
from toolmem.errors import InvalidFileError

WHEN = datetime(2026, 4, 20, 12, tzinfo=UTC)
LINES = st.text(max_size=30).filter(lambda text: not find_unsafe(text))
PROPOSALS = st.builds(
    Proposal,
    id=st.uuids().map(str),
    kind=st.sampled_from(KINDS),
    tools=st.lists(LINES, max_size=3).map(tuple),
    rule=LINES,
    priority=st.sampled_from(Priority),
    scope=st.sampled_from([SYSTEM, Scope("project", "x"), Scope("override", "x", "y")]),
    why=LINES.filter(bool),
    sentence=LINES.filter(bool),
    evidence=LINES.filter(bool),
    created_at=st.just(WHEN),
    confidence=st.floats(0, 1),
    rules=st.lists(st.uuids().map(str), max_size=2).map(tuple),
    was=LINES,
    agent=LINES,
    source=st.sampled_from(Source),
    path=st.just("p.toml"),
)


@given(PROPOSALS)
def test_a_proposal_is_read_back_as_it_was_written(proposal):
    if not proposal.tools:
        proposal = proposal._replace(tools=("bash",))
    assert parse_proposal(proposal_text(proposal), "p.toml") == proposal


GOOD = proposal_text(
    Proposal(
        "a1", "add", ("bash",), "never x", Priority.HIGH, SYSTEM, "why", "s", "e", WHEN
    )
)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('id = "a1"\n', "", "id is missing"),
        ('"add"', '"burn"', "kind: expected add, amend, retire, contest, found 'burn'"),
        ('["bash"]', '"bash"', "tools: expected a list of strings, found 'bash'"),
        ('"never x"', "1", "rule: expected a quoted string, found 1"),
        ('"high"', '"top"', "priority: expected critical, high, normal, found 'top'"),
        ("2026-04-20T12:00:00Z", "1", "created_at: expected a time, found 1"),
        ("2026-04-20T12:00:00Z", "2026-04-20", "created_at: expected a time, found "
         "datetime.date(2026, 4, 20)"),
        ("0.0", '"x"', "confidence: expected a number, found 'x'"),
        ("0.0", "true", "confidence: expected a number, found True"),
    ],
)  # fmt: skip
def test_what_is_no_proposal_is_told(old, new, message):
    assert old in GOOD
    with pytest.raises(InvalidFileError) as error:
        parse_proposal(GOOD.replace(old, new), "p.toml")
    assert str(error.value) == f"p.toml: {message}"


def test_a_scope_that_is_none_is_told():
    with pytest.raises(InvalidFileError) as error:
        parse_proposal(GOOD.replace('"system"', '"galaxy"'), "p.toml")
    assert str(error.value).startswith("p.toml: scope: 'galaxy' is not a scope")


@given(st.text(max_size=200))
def test_no_text_stops_the_reader(text):
    with pytest.raises(InvalidFileError):
        parse_proposal(text, "p.toml")
