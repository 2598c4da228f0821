import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.patterns.regex import compile_regex
from toolmem.core.shell.words import Fit

PIECES = [
    "a", "b", "c", r"\d", r"\w", r"\s", r"\S", r"\b", "^", "$", r"\A", r"\Z", ".",
    "|", "[ab]", "[^a]", r"[a-c\d]", "(a|b)", "(?:ab|c)*", "a*", "b+?", "c?", "a{2}",
    "b{1,3}", "(a*)*", "(a|a)*", "(?:)", "x{,2}", r"\.", "-", " ", "(a+)+", "(?i:B)",
]  # fmt: skip


def found(pattern: str, text: str) -> bool:
    return compile_regex(pattern).fit(text) is Fit.YES


@examples(200)
@given(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join),
    st.text("abcB 1-.\n_é", max_size=8),
)
def test_what_is_accepted_means_what_python_means(pattern, text) -> None:
    try:
        python = re.compile(pattern, re.MULTILINE)
    except re.error:
        with pytest.raises(ValueError):
            compile_regex(pattern)
        return
    assert found(pattern, text) is bool(python.search(text))


@examples(200)
@given(st.text("ab.*+?()[]{}|^$\\-,1\n:=!<Pi#", max_size=12))
def test_no_pattern_does_anything_but_compile_or_be_refused(pattern) -> None:
    try:
        fit = compile_regex(pattern).fit("ab\n1")
    except ValueError:
        return
    assert fit in (Fit.NO, Fit.YES)


@pytest.mark.parametrize(
    ("pattern", "text", "wanted"),
    [
        (r"(?i)drop\s+table", "DROP  TABLE x", True),
        (r"(?is)a.b", "A\nB", True),
        (r"a.b", "a\nb", False),
        (r"^b$", "a\nb\nc", True),
        (r"\Ab\Z", "a\nb\nc", False),
        (r"\bprod\b", "my-prod-db", True),
        (r"\bprod\b", "production", False),
        (r"[\]\-a]+z", "]-az", True),
        (r"[]a]z", "]z", True),
        (r"[^\W\d_]", "12_é", True),
        (r"\x41\u0042\U00000043", "ABC", True),
        (r"a{,2}b", "aab", True),
        (r"a{b}", "a{b}", True),
        (r"(?P<x>a)b", "ab", True),
        ("", "", True),
        ("k", "K", False),
    ],
)
def test_patterns_people_write(pattern, text, wanted) -> None:
    assert found(pattern, text) is wanted


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (r"(a)\1", "back-references"),
        (r"(?P=a)", "look-around, back-references and the like"),
        ("(?=a)", "look-around, back-references and the like"),
        ("(?<!a)b", "look-around, back-references and the like"),
        ("(?>a)", "look-around, back-references and the like"),
        ("a++", "possessive repeats are not supported"),
        ("a**", "a repeat of a repeat"),
        ("*a", "nothing to repeat"),
        ("^*", "nothing to repeat"),
        ("(a", "a ( without its )"),
        ("a)", "an unmatched )"),
        ("[a", "a [ without its ]"),
        ("[b-a]", "a range that ends before it begins"),
        ("a{2,1}", "a repeat count that ends before it begins"),
        ("a{1001}", "a repeat count above 1000"),
        ("a{99999}", "a repeat count above 1000"),
        ("((a{100}){100}){100}", "the pattern is too large"),
        ("(((){1000}){1000}){1000}", "the pattern is too large"),
        ("(" * 100 + ")" * 100, "too many groups inside groups"),
        ("a(?i)b", "flags that are not at the start"),
        (r"\q", r"the escape \q"),
        ("a\\", "a backslash at the end"),
        (r"\U00110000", "a character that does not exist"),
    ],
)
def test_what_is_refused_says_why(pattern, message) -> None:
    with pytest.raises(ValueError) as caught:
        compile_regex(pattern)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("pattern", "text", "wanted"),
    [
        ("(a+)+$", "a" * 100_000 + "b", Fit.NO),
        ("^(a|a)*$", "a" * 100_000 + "b", Fit.NO),
        (r"^(\w+\s?)*$", "a " * 50_000 + "!", Fit.NO),
        (r"^(([a-z])+.)+[A-Z]([a-z])+$", "a" * 100_000, Fit.NO),
        (r"(.*)(.*)(.*)(.*)=x", "=" * 100_000, Fit.NO),
        (r"\s+$", " " * 100_000 + "x", Fit.NO),
        (r"(x+x+)+y", "x" * 100_000, Fit.NO),
        (r"^(a?){30}a{30}$", "a" * 30, Fit.YES),
        ("a" * 5, "b" * 2_000_000, None),
    ],
)
def test_known_catastrophes_take_one_pass(pattern, text, wanted) -> None:
    assert compile_regex(pattern).fit(text) == wanted


def test_a_pattern_that_explodes_is_given_up_on() -> None:
    text = "".join(Random(1).choices("ab", k=100_000))
    assert compile_regex("(a|b)*a(a|b){12}c").fit(text) is None


@pytest.mark.parametrize(
    ("pattern", "text", "wanted"),
    [
        (r"\Amain\Z", "\0", Fit.MAYBE),
        (r"\Amain\Z", "m\0n", Fit.MAYBE),
        (r"\Amain\Z", "x\0", Fit.NO),
        (r"\A.*/main\Z", "\0/main", Fit.YES),
        (r"\A[ab]+\Z", "a\x01c", Fit.NO),
        ("main", "\0", Fit.MAYBE),
    ],
)
def test_a_gap_may_be_any_text(pattern, text, wanted) -> None:
    assert compile_regex(pattern).fit(text) is wanted
