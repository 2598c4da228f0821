"""Outcomes that are read from the beginning of an output."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.transcript import outcome
from toolmem.core.transcript.events import CallStatus

_WORDS = [
    (outcome._HOOK, outcome._HOOK_WORDS),
    (outcome._REJECTED, outcome._REJECTED_WORDS),
    (outcome._CANCELLED, outcome._CANCELLED_WORDS),
]


@pytest.mark.parametrize(("pattern", "words"), _WORDS)
def test_a_refusal_has_one_of_its_words(pattern, words):
    @examples(200)
    @given(st.from_regex(pattern))
    def check(text: str) -> None:
        if re.match(pattern, text):
            assert any(word in text.casefold() for word in words)

    check()


@examples(300)
@given(st.from_regex(outcome._FAILED))
def test_a_failure_begins_with_one_of_its_words(text):
    if re.match(outcome._FAILED, text):
        assert text.casefold().startswith(outcome._FAILED_STARTS)


@examples(100)
@given(st.from_regex(outcome._LEADING_CODE))
def test_an_exit_code_is_read_at_the_beginning(text):
    found = re.match(outcome._LEADING_CODE, text)
    assert outcome.leading_exit_code(text) == (int(found[1]) if found else None)


@pytest.mark.parametrize(
    ("output", "status"),
    [
        ("", CallStatus.UNKNOWN),
        ("all is well", CallStatus.UNKNOWN),
        ("Error: no such file", CallStatus.FAILED),
        ("traceback (most recent call last)", CallStatus.FAILED),
        ("Exit code: 0\nOutput:\nErrors: none\n", CallStatus.OK),
        ("PreToolUse:Bash hook error: no", CallStatus.DENIED_BY_HOOK),
        ("exec command rejected by user", CallStatus.REJECTED),
        ("[Request interrupted by user]", CallStatus.CANCELLED),
    ],
)
def test_the_status_of_an_output(output, status):
    assert outcome.read_output(output).status == status
