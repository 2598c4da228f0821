"""The estimate of tokens: seldom too low, and not absurdly high."""

from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.text.tokens import estimate_tokens

# Counted with cl100k, o200k and Anthropic's published vocabulary: the largest.
COUNTED = [
    ("never email Sarah at sarah@example.com", 10),
    ("double-check the recipient", 5),
    ("git push --force origin main", 6),
    (
        "def parse(text: str) -> dict[str, int]:\n"
        "    return {k: int(v) for k, v in pairs}",
        30,
    ),
    ("刷新过期的令牌时需要重新请求范围", 17),
    ("🚀🎉 done ✅", 9),
    ("pytest tests/ -v --maxfail=1 -k 'not slow'", 16),
    ("sha256:9f86d081884c7d659a2feaa0c55ad015", 23),
    ("The quick brown fox jumps over the lazy dog.", 10),
    ("Größe über Straße, déjà vu, año", 12),
    ('{"a": [1, 2.5, null], "b": {"c": true}}', 21),
    ("Никогда не пиши Саре", 11),
]


@pytest.mark.parametrize(("text", "tokens"), COUNTED)
def test_the_estimate_is_not_below_what_a_tokenizer_counts(text, tokens):
    assert estimate_tokens(text) >= 0.97 * tokens


def test_the_estimate_is_less_than_half_too_high_on_average():
    assert mean(estimate_tokens(text) / real - 1 for text, real in COUNTED) <= 0.45


def test_nothing_costs_nothing():
    assert estimate_tokens("") == 0


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_longer_text_never_costs_less(first, second):
    assert estimate_tokens(first + "\n" + second) >= estimate_tokens(first)


@given(st.lists(st.text(max_size=20), max_size=6))
def test_the_estimate_depends_on_the_text_alone(texts):
    once = [estimate_tokens(text) for text in texts]
    assert [estimate_tokens(text) for text in reversed(texts)] == once[::-1]


def test_many_different_words_do_not_fill_the_memory():
    text = " ".join(f"{chr(97 + n % 26)}{'x' * (n % 9)}{n}q" for n in range(20_000))
    first = estimate_tokens(text)
    assert estimate_tokens(text) == first
