"""Valid texts of a new rule, and texts that count as the same rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core import limits
from toolmem.core.rules.compose import (
    clean_id,
    clean_line,
    clean_rule_text,
)
from toolmem.core.text.safetext import find_unsafe
from toolmem.errors import UsageError


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("never push", "never push"),
        ("  never \t push\r\n  to main ", "never push to main"),
        ("e\u0301", "é"),
        ("a\u00a0b\u3000c", "a b c"),
        ("x" * 500, "x" * 500),
        (" " * 400 + "x" * 500, "x" * 500),
    ],
)
def test_a_rule_is_one_line(text, kept):
    assert clean_rule_text(text) == kept


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the rule is blank"),
        (" \n\t ", "the rule is blank"),
        (
            "x" * 501,
            "the rule has 501 characters, 500 are allowed: shorten it, or move "
            "the background to a guidance file",
        ),
        (
            "never\u200b email",
            "the rule contains U+200B ZERO WIDTH SPACE at character 6",
        ),
        ("a\x1b[2Jb", "the rule contains U+001B CONTROL CHARACTER at character 2"),
        ("a\rb", "the rule contains U+000D CONTROL CHARACTER at character 2"),
        ("\udcff", "the rule contains U+DCFF SURROGATE at character 1"),
    ],
)
def test_what_cannot_be_a_rule_is_refused(text, message):
    with pytest.raises(UsageError) as caught:
        clean_rule_text(text)
    assert str(caught.value) == message


@given(st.text(max_size=40))
def test_what_is_kept_is_kept_as_it_is(text):
    try:
        kept = clean_rule_text(text)
    except UsageError:
        return
    assert clean_rule_text(kept) == kept
    assert find_unsafe(kept) is None
    assert len(kept.splitlines()) == 1
    assert 0 < len(kept) <= limits.RULE_CHARS


@given(st.text(max_size=20))
def test_a_tag_is_one_line_or_refused(text):
    try:
        kept = clean_line(text, "tag")
    except UsageError:
        return
    assert clean_line(kept, "tag") == kept
    assert find_unsafe(kept) is None
    assert len(kept.splitlines()) == 1


@pytest.mark.parametrize(
    "text", ["7b1e0c52-6c0e", "a", "deploy.1", "A_b-c.9", "0" * 64]
)
def test_an_id_is_letters_digits_and_three_signs(text):
    assert clean_id(text) == text


@pytest.mark.parametrize(
    "text", ["", "-a", ".a", "_a", "a/b", "..", "a b", "é", "a\n", "x" * 65, "a\u202e"]
)
def test_what_cannot_be_an_id_is_refused(text):
    with pytest.raises(UsageError):
        clean_id(text)
