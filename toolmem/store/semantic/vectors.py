"""Vectors of a vault's passages, updated before use.

They are a cache in ``.toolmem/index/vectors``, which may be deleted at any time. A
passage is embedded again only if its text is new or the model changed.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import numpy as np

from toolmem.core import limits, search_limits
from toolmem.core.search.doc import Doc
from toolmem.core.search.meaning.passages import passages_of
from toolmem.errors import InvalidFileError, StorageError
from toolmem.store.index.engine import micros
from toolmem.store.index.exclusive import locked, make_folders
from toolmem.store.semantic.embedder import Embedder
from toolmem.store.semantic.vector_file import (
    HASH_BYTES,
    Table,
    VectorFile,
    VectorGroup,
    read_vectors,
    stored_content,
    write_vectors,
)
from toolmem.store.vault.vault import Progress

_NEVER = (1 << 63) - 1
_DOING = "computing the vectors of this vault: try again, or search without the model"


class Passage(NamedTuple):
    """A text to embed, and its hash."""

    hash: bytes
    text: str


class VectorSource(NamedTuple):
    """Documents to embed; ``content`` is a digest of them."""

    content: str
    documents: Callable[[], Iterable[Doc]]


def are_computed(state: Path, content: str) -> bool:
    """Return True if there are vectors of these documents, by any model."""
    return stored_content(_file(state)) == content


def current_vectors(
    state: Path, embedder: Embedder, wanted: VectorSource
) -> VectorFile | None:
    """Return the vectors of these documents; None if they are not up to date."""
    stored = read_vectors(_file(state))
    fits = (
        stored and stored.stamp == embedder.stamp and stored.content == wanted.content
    )
    return stored if stored and fits and stored.table else None


def bring_up_to_date(
    state: Path,
    embedder: Embedder,
    wanted: VectorSource,
    progress: Progress | None = None,
    *,
    wait: float = limits.LOCK_SECONDS,
) -> VectorFile:
    """Return the vectors of these documents, embedding new passages.

    ``state`` is the vault's ``.toolmem``. Raises ``LockedError`` if another writer
    takes longer than ``wait`` seconds, ``StorageError`` if nothing can be written
    there, ``InvalidFileError`` for a model that does not embed sentences.
    """
    path = _file(state)
    folder = path.parent
    if (current := current_vectors(state, embedder, wanted)) is not None:
        return current
    try:
        make_folders(state, state / "index", folder)
        with locked(folder / "lock", wait, _DOING):
            current = current_vectors(state, embedder, wanted)
            return current or _renewed(path, embedder, wanted, progress)
    except OSError as error:
        raise StorageError(
            f"{folder}: the vectors cannot be stored: {error}"
        ) from error


def _file(state: Path) -> Path:
    return state / "index" / "vectors" / "kept"


def _renewed(
    path: Path, embedder: Embedder, wanted: VectorSource, progress: Progress | None
) -> VectorFile:
    docs = sorted(wanted.documents(), key=lambda doc: (doc.path, doc.id))
    read = [(doc, hashed) for doc in docs if (hashed := hashed_passages(doc))]
    every = [passage for _, passages in read for passage in passages]
    old = read_vectors(path)
    known = old.by_hash() if old and old.stamp == embedder.stamp else {}
    texts = dict(every)
    missing = [Passage(*item) for item in texts.items() if item[0] not in known]
    for done, vector in enumerate(_read(embedder, missing)):
        known[missing[done].hash] = vector
        if progress is not None:
            progress("computing vectors", done + 1, len(missing))
        if _is_milestone(done + 1):
            write_vectors(path, _vectors(embedder, "", list(known), known))
    order = [passage.hash for passage in every]
    renewed = _vectors(embedder, wanted.content, order, known)._replace(
        table=_table(read)
    )
    write_vectors(path, renewed)
    return renewed


def _read(embedder: Embedder, missing: list[Passage]) -> Iterator[bytes]:
    for start in range(0, len(missing), search_limits.MEANING_STEP):
        step = missing[start : start + search_limits.MEANING_STEP]
        yield from embedder.embed([passage.text for passage in step])


def _is_milestone(done: int) -> bool:
    """Return True when results should be written: rarely enough to cost little."""
    steps, rest = divmod(done, search_limits.MEANING_STEP)
    return not rest and (steps < 8 or not steps % (1 << (steps.bit_length() - 3)))


def hashed_passages(doc: Doc) -> list[Passage]:
    """Return the passages of a document."""
    return [
        Passage(_hash(text.encode("utf-8", "surrogatepass")), text)
        for text in passages_of(doc)
    ]


def _hash(data: bytes) -> bytes:
    return blake2b(data, digest_size=HASH_BYTES).digest()


def _vectors(
    embedder: Embedder, content: str, order: list[bytes], known: dict[bytes, bytes]
) -> VectorFile:
    rows = [known[digest] for digest in order]
    dimension = len(rows[0]) if rows else 1
    if any(len(row) != dimension for row in rows):
        reason = "returns vectors of unequal length: it is not a model for sentences"
        raise InvalidFileError(embedder.source, 0, reason)
    vectors = np.frombuffer(b"".join(rows), np.int8).reshape(-1, dimension)
    return VectorFile(embedder.stamp, content, b"".join(order), vectors)


def _table(read: list[tuple[Doc, list[Passage]]]) -> Table:
    codes: dict[VectorGroup, int] = {}
    for doc, _ in read:
        codes.setdefault(_part(doc), len(codes))
    counts = [0, *(len(passages) for _, passages in read)]
    return Table(
        [(doc.id, doc.path) for doc, _ in read],
        list(codes),
        np.array([codes[_part(doc)] for doc, _ in read], np.int32),
        np.array([_expires(doc) for doc, _ in read], np.int64),
        np.cumsum(counts, dtype=np.int64)[:-1],
    )


def _part(doc: Doc) -> VectorGroup:
    return VectorGroup(
        doc.scope, doc.kind, doc.private, doc.topic, doc.mem_kind, doc.tags
    )


def _expires(doc: Doc) -> int:
    return micros(doc.expires_at) if doc.expires_at else _NEVER
