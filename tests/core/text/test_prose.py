"""Text of a markdown file without its front matter, and single sections."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.text.prose import section, without_header


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("---\na: 1\n---\ntext\n", "text\n"),
        ("\ufeff---\r\na: 1\r\n---\r\ntext\r\n", "text\r\n"),
        ("---\n---\ntext", "text"),
        ("---\na: 1\n---", ""),
        ("\ufefftext", "text"),
        ("text\n---\na: 1\n---\n", "text\n---\na: 1\n---\n"),
        ("---\na: 1\n", "---\na: 1\n"),
        ("---\na: 1\n----\n", "---\na: 1\n----\n"),
        ("----\na\n---\n", "----\na\n---\n"),
        ("", ""),
    ],
)
def test_front_matter_is_what_stands_between_two_rulers_at_the_top(text, rest):
    assert without_header(text) == rest


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("## Role\n\nYou test.\n\n## Other\nno\n", "You test."),
        ("# Title\n\n## role ##\r\nYou test.\r\n# Next\r\nno", "You test."),
        ("## Role\nOne\n### Sub\nTwo\n", "One\n### Sub\nTwo"),
        ("## Role", ""),
        ("## Roles\nno\n", None),
        ("# Role\nno\n", None),
        ("##Role\nno\n", None),
        ("", None),
        ("```\n## Role\nno\n```\n## Role\nyes\n", "yes"),
        (
            "## Role\n```\n## Not\n~~~\n```\nyes\n## Other\nno\n",
            "```\n## Not\n~~~\n```\nyes",
        ),
        ("~~~\n```\n## Role\nno\n~~~\n## Role\nyes", "yes"),
        ("## Role\n    ```\nyes\n## Other\nno", "    ```\nyes"),
        ("## Role\nfirst\n## Role\nsecond\n", "first"),
    ],
)
def test_a_section_goes_to_the_next_heading_of_its_level(text, found):
    assert section(text, "Role") == found


PIECES = st.sampled_from(
    ["## Role", "## x", "# y", "```", "~~~", "a", "    ```", "---"]
)


@given(st.lists(PIECES, max_size=12).map("\n".join))
def test_a_section_is_lines_of_the_text_and_stops_once(text):
    found = section(text, "Role")
    if found is not None:
        assert f"\n{found}" in f"\n{text}"
        assert "## Role" in text
