"""Memories that say the same in other words are found seldom, but hardly ever wrongly.

The pairs were halved by a digest of their text. The limits of the search were chosen by
one half (the whole background counts only with the other): 9 of its 29 pairs are found
and none wrongly, and 3 of 31 of the half kept back, and none wrongly. A comparison of
words finds none of all 60.
"""

import tomllib
from collections.abc import Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path

import pytest

from toolmem.core.reflect import rewording
from toolmem.core.reflect.rewording import Rewording, TextSource, rewordings
from toolmem.core.reflect.word_table import WordTable
from toolmem.store.index.word_table import open_table

DATA = tomllib.loads(Path(__file__).with_name("rewordings.toml").read_text("utf-8"))
ONE = "Never touch the pelican parser without approval from Ines."
OTHER = "Ines must agree before anyone modifies the pelican grammar."


def is_seen(text: str) -> bool:
    """Return True for the half that the limits were chosen by."""
    return not sha256(text.encode()).digest()[0] % 2


def pairs_of(name: str, seen: bool) -> list[list[str]]:
    return [pair for pair in DATA[name] if is_seen(" || ".join(pair)) == seen]


def found_in(
    texts: Sequence[str], asked: Sequence[str] | None = None
) -> list[Rewording]:
    known = WordTable()
    source = TextSource(
        [known.add(text) for text in texts],
        known,
        texts.__getitem__,
        lambda place: (texts[place],),
        lambda place: asked is None or texts[place] in asked,
        lambda one, other: True,
    )
    return rewordings(source, open_table())


def pairs_in(
    texts: Sequence[str], asked: Sequence[str] | None = None
) -> list[set[str]]:
    return [{texts[pair.one], texts[pair.other]} for pair in found_in(texts, asked)]


@pytest.mark.parametrize(("seen", "least"), [(True, 9), (False, 3)])
def test_most_found_pairs_say_the_same(seen, least):
    same, other = pairs_of("same", seen), pairs_of("other", seen)
    background = [t for t in DATA["background"] if is_seen(t) or not seen]
    texts = [text for pair in (*same, *other) for text in pair]
    found = pairs_in([*texts, *background])
    right = [pair for pair in found if pair in list(map(set, same))]
    assert len(right) >= least
    assert len(found) <= 2 * len(right)


def test_no_more_is_found_among_all_of_them():
    texts = [text for pair in (*DATA["same"], *DATA["other"]) for text in pair]
    found = pairs_in([*texts, *DATA["background"]])
    right = [pair for pair in found if pair in list(map(set, DATA["same"]))]
    assert len(right) >= 7
    assert len(found) <= 2 * len(right)


def test_nothing_is_found_among_unrelated_memories():
    assert pairs_in(DATA["background"]) == []


def test_the_order_of_memories_counts_for_nothing():
    texts = [text for pair in DATA["same"] for text in pair]
    found = [{*pair} for pair in pairs_in(texts)]
    assert found
    assert [{*pair} for pair in pairs_in(texts[::-1])] == found


def with_pair(one: str = ONE, other: str = OTHER) -> list[str]:
    return [one, *DATA["background"][:60], other]


def test_a_pair_has_a_word_and_a_figure():
    [pair] = found_in(with_pair())
    assert (pair.shared, pair.times >= 1.2) == ("ines", True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ONE, OTHER.replace("pelican", "toucan").replace("Ines", "Nils")),
        (f"{ONE} It takes 3 days.", f"{OTHER} It takes 5 weeks."),
        (ONE, f"{OTHER} {' '.join(f'word{n}' for n in range(50))}"),
        (ONE, "The pelican parser fails without approval from Ines."),
        (ONE, "Pelican releases come out in June."),
    ],
    ids=["no word in common", "numbers", "long", "in the same words", "another one"],
)
def test_other_pairs_are_not_found(one, other):
    assert pairs_in(with_pair(one, other)) == []


def test_among_few_memories_none_is_compared():
    assert pairs_in([*with_pair()[:10], OTHER]) == []


def test_a_pair_is_found_by_the_one_that_is_asked_for():
    texts = with_pair()
    assert pairs_in(texts, [ONE]) == pairs_in(texts, [OTHER]) == [{ONE, OTHER}]
    assert pairs_in(texts, texts[1:-1]) == []


def test_the_number_of_comparisons_has_a_limit(monkeypatch):
    texts: list[str] = [*chain(*DATA["same"]), *DATA["background"]]
    read: set[str] = set()
    known = WordTable()

    def text(place: int) -> str:
        read.add(texts[place])
        return texts[place]

    source = TextSource(
        [known.add(text) for text in texts],
        known,
        text,
        lambda place: (texts[place],),
        lambda place: True,
        lambda one, other: True,
    )
    monkeypatch.setattr(rewording, "_NEWEST", 10)
    monkeypatch.setattr(rewording, "_MOST_PAIRS", 20)
    monkeypatch.setattr(rewording, "_AROUND", 30)
    rewordings(source, open_table())
    assert 0 < len(read) <= 60
