"""Words of documents and of queries."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.language.language import ENGLISH
from toolmem.core.text.terms import (
    _SIGNS,
    asked_words,
    fold,
    normal_topic,
    spaced,
    stored_label,
    words,
    words_in,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Never push to main!", ["never", "push", "to", "main"]),
        ("mech_fighters", ["mech", "fighters"]),
        ("src/app/a_b.py:12", ["src", "app", "a", "b", "py", "12"]),
        ("parseQuery", ["parsequery", "parse", "query"]),
        ("a GitHub token", ["a", "github", "token", "git", "hub"]),
        ("HTTPServer2Go", ["httpserver2go", "http", "server", "2", "go"]),
        ("README v1.2.3", ["readme", "v1", "2", "3"]),
        ("don't", ["don", "t"]),
        ("Café Ångström ﬁle", ["cafe", "angstrom", "file"]),
        ("Straße", ["strasse"]),
        ("ＡＢＣ１２", ["abc12"]),
        ("Привет мир", ["привет", "мир"]),
        ("猫が好き", ["猫", "が", "好", "き", "猫が", "が好", "好き"]),
        ("用rg搜索", ["用", "rg", "搜", "索", "搜索"]),
        ("한국어", ["한", "국", "어", "한국", "국어"]),
        ("हिन्दी", ["हिन्दी"]),
        ("soft\u00adhyphen zero\u200bwidth", ["softhyphen", "zerowidth"]),
        ("🎉 !!! ---", []),
        ("", []),
    ],
)
def test_words_of_a_document(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("搜索", ["搜索"]),
        ("猫", ["猫"]),
        ("搜索rg用", ["搜索", "rg", "用"]),
        ("refreshToken", ["refreshtoken", "refresh", "token"]),
    ],
)
def test_a_query_asks_for_pairs_of_characters(text, expected):
    assert asked_words(text) == expected


HUMP = re.compile("[a-z0-9][A-Z]")
PARTS = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_ANY = st.text(st.characters(exclude_categories=()), max_size=60)
"""Lone surrogates included."""


@examples(200)
@given(_ANY)
def test_every_word_asked_for_is_one_of_the_document(text):
    assert set(asked_words(text)) <= set(words(text))


@examples(300)
@given(_ANY | st.text("aB1_ \n", max_size=40))
def test_words_in_one_text_are_the_same_ones(text):
    found = spaced(text)
    assert found.text.split() == words(text)
    assert found.many == len(words(text))
    assert found.text.startswith(" ")
    assert found.text.endswith(" ")


@examples(300)
@given(st.text("aB1_ é漢\ud800", max_size=20))
def test_words_in_camel_case_are_runs_of_letters_and_digits(text):
    found = [word for word in re.findall("[A-Za-z0-9]+", text) if HUMP.search(word)]
    parts = [part for word in found for part in PARTS.findall(word)]
    assert words(text)[len(words(text.lower())) :] == [part.lower() for part in parts]


@examples(200)
@given(_ANY)
def test_words_hold_no_blanks_and_are_folded(text):
    for word in words(text):
        assert word
        assert word.split() == [word]
        assert fold(word) == word
        assert ENGLISH.stem_of(word)


def test_a_sign_is_in_no_word():
    signs = re.compile(_SIGNS)
    for sign in filter(signs.match, map(chr, range(0x20000))):
        assert re.findall(r"\w+", f"a{fold(sign)}b") == ["a", "b"], hex(ord(sign))


def test_typographic_signs_are_as_plain_ones():
    text = "don’t “pushToMain” — it’s… 5 × 3 → ✓ 🎉 done"
    plain = "don't \"pushToMain\" -- it's... 5 * 3 > v done".replace("v ", "")
    assert spaced(text) == spaced(plain)._replace(text=spaced(text).text)
    assert words(text) == words(plain)


@pytest.mark.parametrize(
    ("text", "many"),
    [
        ("a" * 200_000, 1),
        ("aB" * 100_000, 100_002),
        ("A" * 200_000, 1),
        ("_" * 200_000, 0),
        ("漢" * 100_000, 199_999),
        ("a\u0301" * 50_000, 1),
        ("ﷺ" * 500, 1_501),
        ("é" + "aB_" * 50_000, 150_000),
        ("и\u0306" * 50_000, 1),
        ("\u0306" * 100_000, 0),
        ("مُ" * 50_000, 1),
        ("æ " * 50_000, 50_000),
        ("\ud800a" * 50_000, 50_000),
    ],
    ids=lambda value: str(value)[:3],
)
def test_hostile_texts_come_to_an_end(text, many):
    assert len(words(text)) == many


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("ёлка", "елка"),
        ("новый", "НОВЫЙ"),
        ("Łódź", "lodz"),
        ("København", "kobenhavn"),
        ("œuvre", "oeuvre"),
        ("đường", "duong"),
        ("İstanbul ve ılıca", "istanbul ilica"),
        ("ILICA", "ılıca"),
        ("Größe", "GRÖSSE"),
        ("مُحَمَّد", "محمد"),
        ("أحمد", "احمد"),
        ("مدرسة", "مدرسه"),
        ("کتاب", "كتاب"),
        ("٣٤ ۳۴", "34"),
        ("שָׁלוֹם", "שלום"),
        ("क़लम है।", "कलम है"),
        ("ﾃﾞｰﾀﾍﾞｰｽ", "データ"),
        ("か\u3099ぞう", "がぞう"),
        ("ｉｃｏｎｖ", "iconv"),
        ("м'ята", "мʼята"),
        ("ภาษาไทย", "ไทย"),
        ("검색이", "검색"),
        ("Ελλάδας ΜΆΪΟΣ", "μαιος"),
    ],
)
def test_a_word_is_found_in_other_spellings(text, asked):
    assert set(asked_words(asked)) <= set(words(text))


@pytest.mark.parametrize(
    ("one", "other"), [("новый", "новыи"), ("ガ", "カ"), ("が", "か"), ("ñ", "m")]
)
def test_other_letters_stay_apart(one, other):
    assert words(one) != words(other)


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Git Hooks", "git-hooks"),
        ("データベース", "データベース"),
        ("数据库 连接", "数据库-连接"),
        ("Übersetzung für CI", "ubersetzung-fur-ci"),
        ("用rg搜索", "用-rg-搜索"),
        ("!!!", ""),
        ("GitHub", "github"),
        ("C++", "c++"),
        ("C#", "c#"),
        ("C", "c"),
        ("#wine", "wine"),
        ("PostgreSQL tuning", "postgresql-tuning"),
    ],
)
def test_a_topic_has_whole_words(text, topic):
    assert normal_topic(text) == topic


def test_a_stored_topic_keeps_its_accents_in_nfc():
    assert stored_label("Mu\u0308ller") == "m\u00fcller"


_NAMES = "GitHub parseQuery PostgreSQL tuning C".split()


@given(st.lists(st.sampled_from(_NAMES), max_size=6))
def test_the_older_form_of_a_topic_is_the_same_topic(found):
    text = " ".join(found)
    older = "-".join(words(text))
    assert normal_topic(older) == normal_topic(text)


@examples(200)
@given(st.text(max_size=40) | st.text("aÉßéйИ猫が\u0306\u0301\u0308 _", max_size=20))
def test_the_form_of_a_topic_is_stable(text):
    once = normal_topic(text)
    assert fold(once) == once
    if not any(letter.isupper() for letter in text):
        assert normal_topic(once) == once


@examples(200)
@given(_ANY | st.text("aÉßéйЙўиу猫が\u0306\u0301\u0308\u0331\ud800", max_size=20))
def test_folding_is_stable(text):
    assert fold(fold(text)) == fold(text)


@given(
    st.one_of(st.text(), st.text("aB z_\n9-")),
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=4),
)
def test_the_words_of_parts_are_those_of_each_part(text, spans):
    assert words_in(text, spans) == [words(text[start:end]) for start, end in spans]
