"""The text that contains others has every statement of them, in its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.memories.merge import containing

_LINES = [
    "# One",
    "## Use",
    "Ask Priya first. We use uv.",
    "We use uv.",
    "- logs are kept",
    "- `PATH` is set",
    "  - for a year",
    "1. stop",
    "2. copy",
    "| web | 80 |",
    "```\na  = b\n```",
]
texts = st.lists(st.sampled_from(_LINES), max_size=8).map("\n\n".join)


@examples(200)
@given(texts, st.lists(st.integers(0, 7), max_size=4))
def test_a_text_contains_itself_whatever_is_added_below(text, places):
    more = "\n\n".join([text, *(_LINES[place] for place in places)])
    assert containing([text, more]) in (text, more)
    assert containing([more, text]) == more


@pytest.mark.parametrize(
    ("longer", "shorter"),
    [
        ("We use uv. Ask Priya first.", "Ask Priya first"),
        ("## Logs\n- kept\n- in /var\n\n## Use\n- by all", "## Logs\n- in /var"),
        ("Before a deploy:\n- lock\n- copy", "Before a deploy:\n- copy"),
        ("- staging:\n  - port 80\n  - two nodes", "- staging:\n  - two nodes"),
    ],
)
def test_the_longer_text_is_taken_whatever_the_order(longer, shorter):
    assert containing([longer, shorter]) == longer
    assert containing([shorter, longer]) == longer


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("## Linux\n- as root\n- twice", "## Windows\n- as root"),
        ("## Use\nNever push. Ask first.", "Never push."),
        ("Never do this:\n- push\n- pull", "Always do this:\n- push"),
        ("- staging:\n  - port 80\n- live:\n  - port 90", "- live:\n  - port 80"),
        ("First a. Then b. Stop.", "Then b. First a."),
        ("1. stop\n2. copy\n3. go", "1. copy"),
        ("We never use uv here. Ask.", "use uv here"),
        ("```\na\nb\n```\nDone.", "```\na\n```"),
        ("We use uv. Ask Priya.", "We use uv. Ask Tom."),
    ],
)
def test_a_statement_in_another_place_is_not_contained(one, other):
    assert containing([one, other]) == ""
