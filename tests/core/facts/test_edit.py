import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.facts.edit import add_facts, delete_fact, delete_facts, set_fact
from toolmem.core.facts.parse import parse_facts
from toolmem.core.text.textlines import split_lines
from toolmem.errors import InvalidFileError, NotFoundError, UsageError

FILE = """\
\ufeff---\r
tags: ["facts"]   \r
---\r
# Facts of the game\r
\r
Prose stays: as it is.\r
\r
## project\r
* test : pytest -v  \r
* empty:\r
<!-- remark -->\r
\r
### sub\r
text of a section without facts\r
## Conv\r
- style: black"""


@pytest.mark.parametrize(
    ("fact", "old", "new"),
    [
        (("project", "test", "tox"), "* test : pytest -v  \r", "* test : tox  \r"),
        (("project", "empty", "x: y"), "* empty:\r", "* empty: x: y\r"),
        (("project", "test", ""), "* test : pytest -v  \r", "* test :  \r"),
        (("Conv", "style", "ruff"), "- style: black", "- style: ruff"),
    ],
)
def test_setting_a_fact_changes_its_line_alone(fact, old, new):
    assert set_fact(FILE, *fact) == FILE.replace(old, new)


@pytest.mark.parametrize(
    ("fact", "after", "inserted"),
    [
        (("project", "new", "1"), "* empty:\r\n", "* new: 1\r\n"),
        (("Conv", "new", "1"), "- style: black", "\r\n- new: 1"),
        (("conv", "new", ""), "- style: black", "\r\n\r\n## conv\r\n- new:"),
    ],
)
def test_a_new_fact_is_one_inserted_line(fact, after, inserted):
    assert set_fact(FILE, *fact) == FILE.replace(after, after + inserted)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("", "## project\nk: v\n"),
        ("\ufeff", "\ufeff## project\nk: v\n"),
        ("## project\n", "## project\nk: v\n"),
        ("## project", "## project\nk: v"),
        ("## project\n\nProse.\n", "## project\nk: v\n\nProse.\n"),
        ("## project\n## x\n", "## project\nk: v\n## x\n"),
        ("# Title\n", "# Title\n\n## project\nk: v\n"),
        ("# Title\n\n\n", "# Title\n\n\n## project\nk: v\n"),
        ("a: 1\n\n## x\nb: 2\n", "a: 1\nk: v\n\n## x\nb: 2\n"),
        ("## x\n+ b: 2\n", "## x\n+ b: 2\n\n## project\n+ k: v\n"),
        ("## x\n  b: 2", "## x\n  b: 2\n\n## project\n  k: v"),
        # what belongs to the last fact stays with it
        ("- a: 1\n  more\n\n  text\n- x\n", "- a: 1\n  more\n\n  text\n- k: v\n- x\n"),
        ("a: 1\n    more\nx\n", "a: 1\n    more\nk: v\nx\n"),
        ("a: 1\n\n    code\n", "a: 1\nk: v\n\n    code\n"),
        ("a: 1 <!-- x\n-->\n", "a: 1 <!-- x\n-->\nk: v\n"),
        ("a: 1\n| x |\n|---|\n", "a: 1\nk: v\n| x |\n|---|\n"),
        # an open block is no place
        ("a: 1\n```\nb: 2\n", "a: 1\nk: v\n```\nb: 2\n"),
        ("## x\n<!--\nb: 2", "## x\n\n## project\nk: v\n\n<!--\nb: 2"),
        ("- a: 1\n  <!--\n", "- k: v\n- a: 1\n  <!--\n"),
        ("- x\n  ```\n  b: 2", "- x\n  ```\n  b: 2\n\n## project\nk: v"),
    ],
)
def test_a_new_line_goes_where_it_reads_back(text, result):
    assert set_fact(text, "project", "k", "v") == result


def test_the_last_of_two_lines_is_the_one_that_changes():
    text = "a: 1\n- a: 2\nb: 3\n"
    assert set_fact(text, "project", "a", "1") == "a: 1\n- a: 1\nb: 3\n"
    assert set_fact(text, "project", "a", "2") is text


def test_blanks_around_namespace_and_value_are_dropped():
    assert set_fact("", " x ", "k", "\tv ") == "## x\nk: v\n"


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("", "the key of a fact is blank"),
        (" ", "the key of a fact is blank"),
        ("a b", "the key 'a b' contains a colon or a space: use _ or -"),
        ("a:b", "the key 'a:b' contains a colon or a space: use _ or -"),
        ("a\u00a0b", "the key 'a\\xa0b' contains a colon or a space: use _ or -"),
        ("a\nb", "the key 'a\\nb' contains U+000A CONTROL CHARACTER"),
        ("a\u200bb", "the key 'a\\u200bb' contains U+200B ZERO WIDTH SPACE"),
        ("a\u202e", "the key 'a\\u202e' contains U+202E RIGHT-TO-LEFT OVERRIDE"),
        ("\udcff", "the key '\\udcff' contains U+DCFF SURROGATE"),
        ("Note", "'Note' cannot be a key: `Note:` begins a comment"),
        ("TODO", "'TODO' cannot be a key: `TODO:` begins a comment"),
        *(
            (key, f"the key {key!r} contains markup: use letters, digits, _ and -")
            for key in ("-a", "+a", "*a", "#a", ">a", "|", "a|b", "<a", "[a]", "`a`")
        ),
        ("~~~", "the key '~~~' contains markup: use letters, digits, _ and -"),
        ("__a__", "the key '__a__' contains markup: use letters, digits, _ and -"),
    ],
)
def test_a_key_that_would_not_read_back_is_refused(key, message):
    with pytest.raises(UsageError) as caught:
        set_fact("", "project", key, "v")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            "a\nb",
            "the value 'a\\nb' contains U+000A CONTROL CHARACTER (a fact is one line)",
        ),
        ("a\rb", "the value 'a\\rb' contains U+000D CONTROL CHARACTER"),
        ("a\x1b[1m", "the value 'a\\x1b[1m' contains U+001B CONTROL CHARACTER"),
        ("a\u2028b", "the value 'a\\u2028b' contains U+2028 LINE SEPARATOR"),
        ("//x", "a value cannot begin with //: it would be read as part of a URL"),
    ],
)
def test_a_value_that_is_no_single_clean_line_is_refused(value, message):
    with pytest.raises(UsageError) as caught:
        set_fact("", "project", "k", value)
    assert str(caught.value) == message


@pytest.mark.parametrize("namespace", ["", " ", "#", "x ##", "a\nb", "a\u202eb"])
def test_a_namespace_that_is_no_heading_is_refused(namespace):
    with pytest.raises(UsageError, match="namespace"):
        set_fact("", namespace, "k", "v")


def test_a_value_that_would_hide_other_facts_is_refused():
    with pytest.raises(InvalidFileError) as caught:
        set_fact("a: 1\nb: 2\n--> end\n", "project", "a", "<!--", path="p/facts.md")
    assert str(caught.value) == (
        "p/facts.md:1: the facts would be read back differently after this change: "
        "edit the file by hand"
    )


@pytest.mark.parametrize("change", [set_fact, delete_fact])
def test_a_file_with_a_conflict_is_left_alone(change):
    arguments = ("v",) if change is set_fact else ()
    with pytest.raises(InvalidFileError) as caught:
        change("a: 1\n<<<<<<< HEAD\n", "project", "a", *arguments)
    assert str(caught.value) == "facts.md:2: resolve the merge conflict first"


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("a: 1", ""),
        ("\ufeffa: 1\nb: 2\n", "\ufeffb: 2\n"),
        ("b: 2\r\n- a: 1\r\n<!-- c -->\r\n", "b: 2\r\n<!-- c -->\r\n"),
        ("b: 2\na: 1", "b: 2\n"),
        ("a: 1\nb: 2\na: 3\n", "b: 2\n"),
        ("## project\na: 1\n", "## project\n"),
        ("a: 1\n## x\na: 2\n", "## x\na: 2\n"),
    ],
)
def test_deleting_a_fact_takes_its_lines_alone(text, result):
    assert delete_fact(text, "project", "a") == result


def test_deleting_what_is_not_there_says_so():
    with pytest.raises(NotFoundError) as caught:
        delete_fact("a: 1\n", "x", "a")
    assert str(caught.value) == "facts.md: no fact 'a' in 'x'"


@pytest.mark.parametrize(
    ("text", "line"),
    [("- a: 1\n  hidden: 2\n", 1), ("a: 1\n---\nb: 2\n---\n", 1)],
)
def test_a_fact_that_holds_others_apart_is_not_deleted(text, line):
    with pytest.raises(InvalidFileError) as caught:
        delete_fact(text, "project", "a", path="f.md")
    assert str(caught.value) == (
        f"f.md:{line}: the facts would be read back differently after this change: "
        "edit the file by hand"
    )


PIECES = """\
a: 1
- b: 2
* c: x | y
  d: 3
    e: 4
## project
## x ##
# h
---
```
~~~ sh
<!--
-->
a: <!-- x
k: y --> z
1. q: y
- [ ] t: u
|a|b|
-|-
|---|---|

  - n: 1
Note: x
- ```
  ```
- <!-- u
a:
b:  \t
c : 9
##
* * *
> q: 1
===
10. k
prose
"""
LINES = st.lists(st.sampled_from(PIECES.split("\n")))
TEXTS = st.builds(
    lambda start, lines, ending, last: (
        start.replace("\n", ending) + ending.join(lines) + ending * last
    ),
    st.sampled_from(["", "\ufeff", "---\nx: y\n---\n"]),
    LINES,
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
NAMES = st.sampled_from(["project", "x", "new"])
KEYS = st.sampled_from(["a", "b", "c", "d", "k", "zz"])
VALUES = st.sampled_from(["", "1", "x: y", "a | b", "<!-- x", "--> y", "`c` #"])


def as_table(text: str) -> dict[tuple[str, str], str]:
    found = parse_facts(text).facts
    return {(fact.namespace, fact.key): fact.value for fact in found}


def ended_lines(text: str) -> list[str]:
    """Lines with their endings, the last one ended as the first is."""
    ending = "\r\n" if "\r\n" in text else "\n"
    text = text.removeprefix("\ufeff")
    return split_lines(text if text.endswith("\n") or not text else text + ending)


@examples(200)
@given(TEXTS, NAMES, KEYS, VALUES)
def test_setting_changes_one_fact_and_one_line(text, namespace, key, value):
    before = as_table(text)
    try:
        changed = set_fact(text, namespace, key, value)
    except InvalidFileError:
        assume(False)
    assert as_table(changed) == before | {(namespace, key): value}
    assert set_fact(changed, namespace, key, value) == changed
    assert changed.startswith("\ufeff") == text.startswith("\ufeff")
    assert changed.endswith("\n") == (text.endswith("\n") or not text.strip("\ufeff"))
    old, new = ended_lines(text), ended_lines(changed)
    pairs = enumerate(zip(old, new, strict=False))
    start = next((at for at, (one, two) in pairs if one != two), len(old))
    added = len(new) - len(old)
    if (namespace, key) in before:
        assert (added, old[start + 1 :]) == (0, new[start + 1 :])
    else:
        known = namespace in {name for name, _ in before}
        assert 1 <= added <= (1 if known else 4)
        assert old[start:] == new[start + added :]


@examples(200)
@given(TEXTS, st.integers(min_value=0, max_value=9))
def test_deleting_removes_one_fact_and_nothing_else(text, index):
    before = as_table(text)
    name = [*before, ("project", "missing")][index % (len(before) + 1)]
    try:
        changed = delete_fact(text, *name)
    except NotFoundError:
        assert name not in before
        return
    except InvalidFileError:
        assume(False)
    assert as_table(changed) == {key: before[key] for key in before if key != name}
    kept = iter(split_lines(text.removeprefix("\ufeff")))
    assert all(line in kept for line in split_lines(changed.removeprefix("\ufeff")))
    assert changed.startswith("\ufeff") == text.startswith("\ufeff")


@examples(200)
@given(TEXTS, NAMES, st.dictionaries(KEYS, VALUES, min_size=1, max_size=4))
def test_facts_added_together_are_as_those_set_one_by_one(text, namespace, values):
    assume(not any((namespace, key) in as_table(text) for key in values))
    one_by_one = text
    try:
        together = add_facts(text, namespace, values)
        for key, value in values.items():
            one_by_one = set_fact(one_by_one, namespace, key, value)
    except InvalidFileError:
        assume(False)
    assert together == one_by_one


@examples(200)
@given(TEXTS, st.sets(st.integers(min_value=0, max_value=9)))
def test_facts_deleted_together_are_as_those_deleted_one_by_one(text, indexes):
    names = [name for at, name in enumerate(as_table(text)) if at in indexes]
    one_by_one = text
    try:
        for name in names:
            one_by_one = delete_fact(one_by_one, *name)
    except InvalidFileError:
        assume(False)
    assert delete_facts(text, names) == one_by_one


@examples(200)
@given(st.text(), st.text(), st.text(), st.text())
def test_any_arguments_end_in_a_text_or_a_typed_error(text, namespace, key, value):
    try:
        changed = set_fact(text, namespace, key, value)
    except (UsageError, InvalidFileError):
        return
    assert as_table(changed)[namespace.strip(" \t"), key] == value.strip(" \t")
