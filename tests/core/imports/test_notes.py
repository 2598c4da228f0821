"""Notes: one file, one memory."""

from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.imports.notes import read_note
from toolmem.core.imports.ruled import Toolbox

BOX = Toolbox((), "shell")
BASIC = """---
title: Coffee
type: recipe
permalink: kitchen/coffee
tags:
- brewing
- '#morning'
---
# Coffee

## Observations
- [method] Pour over is slow #brewing (tried)

## Relations
- pairs_with [[Cake]]
"""


def test_a_note_of_basic_memory_keeps_its_text_and_its_fields():
    found = read_note(BASIC, "coffee", BOX, basic=True)
    [text] = found.texts
    assert (text.title, text.kind, text.tags) == (
        "Coffee",
        "recipe",
        ("brewing", "morning"),
    )
    assert text.fields == {"permalink": "kitchen/coffee"}
    assert text.body.startswith("# Coffee\n\n## Observations\n- [method] Pour over")


def test_a_note_is_called_by_its_title_its_heading_or_its_file():
    for text, title in (
        ("---\ntitle: A\n---\n# B\n", "A"),
        ("x\n\n# B\n", "B"),
        ("just text", "name"),
    ):
        assert read_note(text, "name", BOX, basic=False).texts[0].title == title


def test_a_note_that_is_nothing_but_rules_needs_no_memory():
    found = read_note("Never run `git push -f`.\n", "name", BOX, basic=False)
    assert (len(found.rules), found.texts) == (1, ())


def test_an_empty_note_is_told():
    found = read_note("\n \n", "name", BOX, basic=False)
    assert [note.code for note in found.notes] == ["empty"]


@given(st.one_of(st.text(max_size=120), st.text("-:\n #[]tagsi", max_size=80)))
def test_any_text_is_read(text):
    for basic in (True, False):
        read_note(text, "name", BOX, basic=basic)
        read_note(f"---\n{text}\n---\n{text}", "name", BOX, basic=basic)
