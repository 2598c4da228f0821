import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.text.safetext import find_unsafe
from toolmem.core.text.textlines import (
    TextProblem,
    closes_fence,
    fence,
    find_unsafe_line,
    heading,
    split_lines,
)


@given(st.text())
def test_the_lines_of_a_text_joined_are_the_text(text):
    lines = split_lines(text)
    assert "".join(lines) == text
    assert all(line.endswith("\n") for line in lines[:-1])
    assert all(line.count("\n") <= 1 for line in lines)


def test_only_a_line_feed_ends_a_line():
    text = "a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g\rh\n"
    assert split_lines(text) == [text]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("## project", (2, "project")),
        ("##\tproject \t", (2, "project")),
        ("## project ##", (2, "project")),
        ("## C#", (2, "C#")),
        ("##", (2, "")),
        ("## ##", (2, "")),
        ("###### six", (6, "six")),
        ("####### seven", None),
        ("##project", None),
        ("text", None),
        ("", None),
    ],
)
def test_a_heading_has_a_level_and_a_text(line, found):
    assert heading(line) == found


@pytest.mark.parametrize(
    ("line", "run"),
    [
        ("```", "```"),
        ("````sh", "````"),
        ("~~~ a`b", "~~~"),
        ("``` a`b", ""),
        ("``x``", ""),
        ("~~x", ""),
        ("", ""),
    ],
)
def test_a_fence_opens_as_in_commonmark(line, run):
    assert fence(line) == run


@pytest.mark.parametrize(
    ("line", "opening", "closed"),
    [
        ("```", "```", True),
        ("`````  ", "```", True),
        ("```", "````", False),
        ("~~~", "```", False),
        ("``` sh", "```", False),
        ("", "```", False),
    ],
)
def test_a_fence_is_closed_by_a_run_at_least_as_long(line, opening, closed):
    assert closes_fence(line, opening) is closed


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("plain\tté\r\nxt\n", None),
        (
            "a\r\nb\u202ec",
            TextProblem(2, "unsafe-text", "contains U+202E RIGHT-TO-LEFT OVERRIDE"),
        ),
        ("a\n\udcff", TextProblem(2, "unsafe-text", "contains U+DCFF SURROGATE")),
        ("a\rb", TextProblem(1, "unsafe-text", "contains U+000D CONTROL CHARACTER")),
    ],
)
def test_the_first_unsafe_character_is_told_with_its_line(text, problem):
    assert find_unsafe_line(text) == problem


@given(st.text(st.characters(max_codepoint=0x100)))
def test_a_text_is_safe_if_each_of_its_characters_is(text):
    plain = text.replace("\r\n", "\n")
    spared = plain.replace("\n", "").replace("\t", "")
    assert (find_unsafe_line(text) is None) == (find_unsafe(spared) is None)
