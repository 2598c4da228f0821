"""Front matter as people write it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.imports.header import globs_of, is_always_on, read_lenient

CURSOR = """---
description: "Rules: for \\"tests\\""
globs: **/*.test.ts, src/{a,b}/*.ts
alwaysApply: false
---
body
"""


def test_what_no_yaml_parser_reads_is_read():
    header = read_lenient(CURSOR)
    assert globs_of(header) == ("**/*.test.ts", "src/{a,b}/*.ts")
    assert header.flag("alwaysApply") is False
    assert (header.body, header.line, header.notes) == ("body\n", 6, ())


@pytest.mark.parametrize(
    ("line", "globs"),
    [
        ('globs: ["a/*.py", "b/*.py"]', ("a/*.py", "b/*.py")),
        ("globs: a/*.py,b/*.py", ("a/*.py", "b/*.py")),
        ("globs:\n  - a/*.py\n  - b/*.py", ("a/*.py", "b/*.py")),
        ('applyTo: "a/*.py,b/*.py"', ("a/*.py", "b/*.py")),
        ("paths:\n- a/*.py", ("a/*.py",)),
        ("globs: **/*", ()),
        ("applyTo: '**'", ()),
        ("globs:", ()),
        ("other: 1", ()),
    ],
)
def test_globs_however_they_are_written(line, globs):
    assert globs_of(read_lenient(f"---\n{line}\n---\nx")) == globs


@pytest.mark.parametrize(
    ("lines", "always"),
    [
        ("", True),
        ("alwaysApply: true", True),
        ("alwaysApply: false", False),
        ("globs: **/*\nalwaysApply: false", True),
        ("globs: *.ts\nalwaysApply: false", False),
        ("trigger: manual", False),
        ("trigger: always_on", True),
    ],
)
def test_what_an_agent_always_has_in_mind(lines, always):
    assert is_always_on(read_lenient(f"---\n{lines}\n---\nx")) is always


def test_a_line_of_no_field_is_told():
    header = read_lenient("---\n*what*\nname: x\n---\n")
    assert header.fields == {"name": "x"}
    assert [(note.line, note.code) for note in header.notes] == [(2, "header")]


@pytest.mark.parametrize("text", ["", "---", "---\nname: x\n", "x\n---\na: b\n---\n"])
def test_what_is_no_header_is_text(text):
    assert read_lenient(text).body == text


@given(st.one_of(st.text(max_size=80), st.text("-:\n #[]{}*&!'\" aé", max_size=80)))
def test_any_text_has_a_header_and_a_body(text):
    for given_text in (text, f"---\n{text}\n---\nrest"):
        header = read_lenient(given_text)
        assert given_text.endswith(header.body)
        assert header.line == 1 + given_text[: -len(header.body) or None].count("\n")
        globs_of(header)
