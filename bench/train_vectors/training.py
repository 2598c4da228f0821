"""Train the table: pieces, vectors of the teacher, regression, signed bytes.

Runs in the training environment only, which has numpy and scipy.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.train_vectors.regression import (
    counts_of,
    evened,
    main_directions,
    quantised,
    ridge,
    shares,
)
from bench.train_vectors.similar import similar_places
from bench.train_vectors.table_file import Row, sorted_pieces, table_bytes
from bench.train_vectors.teacher import Teacher, VectorCache
from toolmem.core.search.meaning.word_vectors import WordVectors
from toolmem.core.text.terms import words

DIMENSIONS = 192
_LISTED = Path(__file__).with_name("function_words.txt")
FUNCTION_WORDS = frozenset(_LISTED.read_text("ascii").split())
"""Words that say nothing of the subject; their rows have zeros."""


class Pieces:
    """Pieces of the table in the order of its rows; function words have zeros."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        """Choose the pieces of letters and digits."""
        self.of_model = len(vocabulary)
        self.numbers = {
            piece: number
            for number, piece in enumerate(vocabulary)
            if piece.isascii() and piece[0] != "[" and any(map(str.isalnum, piece))
        }
        self.names = sorted_pieces(set(self.numbers) | FUNCTION_WORDS)
        self.known = np.array([name not in FUNCTION_WORDS for name in self.names])
        marks = zip(self.names, self.known.tolist(), strict=True)
        self.draft = WordVectors(table_bytes({name: Row(m, [1]) for name, m in marks}))

    def keys(self) -> list[str]:
        """Return the names under which the vectors of the pieces are cached."""
        return [f"piece {name}" for name in self.names if name in self.numbers]


def fill(
    cache: VectorCache, teacher: Teacher, pieces: Pieces, texts: list[str]
) -> None:
    """Compute the vectors of pieces and texts that are not cached."""
    cache.fill(
        (f"piece {name}", teacher.of_piece(number))
        for name, number in pieces.numbers.items()
        if f"piece {name}" not in cache
    )
    cache.fill((text, teacher.of_text(text)) for text in texts if text not in cache)


def train(cache: VectorCache, pieces: Pieces, texts: list[str]) -> bytes:
    """Return the content of the table."""
    alone = np.zeros((len(pieces.names), cache.dimensions), np.float32)
    of_model = np.array([name in pieces.numbers for name in pieces.names])
    alone[of_model] = cache.rows(pieces.keys())
    vectors = cache.rows(texts)
    directions = main_directions(np.vstack([vectors, alone]), DIMENSIONS)
    directions = evened(directions, vectors)
    ranks = np.array([pieces.numbers.get(name, 0) for name in pieces.names])
    start = alone @ directions * shares(ranks, pieces.of_model)[:, None]
    start[~pieces.known] = 0
    split = [words(text) for text in texts]
    counts = counts_of(split, pieces.draft, len(pieces.names))
    rows = ridge(counts, _single(vectors @ directions), _single(start))
    rows[~pieces.known] = 0
    return whole_table(pieces.names, *quantised(rows))


def whole_table(names: Sequence[str], scales: Any, numbers: Any) -> bytes:
    """Return the content of a table of rows with their scales."""
    similar = similar_places(names, numbers * scales[:, None])
    rows = map(Row, scales.tolist(), numbers.tolist())
    return table_bytes(dict(zip(names, rows, strict=True)), similar)


def _single(numbers: Any) -> Any:
    return numbers.astype(np.float32)
