"""The scan for cues lets every message through in which there is a candidate."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.candidates.cue_scan import may_decree
from toolmem.core.capture.detect.candidates import find_candidates
from toolmem.core.capture.detect.languages import load_languages
from toolmem.core.capture.sure.forms import BACK_FORMS, FORMS
from toolmem.core.capture.text.lists import phrase_lists, phrases, word_list, word_lists

DATA = Path(__file__).parents[3] / "bench" / "capture_sentences"
FILES = sorted(path for path in DATA.iterdir() if path.suffix in (".txt", ".jsonl"))


def messages(path: Path) -> list[str]:
    lines = path.read_text("utf-8").splitlines()
    if path.suffix == ".txt":
        return [line[2:] for line in lines]
    rows = map(json.loads, lines)
    return [str(row.get(key, "")) for row in rows for key in ("message", "text")]


@pytest.mark.one_of(4)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_message_of_the_project_with_a_candidate_is_passed_over(path):
    found = [text for text in messages(path) if not may_decree(text)]
    assert [text for text in found if find_candidates(text)] == []


def test_every_sure_form_is_read():
    for form in (*FORMS, *BACK_FORMS):
        assert may_decree(form.example), form.shown


CUES = [
    *(word for group in word_lists("cue ").values() for word in group),
    *(phrase for group in phrase_lists("phrase ").values() for phrase in group),
    *word_list("rule leads"),
    *(one.split(" ", 1)[0] for one in phrases("typed words")),
    *(cue for one in load_languages().values() for _, cue in one.cues),
    *("not", "no", "zero", "again", "you", "may", "can", "use", "keep", "leave", "do"),
]
WORDS = ["the", "tests", "i", "it", "please", "but", "x", "user's", "sudo's", "fine"]
MARKS = [
    *(" ", " ", " ", " ", " ", "\n", "\n\n", "\n- ", "\n1. ", ", ", ". ", ".", "! "),
    *("? ", ": ", ":\n", "; ", " `a b` ", ' "', '" ', " '", "' ", "<b>", "</b>"),
    *("<x>a</x>", " ~~a~~ ", " > ", "\n> a\n", "```\n", " *", "* ", "_", "/", "-", "…"),
    *(" (", ") ", "<!-- a -->", "\n# ", "’s ", "don’t ", "dont ", "don;t ", "\t"),
]


def text_of(parts: list[tuple[str, str]]) -> str:
    return "".join(word + mark for word, mark in parts)


@examples(400)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(CUES) | st.sampled_from(WORDS), st.sampled_from(MARKS)
        ),
        max_size=7,
    ).map(text_of)
)
def test_no_message_of_cues_and_marks_with_a_candidate_is_passed_over(text):
    if not may_decree(text):
        assert find_candidates(text) == ()


def test_no_cue_in_a_sentence_is_passed_over():
    forms = ("{} run the tests", "please {} run the tests", "{}: run\n- the tests")
    texts = [form.format(word) for word in CUES for form in forms]
    passed = [text for text in texts if not may_decree(text)]
    assert [text for text in passed if find_candidates(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "please run the tests",
        "can you fix the importer for me? It fails and I wonder why.",
        "it fails on windows, can you look?",
        "continue",
        "what does this function do and where is it called",
    ],
)
def test_an_ordinary_message_is_passed_over(text):
    assert not may_decree(text)
