"""Near texts are found, though not all are compared with all."""

import random
from array import array
from collections import Counter
from itertools import accumulate, chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.reflect.similarity import (
    _MIX,
    _NEIGHBOURS,
    _PAIRS,
    _PairTable,
    similar_ones,
)
from toolmem.core.reflect.word_table import RARE, RareWords, WordTable

VOCABULARY = [
    a + b + c for a in "bdfgklmnprst" for b in "aeiou" for c in ("n", "r", "lo")
]


def pairs_of(texts):
    known = WordTable()
    numbers = [known.add(text) for text in texts]
    found = similar_ones(numbers, known, lambda a, b: True)
    return {tuple(sorted((a, b))): share for a, b, share in found}


def test_every_pair_that_shares_half_of_its_words_is_found():
    rng = random.Random(3)
    texts = []
    for _ in range(150):
        words = rng.sample(VOCABULARY, 20)
        texts.append(" ".join(words))
        kept = rng.sample(words, rng.randint(14, 20))
        texts.append(" ".join(kept + rng.sample(VOCABULARY, 20 - len(kept))))
    sets = [set(text.split()) for text in texts]
    near = {
        (a, b)
        for a in range(len(sets))
        for b in range(a + 1, len(sets))
        if len(sets[a] & sets[b]) / len(sets[a] | sets[b]) >= 0.5
    }
    assert near
    assert near <= pairs_of(texts).keys()


@pytest.mark.parametrize("size", [20, 34, 60])
def test_versions_of_a_text_are_found_among_many_others(size):
    rng = random.Random(size)
    texts, versions = [], set()
    for _ in range(300):
        words = rng.sample(VOCABULARY, size)
        texts.append(" ".join(words))
        if rng.random() < 0.5:
            for at in rng.sample(range(size), size // 8):
                words[at] = rng.choice(VOCABULARY)
            rng.shuffle(words)
            versions.add((len(texts) - 1, len(texts)))
            texts.append(" ".join(words))
    assert versions <= pairs_of(texts).keys()


@pytest.mark.parametrize("short_first", [True, False])
def test_a_short_text_and_a_long_one_that_contains_it_are_a_pair(short_first):
    rng = random.Random(4)
    others = [" ".join(rng.sample(VOCABULARY, 45)) for _ in range(100)]
    words = rng.sample(VOCABULARY, 45)
    pair = [" ".join(words[:25]), " ".join(words)]
    texts = [*pair, *others] if short_first else [*others, *pair[::-1]]
    places = tuple(sorted(map(texts.index, pair)))
    assert places in pairs_of(texts)


def test_a_thousand_texts_of_one_kind_cost_no_million_pairs():
    texts = [f"the build of service number {n} failed at night" for n in range(1000)]
    assert len(pairs_of(texts)) <= 12 * len(texts)


def test_texts_that_share_little_are_no_pair():
    assert pairs_of(["one two three four", "five six seven four", ""]) == {}


def test_pairs_that_may_not_meet_do_not():
    known = WordTable()
    numbers = [known.add("the same four words") for _ in range(2)]
    assert list(similar_ones(numbers, known, lambda a, b: False)) == []


@given(st.lists(st.lists(st.integers(0, 5), max_size=RARE), max_size=40))
def test_long_texts_are_found_by_the_last_uses_of_their_pairs(texts):
    starts = array("Q", accumulate(map(len, texts), initial=0))
    table = _PairTable(RareWords(array("I", chain.from_iterable(texts)), starts))
    uses: dict[int, list[int]] = {}
    for place, own in enumerate(texts):
        times: Counter[int] = Counter()
        for one, other in pairwise(own):
            earlier = uses.setdefault((one * _MIX + other) & table._mask, [])
            times.update(earlier[-_NEIGHBOURS:])
            earlier.append(place)
        expected = {text for text, many in times.items() if many >= _PAIRS}
        assert set(table.add(place, own)) == expected
