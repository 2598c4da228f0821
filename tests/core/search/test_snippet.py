"""The line that shows why a text was found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core import search_limits
from toolmem.core.search.find import snippet
from toolmem.core.search.scores import Terms

TEXT = """Deploys run on Fridays. Tokens are refreshed hourly.

- The painter paints.
- Nothing here."""


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ({"token": 1.0}, "Tokens are refreshed hourly."),
        ({"paint": 1.0, "nothing": 0.1}, "- The painter paints."),
        ({"absent": 1.0}, "Deploys run on Fridays."),
        ({}, "Deploys run on Fridays."),
    ],
)
def test_the_sentence_with_the_weightiest_words(weights, expected):
    assert snippet(TEXT, Terms(weights)) == expected


def test_a_long_sentence_is_cut_around_its_word():
    text = "word " * 100 + "needle " + "word " * 100
    found = snippet(text, Terms({"needl": 1.0}))
    assert "needle" in found
    assert found.startswith("…")
    assert found.endswith("…")
    assert len(found) <= search_limits.SNIPPET_CHARS + 1


def test_a_long_sentence_without_spaces_is_cut_around_its_word():
    text = (
        "監視画面を確認する、" * 60 + "暗号鍵は金庫にある、" + "待ち時間が長い、" * 60
    )
    found = snippet(text, Terms({"暗号": 1.0, "号鍵": 1.0}))
    assert "暗号鍵は金庫" in found
    assert found.startswith("…")
    assert found.endswith("…")
    assert len(found) <= search_limits.SNIPPET_CHARS + 1


@examples(200)
@given(st.text(max_size=400), st.sampled_from(["a", "猫", "x"]))
def test_it_is_one_line_and_not_too_long(text, term):
    found = snippet(text, Terms({term: 1.0}))
    assert len(found) <= search_limits.SNIPPET_CHARS + 1
    assert len(found.splitlines()) <= 1
