"""The order of results, and what of them fits a budget."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.access.answer import pack
from toolmem.core.access.item import AccessItem
from toolmem.core.access.rank import (
    QueryMatch,
    Weights,
    rank,
    recency_of,
    trust_of,
)
from toolmem.core.language.language import ENGLISH, LANGUAGES
from toolmem.core.text.tokens import estimate_tokens

NOW = datetime(2026, 4, 20, tzinfo=UTC)
USUAL = Weights.of((60, 15, 15, 10), 30, 30)


def item(key, content="something", days=0.0, importance=0.5, source="user"):
    moment = NOW - timedelta(days=days)
    return AccessItem(
        key, "fact", content, source, moment, importance, (), {}, "", False
    )


def order(*candidates, weights=USUAL, most=10):
    return [ranked.item.id for ranked in rank(candidates, weights, NOW, most, ENGLISH)]


def only(name, points=100):
    figures = ("relevance", "recency", "importance", "trust")
    return Weights.of([points * (figure == name) for figure in figures], 0, 30)


def test_each_figure_decides_where_it_alone_weighs():
    pairs = {
        "relevance": (QueryMatch(item("a"), 0.2), QueryMatch(item("b"), 0.9)),
        "recency": (QueryMatch(item("a", days=9), 1), QueryMatch(item("b"), 0)),
        "importance": (
            QueryMatch(item("a", importance=0.1), 1),
            QueryMatch(item("b", importance=0.2), 0),
        ),
        "trust": (
            QueryMatch(item("a", source="inference"), 1),
            QueryMatch(item("b", source="some_tool"), 0),
        ),
    }
    for name, pair in pairs.items():
        assert (name, order(*pair, weights=only(name))) == (name, ["b", "a"])


def test_half_of_the_recency_is_lost_with_each_half_life():
    days = [recency_of(NOW - timedelta(days=n), NOW, 30) for n in (0, 30, 60)]
    assert days == [1.0, 0.5, 0.25]
    assert recency_of(NOW + timedelta(days=1), NOW, 30) == 1.0
    assert recency_of(None, NOW, 30) == 0.5


def test_people_are_believed_before_tools_and_these_before_inferences():
    sources = ("user", "user_input", "", "wine_tool", "inference")
    assert [trust_of(name) for name in sources] == [1.0, 1.0, 1.0, 0.8, 0.6]


def test_what_repeats_a_result_stands_behind_what_is_new():
    wine = "the user likes dry red wines from Burgundy"
    found = rank(
        (
            QueryMatch(item("a", wine), 1.0),
            QueryMatch(item("b", wine + " most"), 0.95),
            QueryMatch(item("c", "a cellar holds forty bottles"), 0.8),
        ),
        USUAL,
        NOW,
        3,
        ENGLISH,
    )
    assert [ranked.item.id for ranked in found] == ["a", "c", "b"]
    assert [round(ranked.novelty, 2) for ranked in found] == [1.0, 1.0, 0.11]


def novelties(code, first, second):
    """Return the novelty of a second result after a first one."""
    pair = (QueryMatch(item("a", first), 1.0), QueryMatch(item("b", second), 0.9))
    return rank(pair, USUAL, NOW, 2, LANGUAGES[code])[1].novelty


def test_novelty_compares_words_in_the_language_of_the_vault():
    pair = ("Prüfung der Verbindung", "Prüfungen der Verbindungen")
    assert novelties("de", *pair) == 0.0
    assert novelties("en", *pair) > 0.5


def test_japanese_texts_are_alike_by_adjacent_characters():
    text = "データベースの接続を閉じる"
    assert novelties("none", text, text + "。") == 0.0
    # The same characters in another order say something else.
    assert novelties("none", "日本", "本日") == 1.0


_candidates = st.lists(
    st.builds(
        QueryMatch,
        st.builds(
            item,
            st.uuids().map(str),
            st.text("ab ", max_size=9),
            st.integers(0, 90),
            st.floats(0, 1),
            st.sampled_from(["user", "tool", "inference"]),
        ),
        st.floats(0, 1),
        st.booleans(),
    ),
    max_size=8,
)


@given(_candidates, st.randoms(), st.integers(1, 9))
def test_the_order_in_which_candidates_come_changes_nothing(found, random, most):
    shuffled = random.sample(found, len(found))
    ranked = rank(found, USUAL, NOW, most, ENGLISH)
    assert rank(shuffled, USUAL, NOW, most, ENGLISH) == ranked
    named = {match.item.id for match in found if match.named}
    scores = [(each.item.id in named, each.score) for each in ranked]
    assert scores == sorted(scores, reverse=True)
    assert len(ranked) == min(most, len(found))


@given(_candidates, st.integers(0, 30))
def test_whole_items_are_packed_and_what_is_left_out_is_counted(found, budget):
    ranked = rank(found, USUAL, NOW, 10, ENGLISH)
    packed = pack(ranked, budget)
    costs = [estimate_tokens(each.item.content) for each in packed.results]
    assert packed.tokens == sum(costs) <= budget
    assert packed.skipped == len(ranked) - len(packed.results)
    left = [each for each in ranked if each not in packed.results]
    assert all(
        estimate_tokens(each.item.content) > budget - packed.tokens for each in left
    )


def test_an_item_too_large_is_skipped_and_a_smaller_one_taken():
    large = item("large", "word " * 200)
    ranked = rank(
        (QueryMatch(large, 1), QueryMatch(item("small"), 0)), USUAL, NOW, 2, ENGLISH
    )
    packed = pack(ranked, 20)
    assert [each.item.id for each in packed.results] == ["small"]
    assert packed.skipped == 1
