"""Format of the file of vectors; an invalid file counts as missing.

One line (a mark, the checksum of the rest, the size of the header), the header as JSON,
then columns of numbers, little-endian, and the keys.
"""

import json
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from toolmem.store.index.exclusive import opened, replace

_MAGIC = b"toolmem-vectors-1"
HASH_BYTES = 16
_FIRST_LINE = 64

Key = tuple[str, str]
"""Id and path of a document, as ``CandidateDocument.key``."""


class VectorGroup(NamedTuple):
    """Attributes that decide who sees a document; many documents share them."""

    scope: str
    kind: str
    private: bool
    topic: str
    mem_kind: str
    tags: tuple[str, ...]


class Table(NamedTuple):
    """Documents that have passages, one entry each, by path and id.

    ``codes`` are positions in ``parts``, ``expires`` microseconds since 1970,
    ``starts`` the positions of each document's first passage.
    """

    keys: list[Key]
    parts: list[VectorGroup]
    codes: Any
    expires: Any
    starts: Any


class VectorFile(NamedTuple):
    """Content of the file: a hash and a row of signed bytes for each passage.

    ``stamp`` identifies the model, ``content`` (hexadecimal digits) the documents in
    the table; without a table the passages are only there for reuse.
    """

    stamp: str
    content: str
    hashes: bytes
    vectors: Any
    table: Table | None = None

    def by_hash(self) -> dict[bytes, bytes]:
        """Return the vector of each passage."""
        size = HASH_BYTES
        return {
            self.hashes[at * size : (at + 1) * size]: bytes(vector.tobytes())
            for at, vector in enumerate(self.vectors)
        }


def write_vectors(path: Path, vectors: VectorFile) -> None:
    """Replace the file. Raises ``OSError``."""
    columns = [vectors.hashes, np.ascontiguousarray(vectors.vectors, np.int8).tobytes()]
    parts: list[VectorGroup] = []
    if vectors.table is not None:
        parts = vectors.table.parts
        keys = "\0".join(chain.from_iterable(vectors.table.keys))
        columns += [
            vectors.table.codes.astype("<i4").tobytes(),
            vectors.table.expires.astype("<i8").tobytes(),
            vectors.table.starts.astype("<i8").tobytes(),
            keys.encode("utf-8", "surrogatepass"),
        ]
    header = json.dumps(
        {
            "stamp": vectors.stamp,
            "content": vectors.content,
            "dimension": int(vectors.vectors.shape[1]),
            "sizes": [len(column) for column in columns],
            "parts": parts,
        }
    ).encode()
    checksum = 0
    for piece in (header, *columns):
        checksum = crc32(piece, checksum)
    first = b"%s %08x %d\n" % (_MAGIC, checksum, len(header))
    replace(path, first, header, *columns)


def stored_content(path: Path) -> str | None:
    """Return the content of a file without reading its vectors, unchecked.

    None if there is no such file, or if it has no table.
    """
    try:
        with opened(path) as file:
            magic, _, length = file.readline(_FIRST_LINE).split(b" ")
            size = min(int(length), path.stat().st_size)
            header = json.loads(file.read(size)) if magic == _MAGIC else {}
        return str(header["content"]) or None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def read_vectors(path: Path) -> VectorFile | None:
    """Return the content; None if the file is missing, damaged or of another format."""
    try:
        with opened(path) as file:
            data = file.read()
    except OSError:
        return None
    first, _, body = data.partition(b"\n")
    words = first.split(b" ")
    if len(words) != 3 or words[0] != _MAGIC or words[1] != b"%08x" % crc32(body):
        return None
    try:
        return _vectors(body, int(words[2]))
    except (ValueError, KeyError, TypeError, IndexError):
        return None


def _vectors(body: bytes, size: int) -> VectorFile:
    header = json.loads(body[:size])
    ends = np.cumsum([size, *header["sizes"]]).tolist()
    columns = [body[start:end] for start, end in pairwise(ends)]
    vectors = np.frombuffer(columns[1], np.int8).reshape(-1, header["dimension"])
    if ends[-1] != len(body) or len(columns[0]) != HASH_BYTES * len(vectors):
        raise ValueError("columns of unequal length")
    table = _table(header["parts"], columns[2:]) if len(columns) > 2 else None
    return VectorFile(header["stamp"], header["content"], columns[0], vectors, table)


def _table(parts: list[Any], columns: list[bytes]) -> Table:
    codes, expires, starts = (
        np.frombuffer(column, kind)
        for column, kind in zip(columns, ("<i4", "<i8", "<i8"), strict=False)
    )
    words = columns[3].decode("utf-8", "surrogatepass").split("\0")
    keys = list(zip(words[::2], words[1::2], strict=True)) if columns[3] else []
    if not len(keys) == len(codes) == len(expires) == len(starts):
        raise ValueError("columns of unequal length")
    return Table(
        keys,
        [VectorGroup(s, k, p, t, m, tuple(tags)) for s, k, p, t, m, tags in parts],
        codes,
        expires,
        starts,
    )
