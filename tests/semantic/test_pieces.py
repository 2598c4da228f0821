import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmem.errors import InvalidFileError
from toolmem.store.semantic.embedder import Pieces, read_pieces

PIECES = (
    "[PAD] [UNK] [CLS] [SEP] [MASK] un ##aff ##able able cafe ! , 東 京 the"
    " ##s token ##ize ##d"
).split()


def read(text: str, most: int = 64) -> list[str]:
    return [PIECES[number] for number in Pieces(PIECES, most).encode(text)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", ""),
        ("Tokenized, tokens!", "token ##ize ##d , token ##s !"),
        ("Café CAFE\u0301", "cafe cafe"),
        ("東京the", "東 京 the"),
        ("able\u200bable the\x00\ufffd\tthe\u2028the", "able ##able the the the"),
        ("unaffabl \udcff", "[UNK] [UNK]"),
    ],
)
def test_a_text_becomes_pieces(text, pieces):
    assert read(text) == ["[CLS]", *pieces.split(), "[SEP]"]


def test_a_long_text_is_cut_inside_its_frame():
    assert read("the " * 10_000, 5) == ["[CLS]", "the", "the", "the", "[SEP]"]


@given(st.text(max_size=400), st.integers(2, 40))
def test_any_text_is_read(text, most):
    pieces = read(text, most)
    assert 2 <= len(pieces) <= most
    assert (pieces[0], pieces[-1]) == ("[CLS]", "[SEP]")


def test_a_list_of_pieces_is_read_with_any_line_ends(tmp_path):
    file = tmp_path / "vocab.txt"
    for data in ("\n".join(PIECES), "\r\n".join(PIECES) + "\r\n"):
        file.write_bytes(data.encode())
        assert read_pieces(file, 64).listed == PIECES


@given(data=st.just(b"[PAD]\n[UNK]\n[CLS]\n") | st.binary(max_size=200))
def test_a_damaged_vocabulary_is_refused(tmp_path_factory, data):
    file = tmp_path_factory.mktemp("damaged") / "vocab.txt"
    file.write_bytes(data)
    with pytest.raises(InvalidFileError):
        read_pieces(file, 64)
