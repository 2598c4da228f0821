"""The quick look at a message: it may be wrong in one direction only."""

import ast
from pathlib import Path

import pytest

from toolmem.core.capture import marks, moods, recurring, statements
from toolmem.core.capture.bans import BANS
from toolmem.core.capture.cues import CUES, may_rule
from toolmem.core.capture.decree import find_decrees
from toolmem.core.capture.lexicon import BAN_LEADS, MANDATE_LEADS, RULE_LEADS
from toolmem.core.capture.mandates import MANDATES
from toolmem.core.capture.openers import OPENERS
from toolmem.core.capture.permits import PERMITS, STATES
from toolmem.core.capture.phrases import Table, parse

HERE = Path(__file__).parent
MARKS, ADOPTING = vars(marks)["_MARKS"], vars(moods)["_ADOPTING"]
FORBIDDEN, APPROVAL = vars(statements)["_FORBIDDEN"], vars(statements)["_APPROVAL"]
TABLES = {
    "bans": (Table(BANS), ()),
    "mandates": (Table(MANDATES), ()),
    "permits": (Table(PERMITS), ()),
    "states": (Table(STATES), ()),
    "openers": (Table(OPENERS), ("habit", "usually")),
    "marks": (MARKS, ("habit", "word")),
    "recurring": (vars(recurring)["_RECURRING"], ()),
    "adopting": (ADOPTING, ()),
    "forbidden": (FORBIDDEN, ()),
    "approval": (APPROVAL, ()),
}


def rows(table: Table, groups: tuple[str, ...]) -> list[str]:
    held = vars(table)["_rows"].values()
    found = [
        line for some in held for name, line in some if not groups or name in groups
    ]
    return sorted({line.strip() for line in found})


@pytest.mark.parametrize("name", TABLES)
def test_every_phrase_of_the_grammar_needs_a_word_that_is_a_cue(name):
    table, groups = TABLES[name]
    lines = rows(table, groups)
    assert lines
    for line in lines:
        slots = [slot.words for slot in parse(line) if slot.words and not slot.optional]
        assert any(words <= CUES for words in slots), line


@pytest.mark.parametrize("lead", sorted(BAN_LEADS | MANDATE_LEADS | RULE_LEADS))
def test_every_head_of_a_list_of_rules_is_a_cue(lead):
    assert may_rule(f"{lead}:\n- push to main")


def sentences() -> list[str]:
    """Every text in the tests of capture."""
    nodes = [n for f in HERE.glob("*.py") for n in ast.walk(ast.parse(f.read_text()))]
    texts = [n.value for n in nodes if isinstance(n, ast.Constant)]
    return sorted({text for text in texts if isinstance(text, str) and " " in text})


def test_no_message_of_these_tests_with_a_find_is_passed_over():
    ruling = [text for text in sentences() if find_decrees(text)]
    assert len(ruling) > 500
    assert [text for text in ruling if not may_rule(text)] == []


@pytest.mark.parametrize(
    "message",
    [
        "please run the tests",
        "continue",
        "refactor the parser and update the docs",
        "what does this function do?",
        "rename foo to bar",
        "",
    ],
)
def test_a_plain_step_of_a_task_needs_no_grammar(message):
    assert not may_rule(message)


@pytest.mark.parametrize(
    "message",
    [
        "nver push",
        "dont push",
        "don`t push",
        "I'm done.never push",
        "commit messages in English",
        "use X instead of Y",
    ],
)
def test_slips_contractions_and_shapes_are_seen(message):
    assert may_rule(message)
