import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.turns.made import bash, edit, turn, use, write
from tests.examples import examples
from toolmem.core.rules.observation import observed_text, recounted
from toolmem.core.transcript.events import CallStatus, ToolUse
from toolmem.core.transcript.outcome import leading_exit_code, refusal
from toolmem.core.turns.errors import error_class, stored_error
from toolmem.core.turns.failures import (
    Failure,
    repeated_failures,
)


def texts(*uses: ToolUse) -> list[str]:
    return [failure.text for failure in repeated_failures(turn(*uses))]


def test_two_failures_of_one_tool_are_repeated_and_one_is_not():
    assert repeated_failures(
        turn(edit("a", CallStatus.FAILED), edit("b", CallStatus.FAILED))
    ) == (Failure("edit_file", 2, "error"),)
    assert texts(edit("a", CallStatus.FAILED), write("b", CallStatus.FAILED)) == []


@pytest.mark.parametrize(
    "status",
    [
        CallStatus.REJECTED,
        CallStatus.CANCELLED,
        CallStatus.DENIED_BY_HOOK,
        CallStatus.RUNNING,
        CallStatus.UNKNOWN,
        CallStatus.OK,
        None,
    ],
)
def test_what_says_nothing_about_the_tool_does_not_count(status):
    refused = use("bash", {"command": "make"}, status)
    assert texts(refused, refused, bash("make", 1)) == []


def test_what_worked_afterwards_is_named():
    missing = bash("pytest", 127, "pytest: command not found")
    (failure,) = repeated_failures(
        turn(missing, missing, bash("ls"), missing, bash("uv run pytest"))
    )
    assert failure == Failure("bash", 3, "not_found", "pytest", "uv run pytest")
    assert failure.text == "`pytest` failed 3 times (not found); `uv run pytest` worked"


@pytest.mark.parametrize(
    ("tried", "worked", "text"),
    [
        ("make", "make", "`make` failed 2 times, then passed"),
        ("npm test", "pnpm test", "`npm test` failed 2 times; `pnpm test` worked"),
        (
            "cd x && pytest -q",
            "cd x && python -m pytest -q",
            "`cd x && pytest -q` failed 2 times; `cd x && python -m pytest -q` worked",
        ),
        ("git fetch", "git push", "`git fetch` failed 2 times"),
        ("pytest", "which pytest", "`pytest` failed 2 times"),
        ("pytest", "echo pytest", "`pytest` failed 2 times"),
        (
            "deploy",
            "deploy --retries 3",
            "`deploy` failed 2 times; with `--retries 3` it worked",
        ),
        ("make", "make all", "`make` failed 2 times; `make all` worked"),
        ("a `b`", "x", "`a 'b'` failed 2 times"),
    ],
)
def test_only_a_command_that_does_the_same_answers_a_failure(tried, worked, text):
    assert texts(bash(tried, 1), bash(tried, 1), bash(worked)) == [text]


def test_the_cause_of_a_failure_is_named():
    late = bash("deploy", 124)
    assert texts(late, late, bash("deploy --retries 3")) == [
        "`deploy` timed out 2 times; with `--retries 3` it worked"
    ]
    closed = bash("curl x", 7, "connection refused")
    assert texts(closed, closed) == ["`curl x` failed 2 times (connection error)"]


_word = st.text("abc -`'", min_size=1, max_size=12).map(str.strip).filter(bool)


@given(
    st.builds(
        Failure,
        st.just("bash"),
        st.integers(2, 10**8),
        st.sampled_from(["error", "timeout", "not_found", "parse_error"]),
        _word,
        st.one_of(st.just(""), _word),
    ),
    st.integers(2, 10**8),
)
def test_the_text_of_a_failure_is_read_and_counted_again(failure, total):
    observed = observed_text(failure.text)
    assert observed is not None
    assert observed.has_way_out == bool(failure.worked)
    assert recounted(failure.text, total) == failure._replace(count=total).text


@pytest.mark.parametrize("text", ["pytest needs uv", "`x` failed often", ""])
def test_other_texts_are_no_observations(text):
    assert (observed_text(text), recounted(text, 3)) == (None, text)


def test_a_success_before_the_last_failure_is_no_answer():
    assert texts(bash("make", 1), bash("make"), bash("make", 1)) == [
        "`make` failed 2 times"
    ]


def test_different_commands_are_named_by_what_they_share():
    assert texts(bash("pytest a", 1), bash("pytest b", 1)) == [
        "`pytest` failed 2 times"
    ]
    assert texts(bash("make", 1), bash("ls nope", 2)) == ["`bash` failed 2 times"]


def test_other_commands_that_failed_once_do_not_hide_what_failed_repeatedly():
    made = repeated_failures(
        turn(
            bash("ls nope", 2),
            bash("pytest", 127, "pytest: command not found"),
            bash("npm ci", 1),
            bash("pytest", 127, "pytest: command not found"),
            bash("uv run pytest"),
            bash("npm ci", 1),
            bash("curl x", 7),
        )
    )
    assert [(failure.text, failure.error) for failure in made] == [
        ("`pytest` failed 2 times (not found); `uv run pytest` worked", "not_found"),
        ("`npm ci` failed 2 times", "error"),
    ]


def test_tools_stand_in_the_order_of_their_first_failure_whatever_their_case():
    failed = CallStatus.FAILED
    made = repeated_failures(
        turn(
            use("Zed", {}, failed),
            use("abc", {}, failed),
            use("abc", {}, failed),
            use(" zed ", {}, failed),
        )
    )
    assert [(failure.tool, failure.count) for failure in made] == [
        ("Zed", 2),
        ("abc", 2),
    ]


@pytest.mark.parametrize(
    ("output", "code", "expected"),
    [
        ("Request timeout", None, "timeout"),
        ("Command timed out after 2m", None, "timeout"),
        ("x: No such file or directory", 1, "not_found"),
        ("Permission denied", None, "permission_denied"),
        ("Connection refused", None, "connection_error"),
        ("network unreachable", None, "connection_error"),
        ("SyntaxError: invalid syntax", 1, "parse_error"),
        ("unknown tool: foo", None, "unknown_tool"),
        ("boom", None, "error"),
        ("", 127, "not_found"),
        ("", 126, "permission_denied"),
        ("", 124, "timeout"),
        ("timeout: file not found", None, "timeout"),
        ("x" * 3000 + "timeout", None, "error"),
    ],
)
def test_the_class_of_an_error(output, code, expected):
    assert error_class(output, code) == expected


_ERRORS = (
    "Exit code 1\n\n  boom  here\nmore",
    "Exit code 127",
    "Exit code 2\nThe user rejected it",
    "",
    "a" * 90,
    "Request timeout",
    "x: No such file or directory",
    "Permission denied (publickey)",
    "Connection refused",
    "SyntaxError: invalid syntax",
    "unknown tool: foo",
    "The user doesn't want to proceed",
    "PreToolUse:Bash hook error: no",
    "never (toolmem rule 1a2b3c4d)",
    "[Request interrupted by user for tool use]",
    "Sibling tool call errored",
)


@pytest.mark.parametrize("output", _ERRORS)
def test_the_stored_words_of_an_error_say_what_its_output_says(output):
    stored = stored_error(output)
    for read in (refusal, leading_exit_code, stored_error):
        assert read(stored) == read(output)
    if refusal(output) is None:
        assert error_class(stored) == error_class(output)


@given(st.text() | st.sampled_from(_ERRORS))
@examples(100)
def test_the_stored_words_of_an_error_are_of_a_closed_list(output):
    head, _, words = stored_error(output).rpartition("\n")
    assert re.fullmatch(r"(Exit code -?\d{1,9})?", head)
    assert words in {stored_error(one).rpartition("\n")[2] for one in _ERRORS}
