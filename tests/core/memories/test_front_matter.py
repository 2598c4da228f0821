import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core import limits
from toolmem.core.memories.front_matter import (
    MemoryParts,
    _by_line,
    read_header,
    split_header,
)
from toolmem.core.memories.header_values import value_of
from toolmem.core.memories.header_yaml import UnreadableHeaderError, read_yaml
from toolmem.core.text.textlines import TextProblem

MISTAKEN = (
    "looks like a header but is not valid: begin and end it"
    " with lines that are exactly ---, the first one on top"
)


def header(text: str) -> dict[str, object]:
    found = read_header(split_header(f"---\n{text}---\n"))
    assert found.problems == ()
    return {key: value_of(entry.node) for key, entry in found.entries.items()}


def refusal(text: str) -> TextProblem:
    found = read_header(split_header(f"---\n{text}---\n"))
    assert found.entries == {}
    (problem,) = found.problems
    return problem


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ("", "", "", "")),
        ("# Title\n", ("", "", "", "# Title\n")),
        ("---\na: 1\n---\nx", ("---\n", "a: 1\n", "---\n", "x")),
        ("---\r\na: 1\r\n---\r\nx", ("---\r\n", "a: 1\r\n", "---\r\n", "x")),
        ("---\n---", ("---\n", "", "---", "")),
        ("---\na: 1\n---\n\n---\nx\n", ("---\n", "a: 1\n", "---\n", "\n---\nx\n")),
        ("x\n---\na: 1\n---\n", ("", "", "", "x\n---\na: 1\n---\n")),
        ("\ufeff# Title\n", ("", "", "", "\ufeff# Title\n")),
    ],
)
def test_a_header_stands_between_exact_fences_at_the_top(text, parts):
    split = split_header(text)
    assert split == MemoryParts(*parts)
    assert not split.private


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---", 1),
        ("---\nprivate: true\n", 1),
        ("---\nprivate: true\n --- \nbody\n", 1),
        ("--- \nprivate: true\n---\n", 1),
        (" ---\nprivate: true\n---\n", 1),
        ("----\nprivate: true\n----\n", 1),
        ("\n\n---\nprivate: true\n---\n", 3),
        ("\u200b---\nprivate: true\n---\n", 1),
        ("---\u2028\nprivate: true\n---\n", 1),
        ("—\nprivate: true\n—\n", 1),
        ("+++\nprivate = true\n+++\n", 1),
        ("\n# Title\n\n- Private: true\n", 4),
        ('x ---\n"private" : true\n---\n', 2),
    ],
)
def test_what_was_meant_as_a_header_makes_the_memory_private(text, line):
    split = split_header(text)
    assert split.body == text
    assert split.problems == (TextProblem(line, "invalid-header", MISTAKEN),)
    assert split.private


def test_a_byte_order_mark_before_the_header_is_told():
    (problem,) = split_header("\ufeff---\nprivate: true\n---\n").problems
    assert (problem.line, problem.code) == (1, "invalid-header")
    assert "save it without a byte order mark" in problem.message


@pytest.mark.parametrize(
    "text", ["<<<<<<< H\n---\na: 1\n---\n", "---\na: 1\n---\nx\n>>>>>>> y\n"]
)
def test_a_conflict_anywhere_makes_the_memory_private(text):
    split = split_header(text)
    line = 1 if text.startswith("<") else 5
    message = "an unresolved merge conflict"
    assert split.problems == (TextProblem(line, "conflict-marker", message),)
    assert split.private


def test_a_header_is_plain_yaml_without_its_surprises():
    text = (
        "# remark\n"
        "tags: [insight, 'no', 0123, 1.5]\n"
        "topic: no\n"
        "private: true\n"
        "nothing:\n"
        "created: 2026-04-07\n"
        "text: |\n  a\n  b\n"
        "deep:\n  - a: {b: c}\n"
        '"quoted key": x\n'
        "nbsp: \u00a0\n"
    )
    assert header(text) == header(text.replace("\n", "\r\n"))
    assert {key: str(value) for key, value in header(text).items()} == {
        "tags": "['insight', 'no', '0123', 1.5]",
        "topic": "no",
        "private": "True",
        "nothing": "None",
        "created": "2026-04-07",
        "text": "a\nb\n",
        "deep": "[{'a': {'b': 'c'}}]",
        "quoted key": "x",
        "nbsp": "\u00a0",
    }
    assert header("") == header("# remark\n\n") == {}


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("a: &x 1\nb: *x\n", 2, "it uses an anchor or an alias"),
        ("a: 1\nb: *x\n", 3, "it uses an anchor or an alias"),
        ("<<: {a: 1}\n", 2, "the key '<<' is not text: quote it"),
        ("a: !!python/name:os.system x\n", 2, "it uses a tag"),
        ("a: ! x\n", 2, "it uses a tag"),
        ("a: 1\nb: 2\na: 3\n", 4, "the key 'a' occurs twice"),
        ("a: {b: 1, b: 2}\n", 2, "the key 'b' occurs twice"),
        ("1: a\n", 2, "the key '1' is not text: quote it"),
        ("true: a\n", 2, "the key 'true' is not text: quote it"),
        ("2026-04-07: a\n", 2, "the key '2026-04-07' is not text: quote it"),
        ("? [a]\n: b\n", 2, "a key is not a string"),
        ("- a\n", 2, "it does not consist of `key: value` lines"),
        ("text\n", 2, "it does not consist of `key: value` lines"),
        ("a: 1\n...\n", 3, "it contains more than one document"),
        ("a: 1\n--- \nb: 2\n", 3, "it contains more than one document"),
        ("--- {a: 1}\n", 2, "it contains a document marker or a directive"),
        ("%YAML 1.1\n--- {}\n", 2, "it contains a document marker or a directive"),
        ("a: b: c\n", 2, "mapping values are not allowed in this context"),
        ("a: [\n", 3, "did not find expected node content"),
        ("\ta: 1\n", 2, "found character that cannot start any token"),
        ("a: " + "[" * 16 + "]" * 16 + "\n", 2, "it is nested too deeply"),
        ('a: "x\\u202ey"\n', 2, "a value contains U+202E RIGHT-TO-LEFT OVERRIDE"),
        ('"a\\u200b": x\n', 2, "a value contains U+200B ZERO WIDTH SPACE"),
    ],
)
def test_the_rest_of_yaml_is_refused_with_its_line(text, line, reason):
    problem = refusal(text)
    message = f"the header cannot be read: {reason}"
    assert problem == TextProblem(line, "invalid-header", message)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a: 1\u2028private: true\n", 2, "contains U+2028 LINE SEPARATOR"),
        ("a: 1\nb: x\x85private: true\n", 3, "contains U+0085 CONTROL CHARACTER"),
        ("a: 1\rprivate: true\n", 2, "contains U+000D CONTROL CHARACTER"),
        ("pri\u200bvate: true\n", 2, "contains U+200B ZERO WIDTH SPACE"),
        ("a: \udcff\n", 2, "contains U+DCFF SURROGATE"),
        ("\ufeffa: 1\n", 2, "contains U+FEFF ZERO WIDTH NO-BREAK SPACE"),
    ],
)
def test_no_unsafe_character_reaches_the_yaml_parser(text, line, message):
    assert refusal(text) == TextProblem(line, "unsafe-text", message)


def test_a_header_has_a_greatest_length_and_depth():
    fits = "a: " + "ä" * ((limits.FRONT_MATTER_BYTES - 4) // 2) + "\n"
    assert len(header(fits)) == 1
    message = "the header cannot be read: longer than 16384 bytes"
    assert refusal(fits + "b:\n") == TextProblem(1, "invalid-header", message)
    deep = limits.FRONT_MATTER_DEPTH - 1
    assert list(header("a: " + "[" * deep + "]" * deep + "\n")) == ["a"]


@pytest.mark.parametrize(
    "piece",
    ["[", "{", "{a: ", "- ", "? ", "a: ", "&a ", "*a ", "!a ", "'", "|\n", "\t"],
)
def test_a_hostile_header_ends_in_an_answer(piece):
    text = piece * (16_000 // len(piece))
    for start in ("", "a: ", "a:\n  "):
        found = read_header(split_header(f"---\n{start}{text}\n---\n"))
        assert found.problems or list(found.entries) == ["a"]


@examples(200)
@given(
    st.text()
    | st.text(alphabet="ab:-[]{}&*!|>'\"%@#,?~<0129. \t\n\r\\\u2028\x85\ufeff")
)
def test_any_text_can_be_split_and_read(text):
    for candidate in (text, f"---\n{text}\n---\n"):
        split = split_header(candidate)
        parts = (split.opening, split.header, split.closing, split.body)
        assert "".join(parts) == candidate
        found = read_header(split)
        assert not (found.entries and found.problems)


PURE = """
import sys
sys.modules["yaml._yaml"] = None  # PyYAML as it is without libyaml
from toolmem.core.memories import front_matter, header_yaml
assert header_yaml.SafeLoader.__name__ == "SafeLoader"
for text in sys.argv[1:]:
    print(front_matter.read_header(front_matter.split_header(text)))
"""


def test_the_answer_is_the_same_without_libyaml():
    headers = ("a: [1, no]\nb:\n- c\n", "a: &x 1\n", 'a: "b"\n', "a: |\n  x\n\n")
    texts = [f"---\n{header}---\n" for header in headers]
    run = subprocess.run(
        [sys.executable, "-c", PURE, *texts], capture_output=True, text=True, check=True
    )
    expected = [str(read_header(split_header(text))) for text in texts]
    assert run.stdout.splitlines() == expected


_LINE = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["a", "b-2", "_c", "on", "y", "<<", "é", " a", "- a", "# a", "?"]),
    st.sampled_from([": ", ":", ":  ", " : "]),
    st.text("ab1.:,#&*!|>'\"[]{}%@`-?~ \t\\é", max_size=8)
    | st.sampled_from(["[a, b]", "[]", "'it''s'", '"\\u202e"', "2026-04-07", "{a: b}"]),
    st.sampled_from(["", " # note", " ", "\t", "\r"]),
)


@examples(400)
@given(st.lists(_LINE, max_size=4))
def test_lines_read_one_by_one_say_what_they_say_together(lines):
    text = "".join(f"{line}\n" for line in lines)
    try:
        together = read_yaml(text)
    except UnreadableHeaderError:
        together = {}
    assert _by_line(text) in ({}, together)


def test_plain_lines_are_read_one_by_one():
    text = 'tags: [insight, x]\ntopic: a b\nsummary: "it\'s"\ncreated: 2026-04-07\n'
    assert list(_by_line(text)) == ["tags", "topic", "summary", "created"]
    assert _by_line(text) == read_yaml(text)
    assert _by_line("topic: [a,\n  b]\n") == {}
    assert _by_line("a: b\na: c\n") == {}


def test_no_letter_or_digit_is_invisible_or_a_dash():
    """So a first line that begins with one is no fence that was mistyped."""
    letters = filter(str.isalnum, map(chr, range(sys.maxunicode + 1)))
    odd = [c for c in letters if not c.isprintable() or c.isspace() or c in "-–—+"]
    assert odd == []


@pytest.mark.parametrize("first", ["# Kiln", "Kiln", "1 kiln", "窯"])
def test_a_line_about_privacy_below_a_title_makes_the_memory_private(first):
    assert split_header(f"{first}\n\nprivate: true\n").private
    assert not split_header(f"{first}\n\n----\n").private
