"""Suggestions of similar names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.text.suggest import did_you_mean, most_similar

KEYS = ("test_command", "test_timeout", "tech_stack", "main_branch")


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("tset_command", ("test_command",)),
        ("TEST_COMMAND", ("test_command",)),
        ("test", ("test_command", "test_timeout")),
        ("branch", ("main_branch",)),
        ("zzz", ()),
        ("", ()),
    ],
)
def test_names_that_are_alike_are_near(word, near):
    assert most_similar(word, KEYS) == near


def test_the_nearest_is_offered():
    assert did_you_mean("teck_stack", KEYS) == "; did you mean 'tech_stack'?"
    assert did_you_mean("zzz", KEYS) == ""


@given(st.text(max_size=12), st.lists(st.text(max_size=12), max_size=8))
def test_the_order_of_the_names_does_not_matter(word, known):
    assert most_similar(word, known) == most_similar(word, known[::-1])
    assert len(most_similar(word, known)) <= 3
