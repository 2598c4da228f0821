"""Ridge regression from counts of pieces to sentence vectors.

Runs in the training environment only, which has numpy and scipy. One thread, a fixed
order of everything: the same input gives the same bytes on the same kind of machine.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from toolmem.core.search.meaning.word_vectors import MOST_SCALE, WordVectors

RIDGE = 1.0
_STEPS = 25
_COMMON = 1e-3
"""Probability of a piece above which it counts for less (Arora et al., 2017)."""
_CLIPPED = 0.999
"""Quantile of the rows whose largest number still fits."""
_MOST = 7
"""Largest number of a row, before it is multiplied by the row's scale."""
_KEPT = 0.85
"""Share of the largest number of a row that is not cut off, so that the others are
finer."""


def counts_of(texts: Sequence[Sequence[str]], draft: WordVectors, columns: int) -> Any:
    """Return a sparse matrix: sqrt of the count of each piece, scaled by length.

    ``draft`` is a table with the same pieces, and zeros for function words.
    """
    data: list[int] = []
    places: list[int] = []
    starts = [0]
    for words in texts:
        found = [place for word in words for place in draft.places(word)]
        places += found
        data += [1] * len(found)
        starts.append(len(places))
    shape = (len(texts), columns)
    matrix = sp.csr_matrix((data, places, starts), shape=shape, dtype=np.float32)
    matrix.sum_duplicates()
    matrix.data = np.sqrt(matrix.data)
    lengths = np.asarray(matrix.sum(axis=1)).ravel()
    scales = 1 / np.sqrt(np.maximum(lengths, 1))
    return (sp.diags(scales) @ matrix).tocsr().astype(np.float32)


def main_directions(vectors: Any, dimensions: int) -> Any:
    """Return the directions with the most of the vectors, one column each."""
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    chosen = directions[:, ::-1][:, :dimensions]
    largest = chosen[np.abs(chosen).argmax(axis=0), range(dimensions)]
    return chosen * np.sign(largest)


def evened(directions: Any, vectors: Any) -> Any:
    """Return the directions, shorter where the vectors are long.

    The longest ones are what any text has in common with others: those count for less.
    """
    lengths = np.sqrt(((vectors @ directions) ** 2).mean(axis=0))
    return directions / np.sqrt(np.sqrt(lengths))


def shares(ranks: Any, of: int) -> Any:
    """Return a weight of each piece by its rank among ``of``, as Zipf's law has it."""
    total = float((1 / np.arange(1, of + 1)).sum())
    probability = 1 / (ranks + 1) / total
    return _COMMON / (_COMMON + probability)


def ridge(counts: Any, targets: Any, start: Any) -> Any:
    """Return W that minimises |counts W - targets|² + RIDGE |W - start|².

    By conjugate gradients, each target by itself.
    """
    across = counts.T.tocsr()
    gradient = across @ (targets - counts @ start)
    change = np.zeros_like(gradient)
    direction = gradient.copy()
    size = (gradient * gradient).sum(axis=0)
    for _ in range(_STEPS):
        image = across @ (counts @ direction) + RIDGE * direction
        step = size / np.maximum((direction * image).sum(axis=0), 1e-12)
        change += step * direction
        gradient -= step * image
        smaller = (gradient * gradient).sum(axis=0)
        direction = gradient + smaller / np.maximum(size, 1e-20) * direction
        size = smaller
    return start + change


def quantised(rows: Any) -> tuple[Any, Any]:
    """Return the scale of each row, an integer, and its numbers in half a byte."""
    most = np.abs(rows).max(axis=1)
    limit = np.quantile(most[most > 0], _CLIPPED)
    unit = limit / _MOST / MOST_SCALE
    scales = np.clip(np.rint(_KEPT * most / unit / _MOST), 1, MOST_SCALE)
    numbers = np.clip(np.rint(rows / unit / scales[:, None]), -_MOST, _MOST)
    return np.where(most > 0, scales, 0).astype(np.int8), numbers.astype(np.int8)
