"""Lines for a judge and its answers, whatever it writes."""

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.candidates.judging import (
    INSTRUCTION,
    CandidateLine,
    JudgeAnswer,
    candidate_lines,
    read_answers,
)

TEXTS = st.text(max_size=80)
LINES = st.builds(
    CandidateLine, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS, st.lists(TEXTS).map(tuple)
)


@examples(100)
@given(st.lists(LINES, max_size=4))
def test_a_candidate_is_one_line_that_reads_back(candidates):
    first, *lines = candidate_lines(candidates)
    assert first == INSTRUCTION
    read = [json.loads(line) for line in lines]
    assert [CandidateLine(**{**one, "tools": tuple(one["tools"])}) for one in read] == (
        candidates
    )
    assert not any("\n" in line for line in lines)


@examples(200)
@given(st.text(max_size=400) | st.text('{}[]":,idkeptolsru \n0-9', max_size=200))
def test_no_text_stops_the_reader(text):
    read_answers(text, ["k1"], "judge")


def test_the_last_answer_about_a_candidate_counts():
    text = '{"id": "k1", "keep": true}\n{"id": "k1", "keep": false, "tools": "bash"},\n'
    read = read_answers(text, ["k1"], "judge")
    assert read.answers == {"k1": JudgeAnswer(False, ("bash",), "judge")}
    assert read.problems == ()
