"""Misspelt words of a question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.language.language import ENGLISH
from toolmem.core.search.spelling import (
    common_words,
    correct,
    distances,
    slip_of,
    variants,
)
from toolmem.core.text.terms import asked_words

KNOWN = ("paint", "authent", "token", "deploy", "deni", "run", "kubernet", "mainten")


def mended(word, counts=None):
    known = counts or dict.fromkeys(KNOWN, 1)

    def beginning(prefix):
        return [term for term in known if term.startswith(prefix)]

    return correct(word, beginning, lambda term: known.get(term, 0))


@pytest.mark.parametrize(
    ("word", "terms"),
    [
        ("paitn", ["paint"]),
        ("painitng", ["paint"]),
        ("pianting", ["paint"]),
        ("tooken", ["token"]),
        ("tken", ["token"]),
        ("kuberentes", ["kubernet"]),
        ("authentification", ["authent"]),
        ("maintainance", ["mainten"]),
        ("rn", []),
        ("ru", []),
        ("rnu", []),
        ("v12345", []),
        ("elephant", []),
        ("pain", []),
        ("ran", []),
    ],
)
def test_an_unknown_word_becomes_the_nearest_known(word, terms):
    assert list(mended(word)) == terms


@pytest.mark.parametrize(
    "word",
    [
        "a" * 1024,
        "\u0430\u0431" * 512,
        "".join(
            char for char in map(chr, range(0x100, 0x3000, 0x80)) if char.isalpha()
        ),
    ],
    ids=["long", "long and Cyrillic", "of many scripts"],
)
def test_a_word_with_very_many_neighbours_is_left_alone(word):
    def never(_):
        raise AssertionError

    assert correct(word, never, never) == {}


def test_a_guess_weighs_less_the_shorter_the_word():
    assert mended("tooken") == {"token": (1 - 1 / 6) ** 2}
    assert mended("authentification") == {"authent": (1 - 2 / 16) ** 2}


def test_the_more_frequent_of_equals_comes_first_and_three_are_enough():
    counts = {"cat": 1, "car": 3, "can": 2, "cap": 1, "bag": 9}
    assert list(mended("cax", {"cart": 5})) == []
    assert list(mended("caxt", counts)) == ["cat"]
    assert list(mended("carx", counts)) == ["car"]
    assert list(mended("cazz", {"cazy": 1, "cazx": 1, "cazr": 1, "cazq": 2})) == [
        "cazq",
        "cazr",
        "cazx",
    ]


_SHORT = st.text("abcdé", max_size=6)


@examples(200)
@given(_SHORT, _SHORT)
def test_distance_is_symmetric_and_bounded(a, b):
    near = distances(a, (b,), 2).get(b)
    assert near == distances(b, (a,), 2).get(a)
    assert (near == 0) == (a == b)
    assert near in (None, 0, 1, 2)


@examples(100)
@given(st.text("abcз", min_size=1, max_size=5))
def test_variants_are_one_mistake_away(word):
    found = variants(word)
    assert distances(word, found, 2) == dict.fromkeys(found, 1)
    assert word not in found


@examples(100)
@given(st.text("abcdefgz", min_size=4, max_size=9), st.integers(0, 8), st.data())
def test_a_lost_letter_is_always_found_again(word, at, data):
    kept = word[: at % len(word)] + word[at % len(word) + 1 :]
    if len(ENGLISH.stem_of(word)) >= 3 and len(kept) > 3:
        term = ENGLISH.stem_of(word)
        assert term in mended(kept, {term: 1})


@pytest.mark.parametrize("word", ["v12345", "pa1nts", "a_bcde", "2026ab"])
def test_only_a_word_of_letters_is_taken_for_a_misspelling(word):
    known = {ENGLISH.stem_of(other): 1 for other in variants(word)}
    assert mended(word, known) == {}


@pytest.mark.parametrize("word", ["接続", "連接池の", "검색", "ภา", "猫", "हिन्दी"])
def test_words_of_scripts_without_an_alphabet_are_left_alone(word):
    known = dict.fromkeys(["接続", "続", "검", "색이", "หา", "हिन्द"], 1)
    for asked in asked_words(word):
        assert mended(asked, known) == {}


@given(st.text("abcdeiy", min_size=4, max_size=9), st.data())
@examples(200)
def test_terms_are_found_as_if_the_frequency_of_each_were_asked(word, data):
    near = st.sampled_from(sorted(variants(word)))
    words = data.draw(st.lists(near | st.text("abcdeiy", max_size=9), max_size=9))
    known = dict.fromkeys(ENGLISH.stems(words), 1)
    found = correct(
        word,
        lambda prefix: [term for term in known if term.startswith(prefix)],
        lambda term: known.get(term, 0),
    )
    away = {ENGLISH.stem_of(other) for other in variants(word)} & known.keys()
    if len(word) > 4 and away and word not in common_words():
        assert found.keys() <= away
        assert len(found) == min(3, len({one for one in away if len(one) > 2}))


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("Mech_Fighters", "mech-fighters"),
        ("mechfighters", "mech-fighters"),
        ("mech-figters", "mech-fighters"),
        ("apolol", "apollo"),
        ("sned_mail", "send_mail"),
        ("documnetatoin", "documentation"),
    ],
)
def test_a_name_with_a_wrong_letter_is_a_typo(word, known):
    assert slip_of(word, ["zebra", known]) == known


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("app-2", "app-1"),
        ("team-b", "team-a"),
        ("v12", "v11"),
        ("web-api", "web-app"),
        ("cat", "car"),
        ("pnpm", "yarn"),
        ("client-portal", "client-portal-admin"),
        ("backend", "frontend"),
    ],
)
def test_names_of_a_series_and_short_words_are_no_typos(word, known):
    assert slip_of(word, [known]) == ""
