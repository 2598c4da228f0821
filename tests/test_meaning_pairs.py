"""Data of `bench.meaning`: questions that only their meaning ties to an answer."""

from bench.meaning import read_pairs
from toolmem.core.language.language import ENGLISH
from toolmem.core.search.query import parse_query
from toolmem.core.text.terms import words


def test_forty_questions_share_no_stem_with_their_answers():
    pairs = read_pairs().pairs
    shared = {
        pair.question: {stem for _, stem in parse_query(pair.question).words}
        & set(map(ENGLISH.stem_of, words(pair.memory)))
        for pair in pairs
    }
    assert len(pairs) == 40
    assert {question: stems for question, stems in shared.items() if stems} == {}


def test_no_memory_is_there_twice():
    data = read_pairs()
    memories = [pair.memory for pair in data.pairs] + data.distractors
    assert len(data.distractors) >= 100
    assert len(set(memories)) == len(memories)
