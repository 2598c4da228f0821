"""A person's TOML file is changed in the lines of the changed keys only."""

import tomllib
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.core.formats.toml_texts import BY_HAND, KEYS, SIMPLE, WRITTEN, plain
from tests.examples import examples
from toolmem.core.formats.toml_edit import edit_toml, toml_value
from toolmem.core.formats.toml_text import parse_toml
from toolmem.core.text.textlines import split_lines
from toolmem.errors import InvalidFileError

TABLES = st.recursive(
    SIMPLE,
    lambda inner: st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.text(max_size=5), TABLES, max_size=3))
def test_a_table_on_one_line_reads_back(table):
    written = f"x = {toml_value(table)}"
    assert "\n" not in written
    assert read(written) == {"x": plain(table)}


KNOWN = st.sampled_from(["id", "rule", "tags", "when", "n", "x", "flag", "inline", "1"])
VALUES = st.one_of(SIMPLE, st.none())


def read(text: str) -> dict[str, Any]:
    return tomllib.loads(text.removeprefix("\ufeff"))


def is_toml(text: str) -> bool:
    try:
        parse_toml(text, "f")
    except InvalidFileError:
        return False
    return True


def middle(old: str, new: str) -> tuple[str, str]:
    """Return the text between the lines that both texts begin and end with."""
    left, right = split_lines(old), split_lines(new)
    while left and right and left[0] == right[0]:
        del left[0], right[0]
    while left and right and left[-1] == right[-1]:
        del left[-1], right[-1]
    return "".join(left), "".join(right)


def ended(text: str) -> str:
    """The text without its mark and with plain line ends, the last one included."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    return text if not text or text.endswith("\n") else text + "\n"


def changed(text: str, key: str, value: Any) -> None:
    before = read(text)
    after = edit_toml(text, {key: value}, "f")
    wanted = {k: v for k, v in {**before, key: value}.items() if v is not None}
    assert plain(read(after)) == plain(wanted)
    old, new = middle(ended(text), ended(after))
    assert set(read(old)) <= {key}
    assert set(read(new)) <= {key}
    assert not after or after.endswith("\n") or not text.endswith("\n")
    if "\r\n" in text and "\n" not in text.replace("\r\n", ""):
        assert "\n" not in after.replace("\r\n", "")
    assert after.startswith("\ufeff") == text.startswith("\ufeff")


@examples(200)
@given(WRITTEN, st.one_of(KEYS, KNOWN), VALUES)
def test_what_toolmem_wrote_can_always_be_changed(text, key, value):
    assume(key != "guard")
    changed(text, key, value)


@examples(200)
@given(BY_HAND.filter(is_toml), st.one_of(KEYS, KNOWN), VALUES)
@example("a = 1", "b", "x")
@example("\ufeff", "b", "x")
@example("a = 1 # x\r\n[t]\r\n", "b", True)
@example("x = '''\n]\n'''\n", "x", None)
@example("x = [ # [\n '#', \"]\" ]\ny = 1\n", "x", ["z"])
@example('x = """a""""\ny = 1\n', "x", "b")
@example("x = {a = '}'}\n", "x", 1)
@example("[t]\nx = 1\n", "x", 2)
@example("\ufeffx = 1\ny = 2\n", "x", None)
@example("# only a remark", "x", 2)
@example("\n\n[[guard]]\n", "x", 2)
def test_a_file_of_a_person_keeps_every_other_line(text, key, value):
    held = read(text).get(key)
    is_table = isinstance(held, dict) or (
        isinstance(held, list) and any(isinstance(item, dict) for item in held)
    )
    if is_table:
        try:
            changed(text, key, value)
        except InvalidFileError:
            return
    else:
        changed(text, key, value)


@examples(100)
@given(st.one_of(WRITTEN, BY_HAND.filter(is_toml)))
def test_no_change_changes_nothing(text):
    assert edit_toml(text, {}, "f") == text
    before = parse_toml(text, "f")
    simple = {k: v for k, v in before.items() if isinstance(v, str | bool | int)}
    assert edit_toml(text, simple, "f") == text


@examples(200)
@given(SIMPLE)
def test_a_value_is_written_on_one_line(value):
    line = toml_value(value)
    assert "\n" not in line
    assert plain(tomllib.loads(f"x = {line}")) == {"x": plain(value)}


@pytest.mark.parametrize(
    ("text", "key", "message"),
    [
        ("a = [", "b", "f:1: Invalid value (at end of document)"),
        ("a.b = 1\n", "a", "f:2: Cannot overwrite a value"),
        ("<<<<<<< HEAD\n", "a", "f:1: the file has an unresolved merge conflict"),
    ],
)
def test_what_cannot_be_changed_is_refused_with_its_place(text, key, message):
    with pytest.raises(InvalidFileError) as caught:
        edit_toml(text, {key: "x"}, "f")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "key", "value", "after"),
    [
        ("a = 1\nb = 2\n", "a", 3, "a = 3\nb = 2\n"),
        ("a   =   1   # why\n", "a", 3, "a   =   3   # why\n"),
        ("a = 1\nb = 2\n", "a", None, "b = 2\n"),
        ("a = 1\n# of b\nb = 2\n", "a", None, "# of b\nb = 2\n"),
        ("a = 1", "b", 2, "a = 1\nb = 2\n"),
        ("", "b", 2, "b = 2\n"),
        ("[t]\nx = 1\n", "b", 2, "b = 2\n[t]\nx = 1\n"),
        ("# top\n\na = 1\n\n[t]\n", "b", 2, "# top\n\na = 1\nb = 2\n\n[t]\n"),
        ('a = """\none\ntwo"""\nb = 1\n', "a", "x", 'a = "x"\nb = 1\n'),
        ("tags = [ # list\n 'a',\n]\n", "tags", ["b", "c"], 'tags = ["b", "c"]\n'),
        ('"a" = 1\n', "a", 2, '"a" = 2\n'),
        ("a = 1\r\nb = 2\r\n", "c", 3, "a = 1\r\nb = 2\r\nc = 3\r\n"),
        ("\ufeffa = 1\n", "a", 2, "\ufeffa = 2\n"),
        ("a = 1\n\n[[t]]\nx = 1\n", "t", [], "a = 1\nt = []\n"),
        ("t = []\na = 1\n", "t", [{"x": 1}], "a = 1\n\n[[t]]\nx = 1\n"),
    ],
)
def test_only_the_lines_of_the_key_change(text, key, value, after):
    assert edit_toml(text, {key: value}, "f") == after
