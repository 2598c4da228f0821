"""The table of word vectors that comes with the package."""

import re
from hashlib import sha256
from pathlib import Path
from zlib import crc32

import pytest

from toolmem.core.language.language import ENGLISH
from toolmem.core.search.meaning.word_vectors import WordVectors
from toolmem.errors import InvalidFileError
from toolmem.store.index import word_table
from toolmem.store.semantic import model_files

BERT = Path(model_files.__file__).with_name("bert_vocabulary.txt")
NEXT = "reinstall toolmem"


def test_the_table_is_the_one_whose_checksum_is_known():
    data = word_table.FILE.read_bytes()
    assert (len(data), crc32(data)) == (word_table.SIZE, word_table.CHECKSUM)
    assert len(data) <= 4_000_000


def test_the_origin_next_to_it_names_its_checksums():
    origin = word_table.FILE.with_suffix(".md").read_text("utf-8")
    digest = sha256(word_table.FILE.read_bytes()).hexdigest()
    assert f"| SHA-256 | `{digest}` |" in origin
    assert f"| CRC-32 | {word_table.CHECKSUM} |" in origin
    assert "WordNet 3.0 Copyright 2006 by Princeton University" in origin


def test_it_is_opened_once():
    table = word_table.open_table()
    assert table.dimensions == 192
    assert word_table.open_table() is table


def test_words_of_like_meaning_are_similar_and_function_words_have_none():
    table = word_table.open_table()
    question = table.question(["undo", "commit"])
    near, far = (
        table.passage(words) for words in (["revert", "change"], ["cat", "milk"])
    )
    assert WordVectors.cosine(question, near) > WordVectors.cosine(question, far) + 0.2
    assert not any(table.question(["how", "do", "i", "the", "yourselves"]))


@pytest.mark.one_of(3)
@pytest.mark.parametrize("word", ["repair", "oven", "password"])
def test_the_similar_words_of_a_word_are_the_nearest_of_other_stems(word):
    table = word_table.open_table()
    asked = table.question([word])
    found = dict(table.similar(word))
    least = min(found.values())
    stems = set(ENGLISH.stems([word, *found]))
    assert len(stems) == 1 + len(found) == 5
    for other in filter(_is_listed, BERT.read_text("utf-8").split("\n")):
        if not stems.intersection(ENGLISH.stems([other])):
            packed = table.passage([other])
            assert WordVectors.cosine(asked, packed) < least + 0.01


def _is_listed(piece: str) -> bool:
    return piece.isascii() and piece.isalpha() and len(piece) >= 3


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: data[:-1], "not the file of this version"),
        (
            lambda data: data[:9] + b"?" + data[10:],
            "not the file of this version",
        ),
        (lambda data: b"", "is empty"),
    ],
)
def test_a_damaged_table_is_named_with_the_next_step(tmp_path, change, reason):
    path = tmp_path / "word_vectors.bin"
    path.write_bytes(change(word_table.FILE.read_bytes()))
    with pytest.raises(InvalidFileError, match=re.escape(f"{path}: {reason}: {NEXT}")):
        word_table.read_table(path)


def test_a_missing_table_is_named_with_the_next_step(tmp_path):
    path = tmp_path / "word_vectors.bin"
    message = f"{path}: No such file or directory: {NEXT}"
    with pytest.raises(InvalidFileError, match=re.escape(message)):
        word_table.read_table(path)


def test_the_vocabulary_is_the_one_whose_checksum_is_known():
    data = model_files.VOCABULARY.read_bytes()
    assert sha256(data).hexdigest() == model_files.VOCABULARY_SUM
