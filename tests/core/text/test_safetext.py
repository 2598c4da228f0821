"""Characters that a text may contain, and the display of others."""

import sys
import unicodedata
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toolmem.core.formats.json_text import json_text
from toolmem.core.text.safetext import (
    describe,
    find_unsafe,
    one_line,
    spell_out,
    visible,
)

INVISIBLE = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180f\u2800\u3164\ufe00\ufe0f\uffa0"
NONCHARACTERS = [
    *(chr(number) for number in range(0xFDD0, 0xFDF0)),
    *(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF)),
]


@cache
def every() -> list[str]:
    return [chr(number) for number in range(sys.maxunicode + 1)]


@cache
def banned() -> list[str]:
    return [
        char
        for char in every()
        if unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
        or char in INVISIBLE
        or 0xE0000 <= ord(char) <= 0xE0FFF
    ]


def test_every_control_format_and_private_character_is_refused_alone():
    assert [char for char in banned() if find_unsafe(f"a{char}b") is None] == []


def test_every_noncharacter_is_refused_as_no_xml_could_hold_it():
    assert [char for char in NONCHARACTERS if find_unsafe(char) is None] == []


def test_letters_digits_signs_and_spaces_are_allowed():
    kinds = ("L", "M", "N", "P", "S", "Zs")
    hidden = {*INVISIBLE, *(chr(n) for n in range(0xFE00, 0xFE10))}
    hidden |= {chr(n) for n in range(0xE0000, 0xE1000)} | {"\u180c", "\u180d"}
    refused = [
        describe(char)
        for char in every()
        if unicodedata.category(char).startswith(kinds)
        and char not in hidden
        and find_unsafe(char) is not None
    ]
    assert refused == []


def test_every_refused_character_is_spelled_out_when_it_stands_in_a_file():
    for char in [*banned(), *NONCHARACTERS]:
        shown = visible(f"a{char}b")
        assert char not in shown
        assert shown in (f"a\\u{{{ord(char):x}}}b", "a b")
        assert shown != "a b" or char.isspace() or unicodedata.category(char) == "Cc"


@pytest.mark.parametrize(
    "text",
    [
        "👩‍👩‍👧‍👦",
        "❤️",
        "☺️ and 1️⃣ and #️⃣",
        "🏳️‍🌈",
        "می‌خواهم",
        "क्‍ष",
        "e\u0301",
        "a\u00a0b",
        "中文，日本語",
        "Größe",
    ],
)
def test_joiners_and_selectors_stay_where_they_shape_a_sign(text):
    assert find_unsafe(text) is None
    assert spell_out(text) == text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a\u200db", (1, "U+200D ZERO WIDTH JOINER")),
        ("\u200d🚀", (0, "U+200D ZERO WIDTH JOINER")),
        ("🚀\u200d", (1, "U+200D ZERO WIDTH JOINER")),
        ("a\ufe0f", (1, "U+FE0F VARIATION SELECTOR-16")),
        ("1\ufe0f", (1, "U+FE0F VARIATION SELECTOR-16")),
        ("a\u200cb", (1, "U+200C ZERO WIDTH NON-JOINER")),
        ("ok\U000e0041", (2, "U+E0041 TAG LATIN CAPITAL LETTER A")),
        ("\u202egpj.exe", (0, "U+202E RIGHT-TO-LEFT OVERRIDE")),
        ("\x1b]52;c;x\x07", (0, "U+001B CONTROL CHARACTER")),
        ("\x9b31m", (0, "U+009B CONTROL CHARACTER")),
        ("a\nb", (1, "U+000A CONTROL CHARACTER")),
        ("a\tb", (1, "U+0009 CONTROL CHARACTER")),
        ("a\u2028b", (1, "U+2028 LINE SEPARATOR")),
        ("\ufeffa", (0, "U+FEFF ZERO WIDTH NO-BREAK SPACE")),
        ("soft\xadhyphen", (4, "U+00AD SOFT HYPHEN")),
        ("\udc80", (0, "U+DC80 SURROGATE")),
    ],
)
def test_the_first_unsafe_character_is_named(text, found):
    assert find_unsafe(text) == found


@pytest.mark.parametrize(
    ("text", "unsafe"),
    [("a\nb\tc\r\nd", None), ("a\rb", 1), ("a\n\rb", 2), ("a\r", 1), ("a\x0bb", 1)],
)
def test_several_lines_may_have_line_ends_and_tabs(text, unsafe):
    found = find_unsafe(text, multiline=True)
    assert (found and found[0]) == unsafe


@given(st.text(max_size=30))
@example("a\x85b\u2029c\x1cd")
def test_one_line_is_one_line_however_lines_are_counted(text):
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert line == line.strip()
    assert "  " not in line
    assert one_line(line) == line


@given(st.text(max_size=30))
def test_what_is_shown_is_safe_and_a_safe_text_is_shown_as_it_is(text):
    shown = visible(text)
    assert find_unsafe(shown) is None
    assert visible(shown) == shown
    if find_unsafe(text) is None:
        assert shown == one_line(text)


@given(st.text(max_size=30))
@example("a\tb\n\u202e\r\nc")
def test_spelling_out_keeps_lines_and_tabs_and_nothing_else_unsafe(text):
    shown = spell_out(text)
    assert shown.count("\n") == text.count("\n")
    assert shown.count("\t") == text.count("\t")
    assert all(
        find_unsafe(line.replace("\t", "")) is None for line in shown.split("\n")
    )


def test_the_spelling_can_be_chosen():
    assert spell_out("a\u202eb", lambda char: f"<{ord(char)}>") == "a<8238>b"


def test_the_name_of_a_file_is_shown_where_the_system_says_that_names_are_ascii():
    name = "データ.md".encode().decode("ascii", "surrogateescape")
    assert visible(f"system/{name}: broken") == "system/データ.md: broken"
    assert json_text([name]) == '[\n  "データ.md"\n]'
    assert visible("\udce5 alone") == "\\u{dce5} alone"
