"""Names of new memories, and merges of two without a model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.language.language import ENGLISH, LANGUAGES
from toolmem.core.memories.merge import united
from toolmem.core.memories.naming import new_id, slug_of, title_of, without_title
from toolmem.core.memories.original import with_summary
from toolmem.core.memories.sentences import statements
from toolmem.core.memories.summary import needs_summary, summary_of
from toolmem.core.memories.topics import Neighbour, infer_topic
from toolmem.core.text.terms import normal_topic
from toolmem.core.text.tokens import estimate_tokens


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("OAuth 2.0 Token Refresh!", "oauth-2-0-token-refresh"),
        ("hello---world___foo", "hello-world-foo"),
        ("!!!", "insight"),
        ("", "insight"),
        ("Größe der Straße", "grosse-der-strasse"),
        ("データベース接続の上限", "データベース接続の上限"),
        ("API データベース" + "接続" * 40, "api-データベース" + "接続" * 16),
        ("Кодировка выгрузки", "кодировка-выгрузки"),
        ("हिन्दी में खोज", "हिन्दी-में-खोज"),
        ("é\ud800è 🎉", "e-e"),
        ("a" * 70, "a" * 60),
        ("word " * 20, "word-word-word-word-word-word-word-word-word-word-word-word"),
    ],
)
def test_a_slug_is_short_lower_case_and_cut_at_a_word(title, slug):
    assert slug_of(title) == slug


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# A heading\n\nText.", "A heading"),
        ("Fix the bug. Then go home.", "Fix the bug"),
        ("- an item\n- another", "an item"),
        ("\n\n  first line\nsecond", "first line"),
        ("Wait for it...", "Wait for it..."),
        ("   ", "insight"),
        ("接続は百件まで。残りは待つ。", "接続は百件まで。"),
        ("API " + "接続" * 60, "API " + "接続" * 38 + "…"),
    ],
)
def test_a_title_is_the_first_heading_or_sentence(text, title):
    assert title_of(text) == title


def test_a_long_title_is_cut_at_a_word_and_says_so():
    title = title_of("When refreshing expired tokens the provider " * 4)
    assert len(title) <= 81
    assert title.endswith("…")
    assert " …" not in title


def test_an_id_is_lengthened_where_it_is_taken():
    first = new_id("Fix bug", "text", set())
    second = new_id("Fix bug", "text", {first})
    assert second.startswith(first)
    assert len(second) == len(first) + 1


@given(st.text(max_size=40), st.sets(st.text(max_size=20), max_size=5))
def test_an_id_is_never_one_that_is_taken(text, taken):
    assert new_id(text, text, taken) not in taken


def test_tags_are_united_in_order():
    assert united(("a", "b"), ("b", "c")) == ("a", "b", "c")


_LONG = "\n\n".join(
    f"Sentence number {n} says that the release train of week {n} leaves on time. "
    "Nobody waits for a change that was not merged before the branch was cut."
    for n in range(12)
)


def test_a_summary_is_made_of_the_text_s_own_sentences():
    summary = summary_of("Release train", _LONG, ENGLISH)
    assert needs_summary(_LONG)
    assert not needs_summary("short")
    assert estimate_tokens(summary) <= 125
    assert set(statements(summary)) <= set(statements(_LONG))


_STATED = (
    "The outage was caused by an expired certificate of the billing proxy.",
    "Because two nodes shared one clock, the leases overlapped.",
    "We decided to pin the driver until the vendor ships a repair.",
    "Never restart the broker before its queue is drained.",
    "The fix was to raise the pool size to 40 connections.",
    "It turned out that the mirror served a stale manifest.",
)
_FILLER = {
    "log": "12:{0:02}:07 worker {0} finished job {1} of the nightly run.",
    "prose": "On day {0} the team of the shop met and the shop was open as usual.",
    "words": "Aa{0} Bb{1} Cc{0} Dd{1} the shop of the team.",
}


@pytest.mark.one_of(3)
@pytest.mark.parametrize("filler", _FILLER)
@pytest.mark.parametrize("stated", _STATED)
@pytest.mark.parametrize("place", [0.0, 0.3, 0.99])
@pytest.mark.parametrize("size", [20, 1_000])
def test_a_summary_keeps_what_a_long_text_states(stated, filler, place, size):
    lines = [_FILLER[filler].format(n % 60, n) for n in range(size)]
    lines.insert(int(place * size), stated)
    summary = summary_of("Report of the night", "\n".join(lines), ENGLISH)
    assert stated in summary
    assert estimate_tokens(summary) <= 125


def test_a_german_summary_counts_all_forms_of_a_word():
    forms = "Prüfungen pruefung PRÜFUNGEN Verbindungen VERBINDUNGEN".split()
    unique = [f"Aa{n} Bb{n} Cc{n} Dd{n} Ee{n}." for n in range(90)]
    central = "Jede Verbindung bekommt eine Prüfung."
    rest = [f"Pp{n} {form} Qq{n} Rr{n} Ss{n}." for n, form in enumerate(forms)]
    body = " ".join([*unique, central, *rest])
    assert central in summary_of("", body, LANGUAGES["de"])
    assert central not in summary_of("", body, LANGUAGES["none"])


def test_a_japanese_summary_has_whole_sentences_and_no_labels():
    unique = [
        "".join(chr(0x5000 + 10 * n + k) for k in range(10)) + "。" for n in range(60)
    ]
    central = "接続の上限を超えるとデータベースが拒否する。"
    body = "設定。" + "".join([*unique[:30], central, *unique[30:]])
    summary = summary_of("データベースの接続の上限", body, LANGUAGES["none"])
    assert central in summary
    assert "設定" not in summary
    assert estimate_tokens(summary) <= 125


def test_a_text_of_one_endless_sentence_is_cut_and_says_so():
    summary = summary_of("t", "word " * 900, ENGLISH)
    assert summary.endswith("…")
    assert estimate_tokens(summary) <= 125


def test_the_original_stands_below_the_summary():
    assert with_summary("Short.", "# T\n\nLong.\n") == (
        "Short.\n\n<!-- toolmem:original -->\n\n# T\n\nLong.\n"
    )


def test_a_title_is_taken_off_a_body():
    assert without_title("# T\n\nText.\n") == "Text.\n"
    assert without_title("Text.\n") == "Text.\n"


@pytest.mark.parametrize(
    ("text", "near", "topic"),
    [
        ("OAuth token refresh broke", [Neighbour("auth", 2, 3.0)], "auth"),
        ("the merge of git branches", [Neighbour("git", 0, 0.0)], "git"),
        ("xyzzy foobar baz", [], None),
        ("alpha beta gamma", [Neighbour("x", 3, 3), Neighbour("y", 3, 2.5)], None),
        ("alpha beta gamma", [Neighbour("x", 3, 3), Neighbour("y", 1, 1)], "x"),
        ("alpha beta gamma", [Neighbour("", 3, 3)], None),
        ("alpha beta gamma", [Neighbour("x", 1, 1)], "x"),
        ("alpha beta gamma delta", [Neighbour("x", 1, 1)], None),
        ("please fix the name", [Neighbour("x", 0, 0)], None),
    ],
)
def test_a_topic_is_named_or_clearly_that_of_the_nearest(text, near, topic):
    assert infer_topic(text, near) == topic


def test_a_topic_is_kept_in_one_spelling():
    assert normal_topic(" Release Train_2 ") == "release-train-2"
