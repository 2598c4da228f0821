"""Documents as the index stores them."""

from hypothesis import given
from hypothesis import strategies as st

from tests.core.search.library import docs
from tests.store.index.shelf import decoded
from toolmem.core.language.language import ENGLISH, LANGUAGES
from toolmem.core.search.corpus import CandidateDocument, Totals
from toolmem.core.search.doc import Doc, Lengths, words_of
from toolmem.core.search.scores import Scorer, Terms
from toolmem.core.text.terms import mark_of
from toolmem.store.index import codec
from toolmem.store.index.snapshot import IndexedCandidate

_TEXT = st.text(
    st.sampled_from("ab XY.\n\t\x1f_-é猫が\ud800\0") | st.characters(codec="utf-8"),
    max_size=40,
)
_WORDS = st.lists(st.sampled_from("go going vie vying tokenRefresh déjà x".split()))
_LONG = st.sampled_from(["", "word " * 40, "w" * 300, "some words " * 14 + "w" * 20])
_MANY = Terms(
    {term: 1.0 + at for at, term in enumerate("go vie vying tokenrefresh x y".split())}
)
_VECTORS = st.sampled_from([(), (b"abcdef",), (b"abc\0\0f", b"\0\0\0\0\0\0")])


@st.composite
def texts(draw):
    """One document with any text in each of its fields."""
    parts = [draw(st.one_of(_TEXT, _WORDS.map(" ".join))) for _ in range(6)]
    tags = draw(st.lists(_TEXT.filter(bool), max_size=2).map(tuple))
    return Doc(
        parts[0],
        parts[1],
        "system",
        draw(st.sampled_from(["memory", "fact", "rule"])),
        title=parts[2],
        headings=draw(st.lists(_TEXT.filter(bool), max_size=2).map(tuple)),
        body=draw(_LONG) + parts[3],
        context=parts[4],
        topic=parts[5],
        tags=tags,
    )


def stored(doc, vectors=(), language=ENGLISH):
    words = words_of(doc)
    marks = codec.marks_of(language.stems(words.text.split()))
    return IndexedCandidate(codec.encode(doc, words, marks, vectors))


@given(texts() | docs(most=1).filter(bool).map(lambda found: found[0]), _VECTORS)
def test_a_stored_document_is_decoded_as_it_was(doc, vectors):
    doc = codec.clean(doc)
    plain = CandidateDocument(doc, words_of(doc), vectors)
    found = stored(doc, vectors)
    assert decoded(found) == decoded(plain)
    assert found.vectors == vectors


@given(texts(), st.sampled_from(sorted(LANGUAGES)))
def test_the_marks_of_a_stored_document_skip_none_of_its_terms(doc, code):
    doc, language = codec.clean(doc), LANGUAGES[code]
    found = stored(doc, language=language)
    stems = language.stems(words_of(doc).text.split())
    assert {mark_of(stem) for stem in stems} == set(found.marks)
    assert (
        max(found.marks, default="") < "\ud800"
    )  # any of these characters may be stored
    terms = Terms(dict.fromkeys([*stems, "absent", "go", "vie", "x"], 2.0), language)
    plain = CandidateDocument(doc, words_of(doc))
    assert terms.count(found) == terms.count(plain)
    assert terms.are_in(found) == terms.are_in(plain) == bool(stems)


@given(texts())
def test_the_score_of_a_stored_document_is_that_of_its_text(doc):
    doc = codec.clean(doc)
    scorer = Scorer(_MANY, Totals(3, Lengths(7.0, 3.0, 2.0)))
    plain = CandidateDocument(doc, words_of(doc))
    assert scorer.gains(stored(doc)) == scorer.gains(plain)


def test_the_words_of_plain_text_are_not_stored_twice():
    body = "A sentence of plain words. " * 20
    doc = Doc("a", "b", "system", "memory", title="Plain", body=body, tags=("x",))
    assert len(codec.encode(doc, words_of(doc), b"", ())) < len(body) + 100
