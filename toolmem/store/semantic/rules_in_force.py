"""Vectors of rules and facts as they are in force for a reader.

A file may state what another one overrides: its own vector would tell of text that the
reader does not see.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from toolmem.core.search.doc import Doc
from toolmem.store.semantic.embedder import Embedder
from toolmem.store.semantic.vector_file import HASH_BYTES, Table, VectorFile
from toolmem.store.semantic.vectors import hashed_passages
from toolmem.store.vault.documents import OVERRIDABLE


class RulesInForce(NamedTuple):
    """Rules and facts by their texts in force, which their own files may not state.

    ``starts`` are the positions of each document's first vector.
    """

    docs: list[Doc]
    vectors: Any
    starts: Any


def rules_in_force(
    embedder: Embedder, vectors: VectorFile, docs: Iterable[Doc]
) -> RulesInForce:
    """Return these documents with their vectors, those of new texts computed."""
    read = [(doc, found) for doc in docs if (found := hashed_passages(doc))]
    every = [passage for _, passages in read for passage in passages]
    known = _known_rules(vectors)
    texts = {one.hash: one.text for one in every if one.hash not in known}
    known.update(zip(texts, embedder.embed([*texts.values()]), strict=True))
    rows = [known[one.hash] for one in every]
    dimension = len(rows[0]) if rows else 1
    counts = [0, *(len(passages) for _, passages in read)]
    return RulesInForce(
        [doc for doc, _ in read],
        np.frombuffer(b"".join(rows), np.int8).reshape(-1, dimension),
        np.cumsum(counts, dtype=np.int64)[:-1],
    )


def are_overridable(table: Table) -> Any:
    """Return a mask of the stored rules and facts."""
    chosen = np.array([part.kind in OVERRIDABLE for part in table.parts], bool)
    return chosen[table.codes]


def _known_rules(vectors: VectorFile) -> dict[bytes, bytes]:
    """Return the vectors of the passages of rules and facts by hash."""
    table, rows = vectors.table, vectors.vectors
    if table is None:
        return {}
    ends = [*table.starts[1:].tolist(), len(rows)]
    return {
        vectors.hashes[row * HASH_BYTES : (row + 1) * HASH_BYTES]: rows[row].tobytes()
        for at in np.flatnonzero(are_overridable(table)).tolist()
        for row in range(table.starts[at], ends[at])
    }
