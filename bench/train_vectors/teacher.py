"""Sentence vectors of MiniLM, cached on disk.

Runs in the training environment only, which has numpy and onnxruntime.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import onnxruntime

from toolmem.store.semantic.embedder import Pieces

DIMENSIONS = 384
_HASH_BYTES = 16
_RECORD = _HASH_BYTES + 2 * DIMENSIONS
TEXT_PIECES = 64
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


class Teacher:
    """The model that the table is distilled from.

    Texts are run one by one and in one thread: 8 bit quantisation is scaled by a whole
    batch, so that one text would change the vector of another.
    """

    def __init__(self, model: Path, words: Pieces) -> None:
        """Load the ``model``."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.graph_optimization_level = (
            onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        )
        self._session = onnxruntime.InferenceSession(
            str(model), options, providers=["CPUExecutionProvider"]
        )
        self._names = {each.name for each in self._session.get_inputs()}
        self._words = words

    def of_text(self, text: str) -> Any:
        """Return the vector of a text, of length 1."""
        return self._vector(self._words.encode(text))

    def of_piece(self, number: int) -> Any:
        """Return the vector of a text of one piece."""
        frame = self._words.encode("")
        return self._vector([frame[0], number, frame[1]])

    def _vector(self, numbers: Sequence[int]) -> Any:
        ids = np.array([numbers], np.int64)
        values = (ids, np.ones_like(ids), np.zeros_like(ids))
        known = zip(_INPUTS, values, strict=True)
        feed = {name: value for name, value in known if name in self._names}
        read = self._session.run(None, feed)[0][0]
        vector = read.mean(axis=0) if read.ndim == 2 else read
        return vector / max(float(np.sqrt(vector @ vector)), 1e-9)


class VectorCache:
    """Vectors in half precision by text, appended to one file; safe to interrupt."""

    dimensions = DIMENSIONS

    def __init__(self, path: Path) -> None:
        """Read the file at ``path``, which may be missing."""
        self._path = path
        self._places: dict[bytes, int] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        whole = path.stat().st_size // _RECORD
        with path.open("r+b") as file:
            file.truncate(whole * _RECORD)
            for place in range(whole):
                file.seek(place * _RECORD)
                self._places[file.read(_HASH_BYTES)] = place

    def __contains__(self, text: str) -> bool:
        return _hash(text) in self._places

    def fill(self, items: Iterable[tuple[str, Any]]) -> None:
        """Append the vectors of new texts, as they come."""
        started = monotonic()
        with self._path.open("ab") as file:
            for count, (text, vector) in enumerate(items, 1):
                self._places[_hash(text)] = len(self._places)
                file.write(_hash(text) + vector.astype("<f2").tobytes())
                if count % 5000 == 0:
                    print(f"{count} vectors, {monotonic() - started:.0f} s", flush=True)

    def rows(self, texts: Sequence[str]) -> Any:
        """Return the vectors of texts, one row each, of length 1."""
        read = np.fromfile(self._path, np.uint8).reshape(-1, _RECORD)
        places = [self._places[_hash(text)] for text in texts]
        chosen = np.ascontiguousarray(read[places, _HASH_BYTES:])
        rows = chosen.view("<f2").astype(np.float32)
        return rows / np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]


def _hash(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=_HASH_BYTES).digest()
