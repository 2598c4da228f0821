"""No memory that the parser finds private is plainly public."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.memories.test_header_plain import LINES, TEXT
from tests.examples import examples
from toolmem.core import limits
from toolmem.core.memories.header_plain import is_plainly_public
from toolmem.core.memories.memory_text import parse_memory

_BODIES = st.sampled_from(
    [
        "# Title\n\nText.\n",
        "",
        "\x00",
        "\udcff",
        "---\nprivate: true\n---\n",
        "<<<<<<< ours\n",
        ">>>>>>> theirs\n",
        "zero\u200bwidth",
    ]
)
_FIELDS = st.lists(
    st.sampled_from(
        [
            "private: true",
            "private: false",
            "Private: x",
            "_private: a",
            "private : a",
            "conflict: a",
            "topic: a",
            "topic: b\u200b",
            "---",
            "--- ",
        ]
    ),
    max_size=2,
)


def _agrees(text):
    assert not (is_plainly_public(text) and parse_memory(text, path="").private)


@examples(400)
@given(LINES, _FIELDS, _BODIES, st.sampled_from(["---\n", "---", "--- \n", ""]))
def test_of_lines_that_people_write(lines, fields, body, fence):
    header = "".join(f"{line}\n" for line in lines + fields)
    _agrees(f"---\n{header}{fence}{body}")


@examples(300)
@given(TEXT, TEXT)
def test_of_any_value(key, value):
    _agrees(f"---\n{key}: {value}\n---\n# T\n{value}")
    _agrees(f"---\nx: [{key}, {value}]\n---\n# {value}\n")


@pytest.mark.parametrize("fill", ["a", "ü"])
def test_of_a_header_that_is_too_long(fill):
    size = limits.FRONT_MATTER_BYTES
    for count in (size // 5, size // 2 + 1, size + 1):
        lines = "".join(f"k{n}: {fill * 100}\n" for n in range(count // 100 + 1))
        _agrees(f"---\n{lines}---\n# T\n")


def test_an_ordinary_memory_takes_the_short_way():
    assert is_plainly_public("---\ntopic: a\ncreated: 2026-04-07\n---\n# T\n")
    assert not is_plainly_public("# T\n")
