from itertools import pairwise

import numpy as np
import pytest

from toolmem.errors import InvalidFileError
from toolmem.store.files.settings import resolve
from toolmem.store.semantic.embedder import load
from toolmem.store.semantic.model_files import model_files

TEXTS = [
    "How do I renew an expired login token?",
    "A login token that has expired is refreshed with its scope.",
    "The canteen closes at two.",
    "",
    "東京 🙂 " * 40,
    "word " * 5000,
]


def cosine(one: bytes, other: bytes) -> float:
    a, b = (np.frombuffer(v, np.int8).astype(float) for v in (one, other))
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def test_what_means_the_same_is_near(embedder):
    question, same, other, *_ = embedder.embed(TEXTS)
    assert cosine(question, same) > 0.45
    assert cosine(question, other) < 0.15


def test_the_vocabulary_is_that_of_the_model(embedder):
    assert len(embedder.words.listed) == 30_522
    assert embedder.words.encode("Unaffable, résumé!") == [
        101,
        *(14477, 20961, 3468, 1010, 13746, 999),
        102,
    ]


def test_a_vector_has_a_byte_a_dimension_and_is_as_sharp_as_can_be(embedder):
    for vector in embedder.embed(TEXTS):
        numbers = np.frombuffer(vector, np.int8)
        assert len(numbers) == 384
        assert abs(numbers.astype(int)).max() == 127


def test_no_text_changes_the_vector_of_another(embedder):
    together = list(embedder.embed(TEXTS))
    assert [next(embedder.embed([text])) for text in TEXTS] == together
    assert list(embedder.embed(TEXTS[::-1])) == together[::-1]


def test_a_loaded_model_is_kept(embedder):
    assert load(model_files(resolve([]))) is embedder


@pytest.mark.parametrize("name", ["model", "vocabulary"])
def test_files_that_are_not_the_known_ones_are_refused(name, tmp_path):
    files = model_files(resolve([]))
    path = tmp_path / getattr(files, name).name
    data = bytearray(getattr(files, name).read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(InvalidFileError) as caught:
        load(files._replace(**{name: path}))
    assert caught.value.path == str(path)
    assert caught.value.reason.startswith("not the file that toolmem was measured")


def test_a_model_of_the_users_own_is_told_apart(embedder, tmp_path):
    files = model_files(resolve([]))
    vocabulary = tmp_path / "vocab.txt"
    pieces = [*embedder.words.listed]
    vocabulary.write_text("\n".join(pieces) + "\n", encoding="utf-8")
    own = load(files._replace(vocabulary=vocabulary, vocabulary_sum=""))
    assert own.stamp == embedder.stamp
    pieces[-1] = "##another"
    vocabulary.write_text("\n".join(pieces), encoding="utf-8")
    other = load(files._replace(vocabulary=vocabulary, vocabulary_sum=""))
    assert other.stamp != embedder.stamp


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("model", b"", "is not a model"),
        ("model", b"garbage" * 100, "is not a model"),
        ("vocabulary", b"\xff\xfe", "is not UTF-8 text"),
        ("vocabulary", b"just\nwords\n", "has no [PAD], [UNK], [CLS], [SEP]"),
    ],
)
def test_a_file_that_is_none_is_an_error_that_names_it(name, data, reason, tmp_path):
    path = tmp_path / "file.txt"
    path.write_bytes(data)
    files = model_files(resolve([]))._replace(**{name: path, f"{name}_sum": ""})
    with pytest.raises(InvalidFileError) as caught:
        load(files)
    assert caught.value.path == str(path)
    assert reason in caught.value.reason


def test_distances_fall_from_related_to_unrelated(embedder):
    texts = [
        "delete old log files",
        "remove outdated logs",
        "rotate the log files of the server",
        "bake a chocolate cake",
    ]
    first, *others = embedder.embed(texts)
    cosines = [cosine(first, other) for other in others]
    assert all(near > far for near, far in pairwise(cosines))
