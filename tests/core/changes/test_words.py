"""Word diffs: whichever way, both texts are in them."""

from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.changes.model import DiffWord
from toolmem.core.changes.words import word_diff

TEXTS = st.lists(st.sampled_from(["a", "b", "push", " ", "  ", ".", "\n"])).map("".join)


@given(TEXTS, TEXTS)
def test_both_texts_can_be_read_off(before, after):
    words = word_diff(before, after)
    assert "".join(w.text for w in words if w.mark != "+") == before
    assert "".join(w.text for w in words if w.mark != "-") == after
    assert all(word.text for word in words)


def test_a_word_that_changed_is_one_change():
    assert word_diff("send more than five mails", "send more than two mails") == (
        DiffWord("=", "send more than "),
        DiffWord("-", "five"),
        DiffWord("+", "two"),
        DiffWord("=", " mails"),
    )


def test_neighbouring_changes_are_told_as_one():
    words = word_diff("use pip install here", "use uv sync here")
    assert [word.mark for word in words] == ["=", "-", "+", "="]


def test_a_long_text_is_told_as_replaced():
    long = "word " * 3000
    assert word_diff(long, "x") == (DiffWord("-", long), DiffWord("+", "x"))
