"""Write the table that ``toolmem.core.search.meaning.word_vectors`` reads."""

import struct
from collections.abc import Mapping

from toolmem.core.search.meaning.word_vectors import MAGIC


def sorted_pieces(pieces: set[str]) -> list[str]:
    """Return the pieces in the order of the rows."""
    return sorted(pieces, key=lambda piece: (len(piece), piece))


def table_bytes(rows: Mapping[str, bytes]) -> bytes:
    """Return the file's content, for a row of signed bytes for each ASCII piece."""
    pieces = sorted_pieces(set(rows))
    counts = [0] * len(pieces[-1])
    for piece in pieces:
        counts[len(piece) - 1] += 1
    head = struct.pack("<II", len(rows[pieces[0]]), len(counts))
    counted = struct.pack(f"<{len(counts)}I", *counts)
    texts = "".join(pieces).encode("ascii")
    return b"".join((MAGIC, head, counted, texts, *(rows[piece] for piece in pieces)))
