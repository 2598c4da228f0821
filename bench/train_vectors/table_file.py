"""Write the table that ``toolmem.core.search.meaning.word_vectors`` reads."""

import struct
from collections.abc import Mapping, Sequence

from toolmem.core.search.meaning.word_vectors import MAGIC


def sorted_pieces(pieces: set[str]) -> list[str]:
    """Return the pieces in the order of the rows."""
    return sorted(pieces, key=lambda piece: (len(piece), piece))


def table_bytes(
    rows: Mapping[str, bytes], similar: Sequence[Sequence[int]] = ()
) -> bytes:
    """Return the file's content, for a row of signed bytes for each ASCII piece.

    ``similar`` has as many rows of other pieces for each of them, in order.
    """
    pieces = sorted_pieces(set(rows))
    counts = [0] * len(pieces[-1])
    for piece in pieces:
        counts[len(piece) - 1] += 1
    many = len(similar[0]) if similar else 0
    head = struct.pack("<III", len(rows[pieces[0]]), len(counts), many)
    counted = struct.pack(f"<{len(counts)}I", *counts)
    texts = "".join(pieces).encode("ascii")
    listed = b"".join(struct.pack(f"<{many}H", *places) for places in similar)
    numbers = b"".join(rows[piece] for piece in pieces)
    return b"".join((MAGIC, head, counted, texts, numbers, listed))
