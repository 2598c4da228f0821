"""Edits that change what a note says, in any note: never the same."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.core.comparison.test_verdict import SAME, verdict
from tests.examples import examples

_SIGNS = ["+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "^"]
_IDENTIFIERS = [
    "PATH",
    "getUser",
    "userId",
    "MyClass",
    "README.md",
    "HOME",
    "maxRetries",
    "Makefile.am",
    "HTTPServer",
    "-R",
]
_FRAMES = [
    "The result is {} in the report of the month.",
    "Set the value to {} before the first run.",
    "# Notes on the build\n\n- the figure is {}\n- ask Priya first",
    "We measured {} in the cellar. Nobody has checked it since.",
    "| name | rule |\n| --- | --- |\n| gate | {} |",
    "1. open the tool\n2. enter {}\n3. save",
    "```\nx = {}\n```\n\nRun it at night.",
    "{}",
]
_frames = st.sampled_from(_FRAMES)


def _differ(one: str, other: str) -> None:
    for new, old in ((one, other), (other, one)):
        assert verdict(new, old).action != SAME


@examples(120)
@given(_frames, st.sampled_from(_SIGNS), st.sampled_from(_SIGNS), st.booleans())
def test_another_operator_is_never_the_same(frame, sign, against, spaced):
    assume(sign != against)
    blank = " " if spaced else ""
    one, other = (f"gross{blank}{s}{blank}tax" for s in (sign, against))
    _differ(frame.format(one), frame.format(other))


@examples(120)
@given(_frames, st.integers(1, 10**6), st.sampled_from(["", " volts", "%", " ms"]))
def test_another_sign_is_never_the_same(frame, number, unit):
    _differ(frame.format(f"+{number}{unit}"), frame.format(f"-{number}{unit}"))
    _differ(frame.format(f"{number}{unit}"), frame.format(f"-{number}{unit}"))


@examples(120)
@given(
    _frames,
    st.decimals(0, 10**6, places=2),
    st.decimals(0, 10**6, places=2),
    st.sampled_from(["", " GB", " euros", "°"]),
)
def test_another_number_is_never_the_same(frame, one, other, unit):
    assume(one != other)
    _differ(frame.format(f"{one}{unit}"), frame.format(f"{other}{unit}"))


@examples(120)
@given(_frames, st.sampled_from(_IDENTIFIERS), st.booleans())
def test_an_identifier_in_another_case_is_never_the_same(frame, name, quoted):
    mark = "`" if quoted else ""
    for changed in {name.lower(), name.upper(), name.swapcase()} - {name}:
        one, other = f"{mark}{name}{mark}", f"{mark}{changed}{mark}"
        _differ(frame.format(one), frame.format(other))


@examples(120)
@given(
    st.sampled_from(
        [
            "{} runs before {}",
            "{} is larger than {}",
            "copy from {} to {}",
            "prefer {} over {}",
            "{} > {}",
            "{} depends on {}",
            "merge {} into {}",
            "{} / {}",
            "replace {} by {}",
            "1. {}\n2. {}",
            "first {}, then {}",
            "# One\n\n{} is it\n\n# Two\n\n{} is it",
        ]
    ),
    st.lists(
        st.sampled_from("alpha beta gamma delta 30 45 Anna Luis".split()),
        min_size=2,
        max_size=2,
        unique=True,
    ),
)
def test_another_order_is_never_the_same(frame, words):
    _differ(frame.format(*words), frame.format(*reversed(words)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Net is gross * tax here", "Net is gross / tax here"),
        ("The rail carries +5 volts", "The rail carries -5 volts"),
        ("Use PATH for the lookup", "Use path for the lookup"),
        ("It is written in C today", "It is written in C++ today"),
        ("Alert when load > 5 today", "Alert when load < 5 today"),
        ("Set the bar to 2,5 today", "Set the bar to 25 today"),
        ("orders references customers", "customers references orders"),
    ],
)
def test_single_signs_count(one, other):
    _differ(one, other)
