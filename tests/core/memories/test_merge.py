"""Two texts merged block by block, under their headings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.memories.merge import MergedMemory, key, merge
from toolmem.core.memories.outline import items_of, outline, rendered

_HEADINGS = ["", "# One", "## Set-up", "## Use", "### Flags"]
_BLOCKS = [
    "The timeout is 60 s. We use uv.",
    "The timeout is 30 s.",
    "Ask Priya first.",
    "- the cache is in /var\n- logs are kept",
    "- logs are kept\n- `PATH` is set",
    "* logs are kept\n  - for a year",
    "1. stop\n2. copy\n3. start",
    "| name | port |\n| --- | --- |\n| web | 80 |",
    "```\ntotal = gross / tax\n```",
    "> quoted text of a letter",
    "    indented = code",
]


@st.composite
def texts(draw):
    parts = []
    for heading in draw(st.lists(st.sampled_from(_HEADINGS), max_size=4)):
        parts.append(heading)
        parts += draw(st.lists(st.sampled_from(_BLOCKS), max_size=3))
    return "\n\n".join(part for part in parts if part) + "\n"


def _stated(text: str) -> set[tuple[tuple[str, ...], str]]:
    """Every block, bullet and sentence with the headings that it is under."""
    found = set()
    for section in outline(text):
        path = tuple(map(key, section.path))
        for block in section.blocks:
            parts = [block.text]
            if block.kind in ("bullets", "steps"):
                parts = items_of(block)
            elif block.kind in ("table", "code"):
                parts = block.text.split("\n")
            elif block.kind == "paragraph":
                parts = key(block.text).split("\n")
            found |= {(path, key(part)) for part in parts}
    return found


@examples(200)
@given(texts(), texts())
def test_every_block_of_both_is_in_the_result_under_its_heading(newer, older):
    merged = _stated(merge(newer, older).text)
    assert _stated(newer) <= merged
    known = {part for _, part in merged}
    for path, part in _stated(older):
        assert (path, part) in merged if path else part in known


@examples(200)
@given(texts(), texts())
def test_merging_the_same_again_changes_nothing(newer, older):
    once = merge(newer, older)
    if not once.clashes:
        assert merge(once.text, older) == MergedMemory(once.text)
    assert merge(newer, newer).clashes == ()


def test_sections_of_one_heading_do_not_clash_with_each_other():
    code = "# One\n\n    indented = code\n"
    text = f"{code}\n{code}\n    indented = code\n"
    assert merge(text, text).clashes == ()


@examples(200)
@given(st.text("ab#-*1.) \n`|>~\t", max_size=200))
def test_an_outline_loses_no_line(text):
    kept = [line for line in rendered(outline(text)).split("\n") if line.strip()]
    assert kept == [line for line in text.split("\n") if line.strip()]


def test_the_newer_text_stays_and_the_older_one_adds_what_is_new():
    newer = "The timeout is 60 s. We use uv.\n\n## Logs\n\n- kept a year\n"
    older = "We use uv!\n\nAsk Priya.\n\n## Logs\n\n- kept a year\n- in /var\n"
    assert merge(newer, older) == MergedMemory(
        "The timeout is 60 s. We use uv.\n\nAsk Priya.\n\n"
        "## Logs\n\n- kept a year\n- in /var\n"
    )


def test_an_item_goes_under_its_own_heading():
    newer = "## Linux\n\n- use apt\n\n## macOS\n\n- use brew\n"
    older = "## Linux\n\n- use apt\n- as root\n\n## Windows\n\n- use winget\n"
    assert merge(newer, older).text == (
        "## Linux\n\n- use apt\n- as root\n\n## macOS\n\n- use brew\n\n"
        "## Windows\n\n- use winget\n"
    )


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("1. stop\n2. copy\n3. start", "1. stop\n2. check\n3. copy"),
        ("```\na = x / y\nb = 1\n```", "```\na = x * y\nb = 1\n```"),
        ("| a | 1 |\n| b | 2 |", "| a | 1 |\n| b | 3 |"),
    ],
    ids=["steps", "code", "table"],
)
def test_two_versions_of_a_block_are_both_kept_and_reported(newer, older):
    merged = merge(newer, older)
    assert merged.clashes == (older,)
    assert newer in merged.text
    assert older in merged.text


def test_an_operator_or_the_case_of_a_name_is_a_difference():
    newer = "Net is gross * tax. Set PATH first."
    older = "Net is gross / tax. Set path first."
    assert merge(newer, older).text == f"{newer}\n\n{older}\n"
