import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.core.search.wordpiece import (
    BadVocabularyError,
    WordPiece,
    listed_pieces,
)

PIECES = (
    "[PAD] [UNK] [CLS] [SEP] [MASK] un ##aff ##able able cafe ! , 東 京 the"
    " ##s token ##ize ##d"
).split()
WORDS = WordPiece.of(PIECES)


def read(text: str, most: int = 64) -> list[str]:
    return [PIECES[number] for number in WORDS.encode(text, most)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", ""),
        ("the token", "the token"),
        ("unaffable", "un ##aff ##able"),
        ("able", "able"),
        ("Tokenized, tokens!", "token ##ize ##d , token ##s !"),
        ("Café CAFE\u0301", "cafe cafe"),
        ("東京the", "東 京 the"),
        ("able\u200bable the\x00\ufffd\tthe\u2028the", "able ##able the the the"),
        ("zebra the", "[UNK] the"),
        ("unaffabl", "[UNK]"),
        ("the" + "s" * 97, "the" + " ##s" * 97),
        ("the" + "s" * 98, "[UNK]"),
    ],
)
def test_a_text_becomes_pieces(text, pieces):
    assert read(text, 200) == ["[CLS]", *pieces.split(), "[SEP]"]


def test_a_long_text_is_cut_inside_its_frame():
    assert read("the " * 10_000, 5) == ["[CLS]", "the", "the", "the", "[SEP]"]


@given(st.text(max_size=400), st.integers(2, 40))
def test_any_text_is_read(text, most):
    pieces = read(text, most)
    assert 2 <= len(pieces) <= most
    assert (pieces[0], pieces[-1]) == ("[CLS]", "[SEP]")


def test_a_list_of_pieces_is_read_with_any_line_ends():
    assert listed_pieces("\n".join(PIECES).encode()) == PIECES
    assert listed_pieces(("\r\n".join(PIECES) + "\r\n").encode()) == PIECES


@pytest.mark.parametrize("data", [b"\xff", b"", b"[PAD]\n[UNK]\n[CLS]\n"])
def test_what_is_no_vocabulary_is_refused(data):
    with pytest.raises(BadVocabularyError):
        WordPiece.of(listed_pieces(data))


@given(st.binary(max_size=200))
def test_a_damaged_vocabulary_raises_only_its_own_error(data):
    with pytest.raises(BadVocabularyError):
        WordPiece.of(listed_pieces(data))
