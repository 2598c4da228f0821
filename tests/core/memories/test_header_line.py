"""A line that is read without the YAML parser is read as the parser reads it."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.memories.header_line import HeaderEntry, read_line
from toolmem.core.memories.header_yaml import read_yaml
from toolmem.core.text.textlines import find_unsafe_line

_SYNTAX = st.sampled_from("ab1:. -/+@()TZ,\"[]_'#&*!?%\\{}|>~é中٣²ªﬁ\u0300\u200d\ufe0f")
_PIECE = st.text(_SYNTAX | st.characters(codec="utf-8"), max_size=8)
_KEYS = st.sampled_from(
    ["k", "_", "a-b", "NULL", "On", "y", "nan", "1", "<<", "k" * 101]
)
_FORMS = st.sampled_from(
    ["{}: {}", '{}: "{}"', "{}: [{}]", '{}: [a b, {}, "c"]', "{}:{}"]
)


def agrees(line: str) -> bool:
    """Compare the two where the line is plain; return whether it is."""
    found = read_line(line, 3)
    if found is None:
        return False
    ((key, (node, *spots)),) = read_yaml(line + "\n").items()
    assert found == (key, HeaderEntry(node, *((3, column) for _, column in spots)))
    assert type(found[1].node) is type(node)
    return True


@examples(600)
@given(_FORMS, _KEYS, _PIECE)
@example("{}: {}", "k", "null")
@example("{}: [{}]", "k", "12:30")
@example("{}: {}", "k", "12:")
@example('{}: "{}"', "k", "a: b # c")
def test_it_agrees_with_the_parser(form, key, piece):
    line = form.format(key, piece)
    assume("\n" not in line and find_unsafe_line(line) is None)
    agrees(line)


@pytest.mark.parametrize(
    "line",
    [
        "topic: database pooling",
        'tags: [insight, 2026, c++ (new), "x, y"]',
        "tags: []",
        "created: 2026-04-07T10:00:00Z",
        "importance: 0.5",
        "private: true",
        "source_task: 0123",
        'summary: "Never: this # one"',
        "title: Größe der Tabelle",
    ],
)
def test_lines_that_toolmem_writes_are_plain(line):
    assert agrees(line)
    for rest in (" ", " # note", ":", "\t", "\r"):
        agrees(line + rest)


@pytest.mark.parametrize(
    "line",
    ["no: x", "k: 'x'", "k: https://a.b", "k:", "- k: x", " k: x", "k: |", "k: *a"],
)
def test_other_lines_are_left_to_the_parser(line):
    assert read_line(line, 0) is None
