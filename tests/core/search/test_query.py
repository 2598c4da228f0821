"""Words of a question that are searched for."""

import pytest

from toolmem.core import search_limits
from toolmem.core.search.query import parse_query


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How do I refresh the tokens?", (("refresh", "refresh"), ("tokens", "token"))),
        ("find files, find a file", (("find", "find"), ("files", "file"))),
        ("who are you", (("who", "who"), ("are", "are"), ("you", "you"))),
        (
            'title:"x" AND NOT (y)~2',
            (("title", "titl"), ("x", "x"), ("y", "y"), ("2", "2")),
        ),
        ("***", ()),
        ("", ()),
    ],
)
def test_question_words_go_and_each_term_stays_once(text, expected):
    assert parse_query(text).words == expected


def test_a_long_question_is_cut_and_says_so():
    query = parse_query("word " * 1000)
    assert (len(query.text), query.cut) == (search_limits.QUERY_CHARS, True)
    assert not parse_query("short").cut


def test_thousands_of_brackets_are_only_characters():
    assert parse_query("(" * 3000).words == ()
