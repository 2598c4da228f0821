"""The stemmer: that words meet as they should, and that tantivy's is the same one."""

import pytest
import tantivy
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from toolmem.core.search.stem import beginning, stem, stems

_SUFFIXES = (
    "s es ed ing ly ness ful ation ator izer ize al ally ously ively ement ment er "
    "ical able ible y ied ies eed eedly edly ingly sses tional enci anci abli bli "
    "ogi ogist fulli lessli alism iviti biliti ative ance ion sion tion e l ll past"
)
_WORDS = st.builds(
    "{}{}{}".format,
    st.text("aeiouystlnbgr019øжß", min_size=1, max_size=6),
    st.sampled_from(["", *_SUFFIXES.split()]),
    st.sampled_from(["", *_SUFFIXES.split()]),
)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("caresses", "caress"),
        ("ties", "tie"),
        ("cries", "cri"),
        ("gaps", "gap"),
        ("gas", "gas"),
        ("agreed", "agre"),
        ("feed", "feed"),
        ("hopping", "hop"),
        ("hoping", "hope"),
        ("luxuriated", "luxuri"),
        ("adding", "add"),
        ("dying", "die"),
        ("happy", "happi"),
        ("say", "say"),
        ("relational", "relat"),
        ("conditionally", "condit"),
        ("geologist", "geolog"),
        ("hopeful", "hope"),
        ("adjustment", "adjust"),
        ("adoption", "adopt"),
        ("controlling", "control"),
        ("generously", "generous"),
        ("news", "news"),
        ("skies", "sky"),
        ("as", "as"),
        ("30s", "30s"),
        ("", ""),
    ],
)
def test_a_word_has_its_stem(word, expected):
    assert stem(word) == expected


@examples(200)
@given(st.lists(_WORDS, min_size=50, max_size=50))
def test_tantivy_has_the_same_stems(words):
    build = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
    analyzer = build.filter(tantivy.Filter.stemmer("english")).build()
    assert [stem(word) for word in words] == analyzer.analyze(" ".join(words))
    assert stems(words) == [stem(word) for word in words]


@examples(500)
@given(_WORDS)
def test_a_word_begins_as_its_stem_says(word):
    assert word.startswith(beginning(stem(word)))
    assert beginning(stem(word))


@pytest.mark.parametrize("word", ["dying", "lying", "tying", "ties", "skies", "early"])
def test_odd_words_begin_as_their_stems_say(word):
    assert word.startswith(beginning(stem(word)))
