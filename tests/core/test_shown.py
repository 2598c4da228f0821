"""Values and numbers in a line for people."""

import pytest

from toolmem.core.shown import counted


@pytest.mark.parametrize(
    ("number", "what", "said"),
    [
        (0, "memory", "0 memories"),
        (1, "memory", "1 memory"),
        (2, "memory", "2 memories"),
        (1, "rule", "1 rule"),
        (30, "day", "30 days"),
    ],
)
def test_one_thing_is_named_by_its_singular(number, what, said):
    assert counted(number, what) == said
