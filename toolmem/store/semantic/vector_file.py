"""The format of the file that vectors are kept in; what is not sound is nothing.

One line (a mark, the checksum of the rest, the size of the header), the header
as JSON, then columns of numbers, little-endian, and the keys.
"""

import json
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from toolmem.store.index.exclusive import replace

_MAGIC = b"toolmem-vectors-1"
HASH_BYTES = 16

Key = tuple[str, str]
"""Id and path of a document, as ``Candidate.key``."""


class VectorGroup(NamedTuple):
    """What says who may see a document, and when; many have the same."""

    scope: str
    kind: str
    private: bool
    topic: str
    mem_kind: str
    tags: tuple[str, ...]


class Table(NamedTuple):
    """The documents that have passages, one entry each, by path and id.

    ``codes`` are places in ``parts``, ``expires`` microseconds since 1970,
    ``starts`` the places of each document's first passage.
    """

    keys: list[Key]
    parts: list[VectorGroup]
    codes: Any
    expires: Any
    starts: Any


class VectorFile(NamedTuple):
    """What the file holds: a hash and a row of signed bytes for each passage.

    ``stamp`` says which model read them, ``content`` (as hexadecimal digits)
    which documents the table lists; without a table the passages are only there
    to be used again.
    """

    stamp: str
    content: str
    hashes: bytes
    vectors: Any
    table: Table | None = None

    def by_hash(self) -> dict[bytes, bytes]:
        """The vector of each passage."""
        size = HASH_BYTES
        return {
            self.hashes[at * size : (at + 1) * size]: bytes(vector.tobytes())
            for at, vector in enumerate(self.vectors)
        }


def write_vectors(path: Path, vectors: VectorFile) -> None:
    """Put it in the place of what is there. Raises ``OSError``."""
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


def read_vectors(path: Path) -> VectorFile | None:
    """What the file holds; None where it is missing, damaged or another's."""
    try:
        data = path.read_bytes()
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
