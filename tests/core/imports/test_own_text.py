"""Text printed by toolmem is recognised in an import."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.imports.own_text import without_own_text

BLOCK = """## Tool-scoped rules

Hard constraints.

### `shell`
- **[critical]** never use sudo
"""


@pytest.mark.parametrize(
    "own",
    [
        "<!-- toolmem:begin -->\nanything\n<!-- toolmem:end -->",
        "<!-- toolmem:begin -->\nwithout an end",
        BLOCK,
        "Tool memory:\n- Files changed: a.go",
    ],
)
def test_our_text_is_blanked(own):
    text, lines = without_own_text(f"before\n\n{own}")
    assert lines == (3,)
    assert text.strip() == "before"


def test_what_stands_behind_stays():
    text, _ = without_own_text(f"{BLOCK}\n## Mine\n\n- a\n")
    assert text.strip() == "## Mine\n\n- a"


@pytest.mark.parametrize(
    "text", ["## Tool-scoped rules\n\n- mine\n", "Tool memory:\nx"]
)
def test_a_person_may_use_the_same_words(text):
    assert without_own_text(text) == (text, ())


@given(st.text("<!->toolmem:begin end#\n -*[]", max_size=80))
def test_the_number_of_lines_stays(text):
    assert without_own_text(text)[0].count("\n") == text.count("\n")
