"""Pairs of notes from many domains: the same thing or not, changed or swapped."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.comparison.test_verdict import CONTESTED, NEW, verdict
from tests.examples import examples

_FOLDER = Path(__file__).with_name("pairs")
_OTHERS = (
    "The spare keys are in the porter's lodge.",
    "Ask the council before a change of the opening hours.",
    "- wear gloves\n- bring water",
    "## Background\n\nThis was agreed at the meeting in spring.",
)


def _lines(name: str) -> list[str]:
    rows = (_FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [row for row in rows if row and not row.startswith("#")]


def _pairs(name: str) -> list[tuple[str, str]]:
    rows = (row.partition(" | ") for row in _lines(name))
    return [(one, other) for one, _, other in rows]


def _swap(row: str) -> tuple[str, str]:
    """The note, and the note with its two marked parts in each other's place."""
    parts = re.split(r"\{([^{}]+)\}", row)
    note = "".join(parts)
    parts[1], parts[3] = parts[3], parts[1]
    return note, "".join(parts)


def _either(row: str) -> tuple[str, str]:
    """The note with each of its two alternatives."""
    before, one, other, after = re.split(r"[{|}]", row)
    return before + one + after, before + other + after


def _actions(pairs: list[tuple[str, str]]) -> list[str]:
    return [verdict(new, old).action for a, b in pairs for new, old in ((a, b), (b, a))]


def test_a_difference_of_each_kind_is_contested():
    pairs = [_either(row) for row in _lines("contradictions.txt")]
    assert len(pairs) == 267
    assert [one for one, found in zip(pairs, _actions(pairs)[::2], strict=True)
            if found != CONTESTED] == []  # fmt: skip
    assert set(_actions(pairs)) == {CONTESTED}


def test_other_words_for_the_same_are_rarely_contested():
    pairs = [
        (one.replace("\\n", "\n"), other.replace("\\n", "\n"))
        for one, other in _pairs("rewordings.txt")
    ]
    assert len(pairs) == 166
    found = _actions(pairs)
    assert found.count(CONTESTED) <= 0.05 * len(found)
    assert set(found) <= {NEW, CONTESTED}


def test_each_set_has_150_pairs_or_more_that_differ():
    sets = [_pairs("different.txt"), _pairs("changed.txt")]
    sets.append([_swap(row) for row in _lines("swaps.txt")])
    assert [len(set(pairs)) for pairs in sets] == [206, 150, 150]
    assert all(one != other for pairs in sets for one, other in pairs)


def test_notes_of_one_pattern_about_different_things_are_both_created():
    pairs = _pairs("different.txt")
    found = [
        verdict(new, old).action for a, b in pairs for new, old in ((a, b), (b, a))
    ]
    assert found.count(NEW) >= 0.97 * len(found)
    assert set(found) <= {NEW, CONTESTED}


def test_another_number_unit_day_or_negation_is_contested_another_name_created():
    """Where a word is replaced with one that is not its opposite, both are kept."""
    pairs = _pairs("changed.txt")
    found = [
        verdict(new, old).action for a, b in pairs for new, old in ((a, b), (b, a))
    ]
    assert found.count(CONTESTED) >= 0.7 * len(found)
    assert set(found) == {NEW, CONTESTED}


@pytest.mark.one_of(3)
@pytest.mark.parametrize("row", _lines("swaps.txt"))
def test_swapped_parts_of_a_note_are_contested(row):
    note, swapped = _swap(row)
    assert verdict(swapped, note).action == CONTESTED
    assert verdict(note, swapped).action == CONTESTED


@examples(150)
@given(
    st.sampled_from(_lines("swaps.txt")),
    st.lists(st.sampled_from(_OTHERS), max_size=3, unique=True),
    st.randoms(),
)
def test_swapped_parts_are_never_the_same_whatever_is_around_them(row, others, random):
    note, swapped = _swap(row)
    one, other = [note, *others], [swapped, *others]
    random.shuffle(other)
    assert verdict("\n\n".join(other), "\n\n".join(one)).action in (NEW, CONTESTED)
    assert verdict("\n\n".join(one), "\n\n".join(other)).action in (NEW, CONTESTED)
