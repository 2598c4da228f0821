"""The short way to read a memory says what the real parser says, or nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.memories.header_plain import read_plain
from toolmem.core.memories.memory_edit import new_memory_text
from toolmem.core.memories.written import read_written

LINES = st.lists(
    st.sampled_from(
        [
            "tags: [a, b-c, d e]",
            "tags: []",
            "topic: no",
            "topic: authentication",
            'topic: "a: b"',
            'topic: "a\\nb"',
            "importance: 0.5",
            "n: 0123",
            "n: 12",
            "created: 2026-04-07",
            "created: 2026-04-07T10:00:00Z",
            "created: 2026-99-99",
            "private: true",
            "private: True",
            "# a comment",
            "x: [a, [b]]",
            "x:",
            "x: &a b",
            "x: a # b",
            "x: a: b",
            "yes: no",
            "  x: y",
        ]
    ),
    max_size=4,
)
BODIES = st.sampled_from(
    [
        "# Title\n\nText.\n",
        "\n\n# A title #\ntext",
        "Text first.\n",
        "",
        "# \n",
        "## a\n",
    ]
)
TEXT = st.text(st.characters(codec="utf-8"), max_size=12)


def agrees(text):
    plain = read_plain(text)
    if plain is None:
        return False
    fields, title, body, problem = read_written(text)
    assert problem == ""
    assert (plain.fields, plain.title, plain.body) == (fields, title, body)
    return True


@examples(400)
@given(LINES, BODIES)
def test_both_readers_agree_on_lines_that_people_write(lines, body):
    agrees("---\n" + "".join(f"{line}\n" for line in lines) + "---\n" + body)


@examples(300)
@given(TEXT, TEXT)
def test_both_readers_agree_on_any_value(key, value):
    agrees(f"---\n{key}: {value}\n---\n# T\n")
    agrees(f"---\nx: [{key}, {value}]\n---\n# {value}\n")


def test_what_toolmem_writes_takes_the_short_way():
    fields = {"tags": ["insight", "x"], "topic": "auth", "created": "2026-04-07"}
    assert agrees(new_memory_text(fields, "A title", "Text."))


@pytest.mark.parametrize(
    "text",
    ["", "# T\n", "---\na: b\n", "---\r\na: b\r\n---\r\n# T\r\n", "---\n---\n# T"],
)
def test_what_is_not_plain_is_left_to_the_parser(text):
    assert read_plain(text) is None
