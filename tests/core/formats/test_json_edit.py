"""Editing JSON with comments: what is added comes out again, byte for byte."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.formats.json_edit import (
    append_item,
    read_json,
    remove_items,
    remove_key,
    value_of,
)
from toolmem.errors import InvalidFileError

OURS = {"ours": [1, {"a": "b"}]}

_blank = st.lists(
    st.sampled_from(
        [" ", "\t", "\n", "\r\n", "\n  ", "// a, b ] }\n", "/* , \n } */", "//\n"]
    ),
    max_size=3,
).map("".join)
_scalar = st.sampled_from(
    ["1", "-0.5", "1e9", "true", "null", '"a"', '"\\u00e9 // {"', '"\\\\"', '"]"']
)


def _joined(
    pieces: list[str], blanks: Iterator[str], trailing: bool, brackets: str
) -> str:
    text = brackets[0] + next(blanks)
    for number, piece in enumerate(pieces):
        last = number == len(pieces) - 1
        comma = "," if not last or trailing else ""
        text += piece + next(blanks) + comma + next(blanks)
    return text + brackets[1]


@st.composite
def documents(draw, depth=2):
    """A value with comments and blanks anywhere, trailing commas now and then."""
    if depth == 0 or draw(st.booleans()):
        return draw(_scalar)
    inner = draw(st.lists(documents(depth=depth - 1), max_size=3))
    blanks = iter(draw(st.lists(_blank, min_size=10, max_size=10)))
    trailing = draw(st.booleans())
    if draw(st.booleans()):
        return _joined(inner, blanks, trailing, "[]")
    members = [
        f'"{key}"{draw(_blank)}:{piece}'
        for key, piece in zip("abc", inner, strict=False)
    ]
    return _joined(members, blanks, trailing, "{}")


@st.composite
def files(draw):
    """A document with a list under ``hooks`` among other things."""
    items = draw(st.lists(documents(), max_size=3))
    blanks = iter(draw(st.lists(_blank, min_size=10, max_size=10)))
    hooks = _joined(items, blanks, draw(st.booleans()), "[]")
    members = [f'"hooks": {hooks}']
    if draw(st.booleans()):
        members.insert(0, f'"first":{draw(documents())}')
    if draw(st.booleans()):
        members.append(f'"last":{draw(documents())}')
    more = iter(draw(st.lists(_blank, min_size=10, max_size=10)))
    body = _joined(members, more, draw(st.booleans()), "{}")
    return draw(_blank) + body + draw(_blank), len(items)


def value(text: str) -> Any:
    return value_of(text, read_json(text, "x"))


def is_ours(item):
    return item == OURS


@examples(200)
@given(files())
def test_an_item_that_is_added_comes_out_again(made):
    text, count = made
    longer = append_item(text, ("hooks",), OURS, "x")
    before, after = value(text), value(longer)
    assert after == {**before, "hooks": [*before["hooks"], OURS]}
    back = remove_items(longer, ("hooks",), is_ours, "x")
    if count:
        assert back == text
    else:
        assert value(back) == before


@examples(200)
@given(files(), st.integers(0, 3))
def test_an_item_comes_out_of_any_place(made, place):
    """Remove our item from any place; everything else stays."""
    text, _ = made
    document = value(text)
    items = document["hooks"]
    wanted = [*items[:place], OURS, *items[place:]]
    one_line = json.dumps({**document, "hooks": wanted})
    assert value(remove_items(one_line, ("hooks",), is_ours, "x")) == document


@examples(100)
@given(files())
def test_a_key_comes_out_from_between_any_comments(made):
    text, _ = made
    document = value(text)
    del document["hooks"]
    assert value(remove_key(text, ("hooks",), "x")) == document


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{ // a\n"hooks": {}, "b": 1 }\n', '{ // a\n "b": 1 }\n'),
        ('{"b": 1 // a\r\n, "hooks": {}}', '{"b": 1 // a\r\n}'),
        ('{"b": 1, // a\n "hooks": {} }', '{"b": 1 // a\n }'),
        ('{ // a\n  "hooks": {},\n  "b": 1\n}', '{ // a\n  "b": 1\n}'),
        ('{ /* // a */ "hooks": {}, "b": 1}', '{ /* // a */  "b": 1}'),
    ],
)
def test_nothing_slips_into_a_comment_before_what_is_cut(text, wanted):
    assert remove_key(text, ("hooks",), "x") == wanted


@examples(200)
@given(files())
def test_a_missing_list_is_made_where_its_key_belongs(made):
    text, _ = made
    longer = append_item(text, ("more", "deep"), OURS, "x")
    assert value(longer) == {**value(text), "more": {"deep": [OURS]}}


@examples(200)
@given(st.text(alphabet='{}[]",:/*\\ \n\r\tu0a1-.e', max_size=60))
def test_any_text_is_read_or_refused(text):
    with suppress(InvalidFileError):
        value(text)


@examples(200)
@given(documents(depth=3))
def test_without_comments_and_commas_it_reads_as_json_does(text):
    wrapped = f'{{"v": {text}}}'
    try:
        wanted = json.loads(wrapped)
    except ValueError:
        return
    assert value(wrapped) == wanted


@pytest.mark.parametrize("text", ["{" * 100_000, '{"a":' * 100_000, "/*" * 100_000])
def test_a_hostile_text_is_refused_at_once(text):
    with pytest.raises(InvalidFileError):
        read_json(text, "x")


def test_an_item_behind_a_comment_stays_behind_it():
    text = '{\n  "hooks": [\n    1 // one\n  ]\n}\n'
    assert append_item(text, ("hooks",), 2, "x") == (
        '{\n  "hooks": [\n    1, // one\n    2\n  ]\n}\n'
    )
