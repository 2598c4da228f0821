"""Compute vectors of texts with a model run by onnxruntime.

Loaded on demand: only a search by meaning imports numpy and onnxruntime.
"""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnxruntime
import tokenizers
from onnxruntime.capi import onnxruntime_pybind11_state
from tokenizers import BertWordPieceTokenizer

from toolmem.core import search_limits
from toolmem.errors import InvalidFileError
from toolmem.store.semantic.model_files import ModelFiles

_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_SHARPEST = 127
"""Largest number in a vector, so that each fits into a byte."""
_REFUSALS: tuple[type[Exception], ...] = tuple(
    error
    for error in vars(onnxruntime_pybind11_state).values()
    if isinstance(error, type) and issubclass(error, Exception)
)
"""Errors of onnxruntime, which have no common base but ``Exception``."""
_UNFIT: tuple[type[Exception], ...] = (
    *_REFUSALS,
    IndexError,
    TypeError,
    AttributeError,
    ValueError,
)
"""Errors that a model for other purposes may cause."""


_CHARS_A_PIECE = 16
"""Characters of a text read for each piece: no text of words has more."""
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


class Pieces:
    """A vocabulary: ``listed`` are its pieces in the order of their numbers."""

    def __init__(self, listed: list[str], most: int) -> None:
        """Take the pieces; a text becomes at most ``most`` numbers."""
        self.listed = listed
        self._most = most
        numbers = {piece: number for number, piece in enumerate(listed)}
        self._tokenizer: Any = BertWordPieceTokenizer(vocab=numbers, lowercase=True)
        self._tokenizer.enable_truncation(most)

    def encode(self, text: str) -> list[int]:
        """Return the numbers of a text, with those of the special pieces."""
        cut = text[: self._most * _CHARS_A_PIECE]
        plain = cut.encode("utf-8", "replace").decode()
        numbers: list[int] = self._tokenizer.encode(plain).ids
        return numbers


def read_pieces(path: Path, most: int) -> Pieces:
    """Return the vocabulary of a ``vocab.txt``, one piece a line.

    Raises ``InvalidFileError`` and ``OSError``.
    """
    try:
        text = path.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise InvalidFileError(str(path), 0, "is not UTF-8 text") from error
    listed = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    if missing := [piece for piece in _SPECIAL if piece not in listed]:
        raise InvalidFileError(str(path), 0, f"has no {', '.join(missing)}")
    return Pieces(listed, most)


class Embedder(NamedTuple):
    """A loaded model; ``stamp`` differs for models with different results."""

    stamp: str
    source: str
    session: Any
    inputs: tuple[str, ...]
    words: Pieces

    def embed(self, texts: Sequence[str]) -> Iterator[bytes]:
        """Yield the vector of each text: one signed byte per dimension, not normalised.

        Each text is run separately and in one thread: 8 bit quantisation is scaled by
        the whole batch, so that one text would change the vector of another. Raises
        ``InvalidFileError`` for a model that does not embed sentences.
        """
        workers = min(os.cpu_count() or 1, len(texts))
        if workers < 2:
            yield from map(self._vector, texts)
            return
        with ThreadPoolExecutor(workers) as pool:
            try:
                yield from pool.map(self._vector, texts)
            finally:
                pool.shutdown(cancel_futures=True)

    def _vector(self, text: str) -> bytes:
        numbers = self.words.encode(text)
        ids = np.array([numbers], dtype=np.int64)
        known = (ids, np.ones_like(ids), np.zeros_like(ids))
        feed = {n: a for n, a in zip(_INPUTS, known, strict=True) if n in self.inputs}
        try:
            read = self.session.run(None, feed)[0][0]
            vector = np.asarray(read.mean(axis=0) if read.ndim == 2 else read)
            largest = float(np.abs(vector).max(initial=0.0))
        except _UNFIT as error:
            reason = f"cannot read a text: {str(error).splitlines()[0]:.200}"
            raise InvalidFileError(self.source, 0, reason) from error
        scale = _SHARPEST / largest if 0.0 < largest < float("inf") else 0.0
        return bytes(np.rint(vector * scale).astype(np.int8).tobytes())


def load(files: ModelFiles) -> Embedder:
    """Return the loaded model; cached while its files are unchanged.

    Raises ``InvalidFileError`` for invalid files.
    """
    try:
        stamps = [path.stat() for path in (files.model, files.vocabulary)]
        return _load(files, *((s.st_size, s.st_mtime_ns) for s in stamps))
    except OSError as error:
        raise InvalidFileError(
            str(error.filename or files.model), 0, f"cannot be read: {error.strerror}"
        ) from error


@lru_cache(maxsize=1)  # a server asks many questions, and loading takes half a second
def _load(files: ModelFiles, *_stamps: tuple[int, int]) -> Embedder:
    with files.model.open("rb") as file:
        model_sum = file_digest(file, "sha256").hexdigest()
    words = read_pieces(files.vocabulary, search_limits.PASSAGE_PIECES)
    vocabulary_sum = _sum_of("".join(f"{piece}\n" for piece in words.listed))
    _require(files.model, model_sum, files.model_sum)
    _require(files.vocabulary, vocabulary_sum, files.vocabulary_sum)
    session = _session(files.model)
    inputs = tuple(node.name for node in session.get_inputs())
    if unknown := sorted(set(inputs).difference(_INPUTS)):
        reason = f"needs an input that toolmem does not support: {unknown[0]}"
        raise InvalidFileError(str(files.model), 0, reason)
    about = (
        onnxruntime.__version__,
        tokenizers.__version__,
        model_sum,
        vocabulary_sum,
        search_limits.PASSAGE_CHARS,
        search_limits.PASSAGE_PIECES,
        search_limits.PASSAGES,
    )
    return Embedder(_sum_of(repr(about)), str(files.model), session, inputs, words)


def _require(path: Path, digest: str, wanted: str) -> None:
    if wanted and digest != wanted:
        raise InvalidFileError(
            str(path),
            0,
            f"not the file that toolmem was measured with (SHA-256 {wanted[:12]}…): "
            "reinstall the package that it is part of",
        )


def _session(path: Path) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # Higher levels optimise for this very processor, without a gain here.
    level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.graph_optimization_level = level
    try:
        return onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
    except _REFUSALS as error:
        reason = f"is not a model: {str(error).splitlines()[0]:.200}"
        raise InvalidFileError(str(path), 0, reason) from error


def _sum_of(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
