import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.guard.calling import answer
from tests.core.guard.command_table import FORCE_PUSH
from tests.core.guard.disguises import ONLY_NAMES, STILL_RUNS
from tests.examples import examples
from toolmem.core.shell.parse import parse_command, programs

FORBIDDEN = st.sampled_from(
    [
        "git push --force",
        "git -C y push -fu a",
        "g'i't pu\"\"sh -f",
        "F=-f; git push $F",
    ]
)


def says(text: str) -> str:
    return answer({"command": FORCE_PUSH}, {"command": text})


@examples(120)
@given(FORBIDDEN, st.lists(st.sampled_from(sorted(STILL_RUNS)), max_size=4))
def test_whatever_is_put_around_a_command_it_is_found(text, names) -> None:
    for name in names:
        text = STILL_RUNS[name](text)
    assert says(text) == "deny"


@examples(120)
@given(
    FORBIDDEN,
    st.lists(st.sampled_from(sorted(STILL_RUNS)), max_size=2),
    st.sampled_from(sorted(ONLY_NAMES)),
    st.lists(st.sampled_from(sorted(STILL_RUNS)), max_size=2),
)
def test_text_that_only_names_a_command_is_allowed(text, inner, quote, outer) -> None:
    for name in inner:
        text = STILL_RUNS[name](text)
    text = ONLY_NAMES[quote](text)
    for name in outer:
        text = STILL_RUNS[name](text)
    assert says(text) == "allow"


@examples(150)
@given(st.text())
def test_no_text_breaks_the_reader(text) -> None:
    read = parse_command(text)
    assert read.text == text
    assert read.complete is (read.reason == "")


TOKENS = [
    "git",
    "push",
    "-f",
    "|",
    "&&",
    ";",
    "(",
    ")",
    "{",
    "}",
    "$(",
    "${",
    "`",
    "'",
    '"',
    "<<A",
    "\n",
    "<",
    ">",
    "if",
    "then",
    "fi",
    "case",
    "in",
    "esac",
    "do",
    "done",
    "for",
    "x=",
    "=(",
    "[[",
    "]]",
    "((",
    "))",
    "\\",
    "$",
    "$x",
    "!",
    "[",
    "]",
    "<<<",
    "<(",
    "&",
    "function",
    "#",
    "*",
    "{a,b}",
    "eval",
    "sh -c",
    "sudo",
    "xargs",
    "alias a=",
    "env -S",
    "find -exec",
    "\nA\n",
    "\0",
    "\x01",
    "\x02",
    "\ue000",
    "\ud800",
    "\ue181",
    "é",
    "\U000a9562",
]


@examples(200)
@given(st.lists(st.sampled_from(TOKENS), max_size=30), st.sampled_from(["", " "]))
def test_no_sequence_of_shell_tokens_breaks_the_reader(tokens, between) -> None:
    text = between.join(tokens)
    assert programs(text) == programs(text)
    assert says(text) in ("allow", "ask", "deny")


@pytest.mark.one_of(4)
@pytest.mark.parametrize(
    "unit",
    [
        "(",
        "$(",
        "`",
        "'",
        '"',
        "<<A ",
        "<<A\n",
        "a|",
        "a=(",
        "<",
        "${",
        "eval ",
        "))",
        "env -S ",
        "sudo ",
        "! ",
        "{a,b}",
        "a;",
        "\\\\$",
        "x=$x$x;",
        "case a in ",
        "#",
    ],
)
def test_a_long_hostile_text_is_given_up_on_and_still_judged(unit) -> None:
    text = "git push --force\n" + unit * (200_000 // len(unit))
    read = parse_command(text)
    assert (read.complete, read.reason) == (False, "the shell text is too long")
    assert says(text) == "deny"


@pytest.mark.parametrize("unit", ["a|", "a=(", "))", "sudo ", "eval ", "env -S ", "$("])
def test_a_hostile_text_within_the_limits_is_read_or_given_up_on(unit) -> None:
    read = parse_command(unit * (7000 // len(unit)))
    assert not read.complete
