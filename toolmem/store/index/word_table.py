"""Open the table of word vectors that comes with the package, and use it for the index.

``python -m bench.train_vectors`` writes it; its origin and licences are in
``word_vectors.md`` next to it.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from zlib import crc32

from toolmem.core.language.language import ENGLISH, Language
from toolmem.core.search.doc import Doc
from toolmem.core.search.meaning import word_similarity, word_vectors
from toolmem.errors import InvalidFileError

FILE = Path(__file__).with_name("word_vectors.bin")
SIZE = 3_076_511
CHECKSUM = 1_029_644_210
"""CRC-32: the file is ours, so that damage must be found and forgery need not be."""
_NEXT = "reinstall toolmem"
_REPLACED = frozenset({"rule", "fact"})
"""Kinds of documents that are searched as they are in force, not as in the index."""


@cache
def open_table() -> "word_vectors.WordVectors":
    """Return the table, mapped into memory once for the process.

    Raises ``InvalidFileError`` if the file is missing or damaged.
    """
    return read_table(FILE)


def table_for(language: Language) -> "word_vectors.WordVectors | None":
    """Return the table for texts in a language; None if it lacks the words.

    They are English. Raises ``InvalidFileError`` as `open_table`.
    """
    return open_table() if language == ENGLISH else None


def read_table(path: Path) -> "word_vectors.WordVectors":
    """Map the file at ``path``, which must be the one of this version."""
    import mmap  # every index is opened with the checksum, few with the table

    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:  # an empty file cannot be mapped
        reason = getattr(error, "strerror", None) or "is empty"
        raise InvalidFileError(str(path), 0, f"{reason}: {_NEXT}") from error
    if len(data) != SIZE or crc32(data) != CHECKSUM:
        raise InvalidFileError(str(path), 0, f"not the file of this version: {_NEXT}")
    return word_vectors.WordVectors(data)


def no_vectors(docs: Sequence[Doc]) -> list[tuple[bytes, ...]]:
    """Store none: a search computes those that it needs."""
    return [()] * len(docs)


class PassageVectors:
    """Vectors by the table of word vectors, opened with the first document.

    Without the table, documents are stored without vectors.
    """

    def __init__(self) -> None:
        self._is_there = True

    def __call__(self, docs: Sequence[Doc]) -> list[tuple[bytes, ...]]:
        """Return the vectors of each document's passages."""
        searched = [doc for doc in docs if doc.kind not in _REPLACED]
        if not self._is_there or not searched:
            return no_vectors(docs)
        try:
            table = open_table()
        except InvalidFileError:
            self._is_there = False
            return no_vectors(docs)
        vectors = iter(word_similarity.vectors_of_all(table, searched))
        return [() if doc.kind in _REPLACED else next(vectors) for doc in docs]
