"""Vectors of words from a table in a buffer."""

import struct
from array import array
from collections import Counter
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.train_vectors.table_file import Row, sorted_pieces, table_bytes
from toolmem.core.search.meaning.word_vectors import MAGIC, WordVectors

ROWS = {
    "a": Row(0, (0, 0, 0)),
    "b": Row(1, (3, -4, 0)),
    "undo": Row(18, (7, 1, -2)),
    "revert": Row(18, (-7, 7, 7)),
    "re": Row(1, (1, 2, 3)),
    "##vert": Row(3, (4, -5, 6)),
    "##s": Row(7, (0, 0, -1)),
}
DATA = table_bytes(ROWS)
TABLE = WordVectors(DATA)
COUNTS = len(MAGIC) + 12
"""Offset of the counts of pieces by length."""


def plain_pieces(word: str) -> list[str]:
    found: list[str] = []
    start = 0
    while start < len(word):
        heads = ("##" if start else "") + word[start:]
        sizes = range(len(heads), 2 if start else 0, -1)
        piece = next((heads[:size] for size in sizes if heads[:size] in ROWS), None)
        if piece is None:
            break
        found.append(piece)
        start += len(piece) - (2 if start else 0)
    return found


def plain_sum(words: list[str]) -> list[int]:
    counts = Counter(words)
    weights = {word: round(4 * sqrt(min(n, 59))) for word, n in counts.items()}
    rows = [(weights[w], ROWS[p]) for w in counts for p in plain_pieces(w)]
    return [
        sum(weight * row.scale * row.numbers[at] for weight, row in rows)
        for at in range(3)
    ]


def packed(numbers: list[int]) -> bytes:
    scale = 1 / sqrt(sum(n * n for n in numbers)) if any(numbers) else 0.0
    return struct.pack("<f", scale) + array("b", numbers).tobytes()


def plain_packed(total: list[int]) -> bytes:
    """Numbers of a vector of length 512, or 256 and so on, that fit into bytes."""
    if not any(total):
        return bytes(4 + len(total))
    factor = round(512 * 2**20 / sqrt(sum(n * n for n in total)))
    for shift in range(20, 25):
        numbers = [(factor * n + (1 << shift - 1)) >> shift for n in total]
        if all(-128 <= n <= 127 for n in numbers):
            return packed(numbers)
    raise AssertionError


def test_a_known_word_is_its_own_row():
    assert TABLE.dimensions == 3
    assert TABLE.passage(["b"]) == packed([77, -102, 0])
    assert TABLE.question(["b"]) == (
        round(0.6 * 32768) / 32768,
        -round(0.8 * 32768) / 32768,
        0.0,
    )


def test_an_unknown_word_is_cut_into_the_longest_pieces():
    assert TABLE.passage(["reverts"]) == TABLE.passage(["revert", "##s"])
    assert TABLE.passage(["resvert"]) == TABLE.passage(["re", "##s", "##vert"])


def test_words_without_pieces_and_function_words_have_no_meaning():
    words = ["a", "zzz", "größe", "取り消す", "b" * 41, "\ud800", ""]
    assert TABLE.question(words) == (0.0, 0.0, 0.0)
    assert TABLE.passage(words) == bytes(7)
    assert TABLE.passage([*words, "undo"]) == TABLE.passage(["undo"])
    assert WordVectors.cosine(TABLE.question(["b"]), TABLE.passage(words)) == 0.0


def test_the_same_words_in_question_and_passage_have_the_cosine_one():
    words = ["undo", "reverts", "b", "b"]
    found = WordVectors.cosine(TABLE.question(words), TABLE.passage(words))
    assert found == pytest.approx(1.0, abs=0.01)


@given(st.lists(st.sampled_from([*ROWS, "reverts", "undos", "bsss", "xa", "ab"])))
def test_vectors_equal_those_of_plain_sums(words):
    total = plain_sum(words)
    length = sqrt(sum(n * n for n in total)) or 1.0
    assert TABLE.question(words) == tuple(
        round(n / length * 32768) / 32768 for n in total
    )
    assert TABLE.passage(words) == plain_packed(total)


def test_a_head_has_half_the_weight_of_a_passage_whatever_their_lengths():
    rows = {"x": Row(14, (7, 0, 0)), "y": Row(3, (0, -3, 0)), "xx": Row(1, (1, 0, 0))}
    table = WordVectors(table_bytes(rows))
    for words, head in ((["x"], ["y"]), (["xx"] * 50, ["y", "y"])):
        found = table.cosine(table.question(["y"]), table.passage(words, head))
        assert found == pytest.approx(0.5 / sqrt(1.25), abs=0.005)
    assert table.passage(["x"], ["zzz"]) == table.passage(["x"])
    assert table.passage([], ["y"]) == bytes(7)


@given(st.lists(st.sampled_from([*ROWS, "resvert"]), max_size=4), st.data())
def test_cosines_of_many_passages_are_those_of_each_to_the_bit(question, data):
    words = st.lists(st.sampled_from([*ROWS, "reverts", "zzz"]), max_size=4)
    texts = data.draw(st.lists(words, max_size=9))
    packed = [TABLE.passage(text) for text in texts] * 20
    asked = TABLE.question(question)
    expected = [TABLE.cosine(asked, one) for one in packed]
    assert TABLE.cosines(asked, packed) == expected


@given(st.lists(st.sampled_from([*ROWS, "reverts"]), min_size=2), st.randoms())
def test_the_order_of_words_changes_no_bit(words, random):
    other = random.sample(words, len(words))
    assert WordVectors(DATA).passage(other) == TABLE.passage(words)
    assert WordVectors(DATA).question(other) == TABLE.question(words)


def test_every_piece_is_found_in_a_large_table():
    pieces = [f"{head}{n}" for head in ("", "##") for n in range(1, 3000, 7)]
    rows = {
        piece: Row(n % 18 + 1, (n % 7 - 7, n % 7 + 1)) for n, piece in enumerate(pieces)
    }
    table = WordVectors(table_bytes(rows))
    assert {p: table.row(*table.places(p)) for p in rows if p[0] != "#"} == {
        piece: array("b", [row.scale * number for number in row.numbers]).tobytes()
        for piece, row in rows.items()
        if piece[0] != "#"
    }


def test_more_words_than_any_passage_has_fit_into_the_lanes():
    rows = {piece: Row(18, [7] * 3) for piece in ("x", "##x")}
    table = WordVectors(table_bytes(rows))
    words = ["x" * size for size in range(1, 41)]
    assert table.passage(words * 60) == packed([74] * 3)
    other = [f"{'x' * 34}{number:06}" for number in range(4_000)] * 60
    for passage, head in ((other, []), (other, ["x"]), (["x"], other), (other, other)):
        vector = table.passage(passage, head)
        found = table.cosine(table.question(["x"]), vector)
        assert found == pytest.approx(1.0, abs=0.001)


def test_a_thousand_equal_words_fit_into_the_lanes():
    rows = {piece: Row(18, [7] * 3) for piece in ("x", "##x")}
    table = WordVectors(table_bytes(rows))
    assert table.passage(["xx"] * 100_000) == packed([74] * 3)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is not a table of word vectors"),
        (MAGIC, "is not a table of word vectors"),
        (b"x" + DATA[1:], "is not a table of word vectors"),
        (DATA[:-1], "is not as long as its header says"),
        (DATA + b"\0", "is not as long as its header says"),
        (DATA[: COUNTS + 3], "is shorter than its header"),
        (MAGIC + struct.pack("<III", 0, 0, 0), "has dimensions out of range"),
        (MAGIC + struct.pack("<III", 2000, 0, 0), "has dimensions out of range"),
        (MAGIC + struct.pack("<III", 3, 1 << 31, 0), "has dimensions out of range"),
        (MAGIC + struct.pack("<III", 3, 0, 101), "has dimensions out of range"),
        (MAGIC + struct.pack("<III2I", 3, 2, 0, 1, 1 << 31), "more than 65,536"),
    ],
)
def test_other_buffers_are_refused(data, reason):
    with pytest.raises(ValueError, match=reason):
        WordVectors(data)


def test_similar_words_are_those_listed_for_a_word_of_one_piece():
    names = sorted_pieces(set(ROWS))
    similar = [[place, place] for place in range(len(names))]
    undo, revert = names.index("undo"), names.index("revert")
    similar[undo] = [revert, names.index("b")]
    table = WordVectors(table_bytes(ROWS, similar))
    asked = table.question(["undo"])
    assert table.similar("undo") == [
        (word, table.cosine(asked, table.passage([word]))) for word in ("b", "revert")
    ]
    for word in ("revert", "reverts", "a", "zzz", ""):
        assert table.similar(word) == []
    assert TABLE.similar("undo") == []


@given(st.integers(0, len(DATA) - 1), st.integers(0, 255), st.integers(0, len(DATA)))
def test_a_damaged_buffer_is_refused_or_answers(place, value, end):
    damaged = bytearray(DATA)
    damaged[place] = value
    for data in (bytes(damaged), bytes(damaged[:end])):
        try:
            table = WordVectors(data)
        except ValueError:
            continue
        words = ["undo", "reverts", "ab"]
        assert len(table.question(words)) == table.dimensions
        assert len(table.passage(words)) == table.dimensions + 4
        assert all(-1.01 <= cosine <= 1.01 for _, cosine in table.similar("undo"))
