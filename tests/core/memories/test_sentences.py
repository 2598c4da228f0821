"""Split text into statements."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.memories.sentences import blocks, sentences, statements


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("See e.g. the manual. Then stop.", ["See e.g. the manual.", "Then stop."]),
        ("Version 1.2.3 of a.py works.", ["Version 1.2.3 of a.py works."]),
        ("- one\n- two\n  more\n\n1. three", ["one", "two more", "three"]),
        ("# Title\nText goes on\nhere.", ["Title", "Text goes on here."]),
        ("a - b * c", ["a - b * c"]),
        ("a • b", ["a", "b"]),
        ("a \t •  b.  • c。 • d", ["a", "b.", "• c。", "d"]),
        ("| a | b |\n| c | d |", ["| a | b |", "| c | d |"]),
        ("第一句。第二句！", ["第一句。", "第二句！"]),
        ("> quoted\n\n- [ ] task", ["quoted", "task"]),
        ("```\na. b\n\n- c\n```\nafter", ["```\na. b\n\n- c\n```", "after"]),
        ("~~~\nopen. end", ["~~~\nopen. end"]),
        ("", []),
    ],
)
def test_statements_of_markdown(text, expected):
    assert statements(text) == expected


@examples(200)
@given(st.text("ab .!-#\n`>1", max_size=80))
def test_no_letter_is_lost(text):
    kept = "".join("".join(sentences(block)) for block in blocks(text))
    assert [c for c in kept if c in "ab"] == [c for c in text if c in "ab"]
