"""The score of a document, and the order of hits."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.search.library import doc
from tests.examples import examples
from tests.growth import is_linear
from toolmem.core.language.language import LANGUAGES
from toolmem.core.search.corpus import CandidateDocument, Totals
from toolmem.core.search.doc import DocumentWords, Lengths, words_of
from toolmem.core.search.query import rarity
from toolmem.core.search.rank import (
    ScoredCandidate,
    arrange,
)
from toolmem.core.search.scores import Scorer, Terms


def candidate(number=0, **changes):
    made = doc(number, **changes)
    return CandidateDocument(made, words_of(made))


def scored(*pairs):
    """Hits named 0, 1, … with (bm25, weighted)."""
    return [
        ScoredCandidate(candidate(n, body=f"text {n}"), *pair)
        for n, pair in enumerate(pairs)
    ]


def numbers(hits):
    return [int(hit.candidate.doc.id[1:]) for hit in hits]


def test_rarity_is_that_of_lucene():
    assert rarity(10, 2) == log(1 + 8.5 / 2.5)
    assert rarity(0, 0) == log(2)


def test_a_term_counts_in_each_field_where_it_stands():
    one = candidate(title="Paint", body="painted by hand", context="paint paint")
    totals = Totals(1, Lengths(4.0, 4.0, 2.0))
    assert Scorer(Terms({"paint": 2.0, "absent": 9.0}), totals).contributions(one) == {
        ("paint", "all"): 2.0 * 2 * 2.2 / (2 + 1.2),
        ("paint", "head"): 0.75 * 2.0 * 2 * 2.2 / (2 + 1.2),
        ("paint", "context"): 0.5 * 2.0 * 2 * 2.2 / (2 + 1.2),
    }


def test_a_longer_text_scores_less():
    totals = Totals(2, Lengths(5.0, 5.0, 0.0))
    scorer = Scorer(Terms({"token": 1.0}), totals)
    short = scorer.bm25(candidate(body="token once"))
    assert short > scorer.bm25(candidate(body="token " + "word " * 20))


def test_the_two_most_relevant_keep_places_four_and_five():
    hits = scored((9, 3.6), (8, 3.2), (5, 5), (5, 4.9), (5, 4.8), (5, 4.7), (5, 4.6))
    assert numbers(arrange(hits, 7)) == [2, 3, 4, 0, 1, 5, 6]
    assert numbers(arrange(hits, 5)) == [2, 3, 4, 0, 1]
    assert numbers(arrange(hits, 4)) == [2, 3, 4, 5]


def test_a_kept_place_goes_to_the_next_where_relevance_is_on_top_already():
    hits = scored((9, 9), (8, 0.8), (5, 5), (5, 4.9), (5, 4.8), (5, 4.7), (5, 4.6))
    assert numbers(arrange(hits, 7)) == [0, 2, 3, 4, 1, 5, 6]


def test_of_equal_texts_the_first_by_weight_is_a_hit_or_else_the_most_relevant():
    same = candidate(7, body="text 0")
    hits = scored((9, 3.6), (8, 3.2), (5, 5), (5, 4.9), (5, 4.8), (5, 4.7), (5, 4.6))
    heavier = ScoredCandidate(same, 5, 6.0)
    assert numbers(arrange([*hits, heavier], 7)) == [7, 2, 3, 4, 1, 5, 6]
    lighter = ScoredCandidate(same, 4, 4.0)
    assert numbers(arrange([*hits, lighter], 7)) == [2, 3, 4, 0, 1, 5, 6]


def test_ties_are_broken_by_id():
    assert numbers(arrange(reversed(scored((1, 1), (1, 1), (1, 1))), 3)) == [0, 1, 2]


_SCORES = st.lists(
    st.tuples(st.integers(1, 9), st.sampled_from([0.4, 0.7, 1.0])).map(
        lambda pair: (float(pair[0]), pair[0] * pair[1])
    ),
    max_size=12,
)


@examples(200)
@given(_SCORES, st.integers(0, 12), st.randoms())
def test_the_order_does_not_depend_on_how_hits_came(pairs, limit, random):
    hits = scored(*pairs)
    shuffled = random.sample(hits, len(hits))
    found = arrange(shuffled, limit)
    assert found == arrange(hits, limit)
    assert len(found) == min(limit, len(hits))
    if limit >= 5 and len(hits) > 1:
        best = sorted(hits, key=lambda hit: (-hit.bm25, hit.candidate.key))[:2]
        assert all(hit in found[:5] for hit in best)


_words = st.text(st.sampled_from("abcg"), min_size=1, max_size=4)


@given(
    st.lists(_words, min_size=1, max_size=150, unique=True),
    st.lists(_words, max_size=40),
    st.lists(_words, max_size=40),
    st.sampled_from(sorted(LANGUAGES)),
)
@examples(100)
def test_terms_are_counted_by_their_stems_in_their_order(asked, head, rest, code):
    language = LANGUAGES[code]
    terms = Terms({language.stem_of(word): 1.0 for word in asked}, language)
    texts = [f" {' '.join(words)} " for words in (head, rest)]
    ends = len(texts[0]), len("".join(texts))
    lengths = Lengths(len(head) + len(rest), len(head), 0)
    words = DocumentWords("".join(texts), *ends, lengths)
    found = terms.count(CandidateDocument(doc(0), words))
    stems, in_head = language.stems(head + rest), language.stems(head)
    assert found == [
        (term, stems.count(term), in_head.count(term), 0)
        for term in terms.weights
        if term in stems
    ]


@pytest.mark.parametrize("form", ["w{:x}", "{:x}w"])
def test_many_terms_in_a_text_of_many_words_take_time_by_its_size(form):
    def work(body: str) -> None:
        terms = Terms(dict.fromkeys(body[:1024].split(), 1.0))
        Scorer(terms, Totals(1, Lengths(1.0, 1.0, 1.0))).gains(candidate(body=body))

    assert is_linear(work, lambda size: " ".join(map(form.format, range(3 * size))))
