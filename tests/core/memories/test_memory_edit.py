from datetime import UTC, date, datetime
from functools import partial

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.memories.front_matter import read_header, split_header
from toolmem.core.memories.header_line import YAML_WORDS
from toolmem.core.memories.header_values import value_of
from toolmem.core.memories.memory_edit import (
    edit_header,
    new_memory_text,
    replace_body,
)
from toolmem.core.memories.memory_text import parse_memory
from toolmem.core.text.conflict_marks import conflict_line
from toolmem.core.text.textlines import find_unsafe_line, split_lines
from toolmem.errors import InvalidFileError, UsageError

NOON = datetime(2026, 4, 7, 12, 0, tzinfo=UTC)
BY_HAND = "the header cannot be edited line by line: edit it by hand"


def values(text: str) -> dict[str, object]:
    found = read_header(split_header(text))
    assert found.problems == ()
    return {key: value_of(entry.node) for key, entry in found.entries.items()}


def test_a_new_memory_is_written_as_the_design_shows_it():
    fields = {
        "tags": ("insight", "auto-generated"),
        "topic": "authentication",
        "kind": None,
        "source_task": "0123",
        "related_to": (),
        "created": date(2026, 4, 7),
        "updated": NOON,
        "importance": 0.8,
        "private": False,
        "summary": "a: b # c\nd",
    }
    assert new_memory_text(fields, " OAuth  2.0\n", "\n\nBody.\r\n\r\n  code\n\n") == (
        "---\n"
        "tags: [insight, auto-generated]\n"
        "topic: authentication\n"
        'source_task: "0123"\n'
        "created: 2026-04-07\n"
        "updated: 2026-04-07T12:00:00Z\n"
        "importance: 0.8\n"
        "private: false\n"
        'summary: "a: b # c\\nd"\n'
        "---\n"
        "# OAuth 2.0\n"
        "\n"
        "Body.\n\n  code\n"
    )
    assert new_memory_text({}, "T", "") == "# T\n"


@pytest.mark.parametrize(
    "title", ["C#", "a #", "#", "# a", "a ##", "- a", "```", "---"]
)
def test_a_title_reads_back_whatever_markdown_it_holds(title):
    text = new_memory_text({}, title, "x")
    assert parse_memory(text, path="").title == title


@pytest.mark.parametrize(
    ("fields", "title", "body", "message"),
    [
        ({}, " \n", "", "the title of the memory is blank"),
        ({}, "a\u200b", "", "the title of the memory contains U+200B ZERO WIDTH SPACE"),
        ({}, "t", "a\nb\x1b", "line 2 of the memory contains U+001B CONTROL CHARACTER"),
        ({}, "t", "\udcff", "line 1 of the memory contains U+DCFF SURROGATE"),
        ({"a b": 1}, "t", "", "'a b' cannot be a field: use letters, digits, _ and -"),
        ({"no": 1}, "t", "", "'no' cannot be a field: use letters, digits, _ and -"),
        ({"x": {}}, "t", "", "a header cannot contain {}"),
        (
            {"importance": 2},
            "t",
            "",
            "a memory cannot contain this: line 2: importance is not a number"
            " from 0 to 1: it is ignored",
        ),
        (
            {},
            "t",
            "<<<<<<< a",
            "a memory cannot contain this: line 3: an unresolved merge conflict",
        ),
        (
            {},
            "t",
            "private: yes",
            "a memory cannot contain this: line 3: looks like a header but is not "
            "valid:"
            " begin and end it with lines that are exactly ---, the first one on top",
        ),
    ],
)
def test_what_a_memory_cannot_hold_is_refused(fields, title, body, message):
    with pytest.raises(UsageError) as caught:
        new_memory_text(fields, title, body)
    assert str(caught.value) == message


HAND = (
    "---\r\n"
    "# who wrote this\r\n"
    "tags:  # why\r\n"
    "  - a\r\n"
    "  # the second\r\n"
    "  - b  # last\r\n"
    "topic :  authentication   # sure\r\n"
    "empty:\r\n"
    "text: |\r\n"
    "  one\r\n"
    "  # two\r\n"
    "\r\n"
    "'quoted': \"x\"\r\n"
    "mine: {a: [1,\r\n"
    "  2]} # mine\r\n"
    "long: one\r\n"
    "  two\r\n"
    "---\r\n"
    "# T\n"
    "no newline"
)


@pytest.mark.parametrize(
    ("changes", "old", "new"),
    [
        ({"topic": "git"}, "authentication", "git"),
        ({"topic": None}, "topic :  authentication   # sure\r\n", ""),
        ({"empty": "x"}, "empty:", "empty: x"),
        ({"quoted": 0.5}, '"x"', "0.5"),
        ({"mine": True}, "{a: [1,\r\n  2]}", "true"),
        ({"long": "one"}, "one\r\n  two", "one"),
        ({"text": "x"}, "|\r\n  one\r\n  # two", "x"),
        ({"text": None}, "text: |\r\n  one\r\n  # two\r\n\r\n", ""),
        (
            {"tags": ("a", "b", "c")},
            "tags:  # why\r\n  - a\r\n  # the second\r\n  - b",
            "tags: [a, b, c]",
        ),
        (
            {"tags": None},
            "tags:  # why\r\n  - a\r\n  # the second\r\n  - b  # last\r\n",
            "",
        ),
        (
            {"updated": date(2026, 4, 8)},
            "  two\r\n",
            "  two\r\nupdated: 2026-04-08\r\n",
        ),
        (
            {"b": "no", "empty": None, "a": NOON},
            "  two\r\n",
            '  two\r\nb: "no"\r\na: 2026-04-07T12:00:00Z\r\n',
        ),
    ],
)
def test_an_edit_changes_the_lines_of_its_field_alone(changes, old, new):
    assert HAND.count(old) == 1
    expected = HAND.replace(old, new)
    if len(changes) > 1:
        expected = expected.replace("empty:\r\n", "")
    assert edit_header(HAND, changes) == expected


@pytest.mark.parametrize(
    "changes", [{}, {"topic": "authentication"}, {"tags": ["a", "b"]}, {"gone": None}]
)
def test_an_edit_that_changes_nothing_is_the_same_text(changes):
    assert edit_header(HAND, changes) is HAND


@pytest.mark.parametrize(
    ("text", "changes", "result"),
    [
        ("# T\n", {"a": 1}, "---\na: 1\n---\n# T\n"),
        ("# T\r\nx", {"a": 1}, "---\r\na: 1\r\n---\r\n# T\r\nx"),
        ("\ufeff# T\n", {"a": 1}, "---\na: 1\n---\n# T\n"),
        ("", {"a": 1}, "---\na: 1\n---\n"),
        ("---\n---", {"a": 1}, "---\na: 1\n---"),
        ("---\n# c\n\n---\n", {"a": 1}, "---\n# c\n\na: 1\n---\n"),
        ("---\n  a: 1\n---\n", {"b": 2}, "---\n  a: 1\n  b: 2\n---\n"),
        ("---\na: 1\n---\n", {"a": None}, "---\n---\n"),
        ("---\na: [x]\n---\n", {"a": ()}, "---\na: []\n---\n"),
        ("---\n{a: 1, b: 2}\n---\n", {"a": 3, "b": 4}, "---\n{a: 3, b: 4}\n---\n"),
        ("---\na: 1\n---\n", {"a": "1"}, '---\na: "1"\n---\n'),
        ("---\na: 1\n---\n", {"a": 1.0}, "---\na: 1.0\n---\n"),
        (
            "---\na: '2026-04-07'\n---\n",
            {"a": NOON.date()},
            "---\na: 2026-04-07\n---\n",
        ),
        ("---\nt:\n  x # c\n---\n", {"t": "z"}, "---\nt: z # c\n---\n"),
        (
            "---\nt:\n  - |\n    x\n\nu: 1\n---\n",
            {"t": "z"},
            "---\nt: z\n\nu: 1\n---\n",
        ),
    ],
)
def test_an_edit_fits_the_header_that_it_finds(text, changes, result):
    assert edit_header(text, changes) == result


@pytest.mark.parametrize(
    ("text", "changes", "line", "reason"),
    [
        ("---\n{a: 1}\n---\n", {"b": 2}, 1, BY_HAND),
        ("---\n{a: 1, b: 2}\n---\n", {"b": None}, 1, BY_HAND),
        ("---\n? a\n: b\n---\n", {"a": "c"}, 1, BY_HAND),
        ("---\ns: |+\n  x\na: 1\n\nb: 2\n---\n", {"a": None}, 1, BY_HAND),
        ("---\na: 1\n---\n", {"b": 10**18}, 1, BY_HAND),
        (
            "---\na: 1\na: 2\n---\n",
            {"b": 1},
            3,
            "the header cannot be read: the key 'a' occurs twice",
        ),
        (
            "---\na: 1\n---\n=======\n>>>>>>> b\n",
            {"a": 2},
            5,
            "an unresolved merge conflict",
        ),
    ],
)
def test_a_header_that_cannot_be_edited_is_left_alone(text, changes, line, reason):
    with pytest.raises(InvalidFileError) as caught:
        edit_header(text, changes, path="a/b.md")
    assert str(caught.value) == f"a/b.md:{line}: {reason}"


def test_a_body_is_replaced_below_the_same_header():
    assert replace_body(HAND, "new\n") == HAND.partition("# T\n")[0] + "new\n"
    assert replace_body("old", "new") == "new"
    assert replace_body("---\n---", "") == "---\n---"


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("x", "---\na: 1\n---\n"),
        ("x", "\n---\n"),
        ("---\na: 1\n---\n", "<<<<<<< a\n"),
        ("---\na: 1\n---", "x"),
    ],
)
def test_a_body_that_would_read_as_something_else_is_refused(text, body):
    with pytest.raises(InvalidFileError) as caught:
        replace_body(text, body)
    message = "memory.md:1: the new text would be read back differently"
    assert str(caught.value) == message


TEXT = st.text(max_size=12).filter(lambda text: find_unsafe_line(text) is None)
SCALAR = st.one_of(
    TEXT,
    st.booleans(),
    st.integers(-(10**17), 10**17),
    st.floats(allow_nan=False, allow_infinity=False),
    st.dates(),
    st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1)).map(  # noqa: DTZ001
        lambda moment: moment.replace(tzinfo=UTC)
    ),
)
VALUE = SCALAR | st.lists(SCALAR, max_size=3)
KEY = st.from_regex(r"[a-z_][a-z0-9_]{0,4}", fullmatch=True)


@examples(200)
@given(
    st.dictionaries(KEY.filter(lambda key: key not in YAML_WORDS), VALUE, max_size=4),
    TEXT.filter(str.strip),
    TEXT,
)
def test_a_new_memory_reads_back_equal_here_and_in_plain_yaml(fields, title, body):
    assume(not conflict_line(body) and "private" not in body.casefold())
    text = new_memory_text(fields, title, body)
    kept = {key: value for key, value in fields.items() if value != []}
    assert list(values(text).items()) == list(kept.items())
    found = parse_memory(text, path="")
    assert found.title.split() == title.split()
    assert found.body.endswith(body.replace("\r\n", "\n").strip("\n") + "\n")
    other = yaml.safe_load(split_header(text).header) or {}
    assert {key: other[key] for key in kept} == kept


PIECES = [
    "a: 1\n",
    "b: [x, y] # c\n",
    "c:\n",
    "d:\n  - x\n  # in\n  - y\n",
    "e: |\n  text\n   # no\n",
    "f: >-\n  x\n",
    "'g' : \"q\" # why\n",
    "h:\n  plain # s\n",
    "i: long\n  more\n",
    "j: {x: 1}\n",
    "k: [1,\n  2]\n",
    "l:\n- z\n",
    "m:\n  n: 1\n  o: |\n    p\n",
    "r: é ü 👍 # ö\n",
    "s: |+\n  x\n\n",
    "u: ~\n",
    "# comment\n",
    "\n",
]
NAMES = "abcdefghijklmrsu"


@examples(200)
@given(
    st.lists(st.sampled_from(PIECES), max_size=5, unique=True),
    st.lists(st.sampled_from(PIECES), max_size=5, unique=True),
    st.sampled_from(PIECES[:16]),
    st.none() | VALUE,
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "# T\n\nbody", "---\n", "\n"]),
)
def test_an_edit_leaves_every_other_byte(above, below, piece, value, ending, body):
    below = [other for other in below if other not in (*above, piece)]
    # Blank lines that move up below ``|+`` would become text: refused, see above.
    above = [other for other in above if other != piece and "|+" not in other]
    parts = ["---\n" + "".join(above), piece, "".join(below) + "---\n"]
    before, own, after = (part.replace("\n", ending) for part in parts)
    text = before + own + after + body
    name = piece.lstrip("'")[0]
    changed = edit_header(text, {name: value})
    old, new = values(text), values(changed)
    expected = {key: value if key == name else old[key] for key in old}
    if value is None:
        del expected[name]
    assert list(new.items()) == list(expected.items())
    assert changed.startswith(before)
    assert changed.endswith(after + body)
    lines = split_lines(changed[len(before) : len(changed) - len(after + body)])
    kept = own.endswith(ending * 2) and value is not None
    assert len(lines) == (value is not None) + kept
    assert edit_header(changed, {name: value}) == changed


@examples(200)
@given(st.text(), st.dictionaries(st.text(), st.none() | VALUE, max_size=2), st.text())
def test_any_arguments_end_in_a_text_or_a_typed_error(text, changes, body):
    for candidate in (text, f"---\n{text}\n---\n"):
        for change in (
            partial(edit_header, changes=changes),
            partial(replace_body, body=body),
        ):
            try:
                changed = change(candidate)
            except (InvalidFileError, UsageError):
                continue
            assert not split_header(changed).private
