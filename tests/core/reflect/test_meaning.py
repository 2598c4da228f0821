"""Memories without a word in common are not merged: meaning alone proposes nothing.

By the vectors of words, 4 of these 18 pairs of the same meaning have a cosine of at
least .60, and so do 3 pairs of other memories among the 150 of `bench.meaning`: a
proposal to look at such pairs would be wrong about as often as right. Pairs that share
a rare word are another matter: see `test_rewording`.
"""

import tomllib
from itertools import chain
from pathlib import Path

from tests.cli.test_reflect import said
from toolmem.core.comparison.verdict import SaveAction, TermStatistics, compare
from toolmem.core.search.query import parse_query

DATA = tomllib.loads(Path(__file__).with_name("meaning_pairs.toml").read_text("utf-8"))
PAIRS = [(pair["one"], pair["two"]) for pair in chain(DATA["same"], DATA["other"])]


def stems(text):
    return {stem for _, stem in parse_query(text).words}


def test_no_pair_shares_a_stem():
    assert len(DATA["same"]) == 18
    assert [pair for pair in PAIRS if stems(pair[0]) & stems(pair[1])] == []


def test_the_comparison_merges_none():
    known = TermStatistics(100, lambda _: 1)
    verdicts = {compare(one, other, known).action for one, other in PAIRS}
    assert verdicts == {SaveAction.CREATED}


def test_a_vault_of_them_needs_no_cleanup(world):
    vault = world.vault("empty")
    for number, text in enumerate(dict.fromkeys(chain.from_iterable(PAIRS))):
        vault.write(f"system/memory/m-{number:06}.md", f"{text}\n")
    assert said(vault) == []
