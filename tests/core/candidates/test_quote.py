"""A quotation counts when it is the user's own prose and loses nothing that matters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.candidates.quote import check_quote
from toolmem.core.capture.text.masking import mask_message

MESSAGE = (
    "Please add the login page. Never push to main without asking me first.\n"
    "The README says “always run the linter before a commit”.\n"
    "```\nnever run this\n```\n"
    "Use pnpm,   not npm, in this\nrepository!"
)


def check(quote, message=MESSAGE):
    return check_quote(quote, message, mask_message(message).masked)


@pytest.mark.parametrize(
    "quote",
    [
        "Never push to main without asking me first.",
        "never push to main without asking me first",
        "Use pnpm, not npm, in this repository",
        "Use pnpm, not npm",
        "add the login page",
    ],
)
def test_verbatim_words_are_found_whatever_the_blanks_and_case(quote):
    start, end = check(quote).span
    words = MESSAGE[start:end].casefold().split()
    assert words == quote.casefold().split()


@pytest.mark.parametrize(
    ("quote", "missing", "reason"),
    [
        (
            "Never push to main",
            False,
            "leaves out a condition after it: include that in the quotation",
        ),
        (
            "push to main without",
            False,
            "leaves out “Never” before it: include that in the quotation",
        ),
        ("always run the linter", True, "is quoted, code or pasted text in the"),
        ("never run this", True, "is quoted, code or pasted text in the"),
        ("Never push to master", True, "is not in the user's messages"),
        ("ever push to main", True, "is not in the user's messages"),
        ("", True, "is empty or too long"),
        ("x" * 5000, True, "is empty or too long"),
    ],
)
def test_other_words_are_refused_with_the_reason(quote, missing, reason):
    found = check(quote)
    assert found.span is None
    assert found.missing is missing
    assert found.reason.startswith(reason)


def test_a_second_place_counts_where_the_first_does_not():
    message = "It said “use tabs here” and I agree: use tabs here."
    start, end = check("use tabs here", message).span
    assert message[start:end] == "use tabs here"
    assert start > message.index("agree")


@given(st.text(max_size=80), st.text(max_size=300))
def test_any_text_is_answered(quote, message):
    found = check(quote, message)
    if found.span is not None:
        start, end = found.span
        assert message[start:end].strip()


WORDS = st.lists(
    st.sampled_from("use the new tool for all files here".split()), min_size=2
)


@given(WORDS, st.sampled_from(["never", "do not", "don't", "no"]))
def test_what_follows_a_negation_is_never_quoted_alone(words, negation):
    message = f"{negation} {' '.join(words)}."
    assert check(" ".join(words), message).span is None


@given(WORDS, st.sampled_from(["unless I say so", "except in tests", "without a test"]))
def test_what_precedes_a_condition_is_never_quoted_alone(words, condition):
    message = f"Always {' '.join(words)} {condition}."
    assert check(f"Always {' '.join(words)}", message).span is None
