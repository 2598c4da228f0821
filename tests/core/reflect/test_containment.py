"""Longer texts that may contain a short one are found without comparing all."""

import random

import pytest

from tests.core.reflect.test_similarity import VOCABULARY
from toolmem.core.reflect.containment import containing_ones
from toolmem.core.reflect.word_table import WordTable

LONG = (
    "The staging cluster runs in Frankfurt on three nodes. Deploys happen at noon. The "
    "staging port is 8080. Logs are shipped to Loki, and alerts go to the on-call "
    "channel. Backups are made every night and are kept for thirty days in a bucket."
)


def pairs_of(texts, may_meet=lambda a, b: True):
    known = WordTable()
    numbers = [known.add(text) for text in texts]
    return set(containing_ones(numbers, known, may_meet))


@pytest.mark.parametrize(
    "short",
    [
        "The staging port is 8080.",
        "The staging port is 9090.",
        "The staging cluster runs in Dublin on three nodes.",
        "Logs are shipped to Loki.",
    ],
)
def test_a_short_text_is_looked_up_in_longer_ones(short):
    assert pairs_of([short, LONG, "Lunch is at noon."]) >= {(0, 1)}


@pytest.mark.parametrize("short", ["Lunch is at noon on Fridays.", "", "a b c"])
def test_a_text_with_other_rare_words_is_not(short):
    assert pairs_of([short, LONG]) == set()


def test_texts_that_may_not_meet_are_not_paired():
    assert pairs_of(["The staging port is 9090.", LONG], lambda a, b: False) == set()


def test_a_part_of_a_long_text_is_found_among_many():
    rng = random.Random(2)
    longer = [rng.sample(VOCABULARY, 90) for _ in range(40)]
    short = [rng.sample(one, 8) for one in longer]
    found = pairs_of([" ".join(one) for one in (*longer, *short)])
    right = sum((40 + n, n) in found for n in range(40))
    assert right == 40


def test_a_thousand_short_texts_of_one_kind_cost_no_million_pairs():
    texts = [f"the build of service {n} failed with error {n % 50}" for n in range(999)]
    assert len(pairs_of([*texts, LONG])) <= 3 * len(texts)
