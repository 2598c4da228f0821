"""Write the table that ``toolmem.core.search.meaning.word_vectors`` reads."""

import struct
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import NamedTuple

from toolmem.core.search.meaning.word_vectors import MAGIC, ZERO


class Row(NamedTuple):
    """Numbers of a piece from -7 to 7, to be multiplied by a scale up to `MOST_SCALE`;
    a scale of 0 for a piece without a meaning."""

    scale: int
    numbers: Sequence[int]


def sorted_pieces(pieces: set[str]) -> list[str]:
    """Return the pieces in the order of the rows."""
    return sorted(pieces, key=lambda piece: (len(piece), piece))


def table_bytes(
    rows: Mapping[str, Row], similar: Sequence[Sequence[int]] = ()
) -> bytes:
    """Return the file's content, for a row of each ASCII piece.

    ``similar`` has as many rows of other pieces for each of them, in order.
    """
    pieces = sorted_pieces(set(rows))
    counts = [0] * len(pieces[-1])
    for piece in pieces:
        counts[len(piece) - 1] += 1
    many = len(similar[0]) if similar else 0
    head = struct.pack("<III", len(rows[pieces[0]].numbers), len(counts), many)
    counted = struct.pack(f"<{len(counts)}I", *counts)
    texts = "".join(pieces).encode("ascii")
    listed = b"".join(struct.pack(f"<{many}H", *places) for places in similar)
    scales = bytes(rows[piece].scale for piece in pieces)
    numbers = bytes(chain.from_iterable(_halves(rows[piece]) for piece in pieces))
    return b"".join((MAGIC, head, counted, texts, scales, numbers, listed))


def _halves(row: Row) -> Iterator[int]:
    """Yield bytes of two numbers each."""
    raised = [int(number) + ZERO for number in row.numbers]
    for first, second in zip_longest(raised[::2], raised[1::2], fillvalue=ZERO):
        yield first | second << 4
