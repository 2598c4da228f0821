"""A quotation counts when it is the user's own prose and loses nothing that matters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.candidates.quote import check_quote, flat_text
from toolmem.core.capture.text.masking import mask_message

MESSAGE = (
    "Please add the login page. Never push to main without asking me first.\n"
    "The README says “always run the linter before a commit”.\n"
    "```\nnever run this\n```\n"
    "Use pnpm,   not npm, in this\nrepository!"
)


def check(quote, message=MESSAGE):
    return check_quote(quote, mask_message(message))


@pytest.mark.parametrize(
    ("quote", "whole"),
    [
        ("Never push to main", "Never push to main without asking me first."),
        ("push to MAIN without", "Never push to main without asking me first."),
        ("add the login page", "Please add the login page."),
        ("Use pnpm, not npm", "Use pnpm,   not npm, in this\nrepository!"),
    ],
)
def test_verbatim_words_stand_for_their_whole_sentence(quote, whole):
    start, end = check(quote).span
    assert MESSAGE[start:end] == whole


@pytest.mark.parametrize(
    ("message", "quote", "whole"),
    [
        ("Never push. You can stage if you want. Go on.", "push", (0, 38)),
        ("Don't touch it. Except in tests. Go on.", "touch it", (0, 32)),
        ("Never:\n- push to main\n- use sudo\n\nNow go.", "push to main", (0, 32)),
        ("Never run docker\nwith --privileged. Go.", "run docker", (0, 35)),
        ("Use sudo? Never. Go on.", "Use sudo", (0, 16)),
        ("Deploy on Friday: never. Go on.", "Deploy on Friday", (0, 24)),
        ("Go. Nobody should push tags. Go on.", "push tags", (4, 28)),
        ("Go. Pushing tags is not allowed.", "Pushing tags", (4, 32)),
        ("When CI is green, deploy without asking.", "deploy without", (0, 40)),
        ("Skip it, but only for docs. Go on.", "Skip it", (0, 27)),
        ("Use a tool, e.g. sudo rm, never. Go.", "sudo rm", (0, 32)),
        ("Never push. It is slow. Go on.", "Never push", (0, 11)),
        ("Reply in a line. Nothing else. Go on.", "Reply in", (0, 30)),
    ],
)
def test_a_quotation_includes_what_turns_its_sense(message, quote, whole):
    assert check(quote, message).span == whole


@pytest.mark.parametrize(
    ("quote", "reason"),
    [
        ("always run the linter", "is quoted, code or pasted text in the"),
        ("never run this", "is quoted, code or pasted text in the"),
        ("Never push to master", "is not in the user's messages"),
        ("ever push to main", "is not in the user's messages"),
        ("", "is empty or too long"),
        ("x" * 5000, "is empty or too long"),
    ],
)
def test_other_words_are_refused_with_the_reason(quote, reason):
    found = check(quote)
    assert found.span is None
    assert found.missing
    assert found.reason.startswith(reason)


def test_a_second_place_counts_where_the_first_does_not():
    message = "It said “use tabs here”. I agree: use tabs here."
    start, end = check("use tabs here", message).span
    assert message[start:end] == "I agree: use tabs here."


def test_a_quoted_list_is_one_line():
    assert flat_text("Never:\n- push\n- use\n  sudo") == "Never: push; use sudo"


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
    assert check(" ".join(words), message).span == (0, len(message))


@given(WORDS, st.sampled_from(["unless I say so", "except in tests", "without a test"]))
def test_what_precedes_a_condition_is_never_quoted_alone(words, condition):
    message = f"Always {' '.join(words)} {condition}."
    assert check(f"Always {' '.join(words)}", message).span == (0, len(message))
