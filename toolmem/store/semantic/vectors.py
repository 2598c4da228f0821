"""The vectors of a vault's passages, brought up to date before they are used.

They are kept in ``.toolmem/index/vectors``, which may go at any time: whatever
is wrong with them, they are made anew. A passage is read again only where its
text is new or the model is another one.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import numpy as np

from toolmem.core import limits
from toolmem.core.search.doc import Doc
from toolmem.core.search.passages import passages_of
from toolmem.errors import InvalidFileError, StorageError
from toolmem.store.index.engine import micros
from toolmem.store.index.exclusive import locked, make_folders
from toolmem.store.semantic.embedder import Embedder
from toolmem.store.semantic.vector_file import (
    HASH_BYTES,
    Table,
    VectorFile,
    VectorGroup,
    read_kept,
    write_kept,
)
from toolmem.store.vault.vault import Progress

_NEVER = (1 << 63) - 1
_DOING = (
    "the vectors of this vault are still being computed: try again, or search "
    "by words only"
)


class Passage(NamedTuple):
    """A text to be read, and what it is known by."""

    hash: bytes
    text: str


class VectorSource(NamedTuple):
    """The documents there are; ``content`` is the same only for the same ones."""

    content: str
    documents: Callable[[], Iterable[Doc]]


def bring_up_to_date(
    state: Path,
    embedder: Embedder,
    wanted: VectorSource,
    progress: Progress | None = None,
    *,
    wait: float = limits.LOCK_SECONDS,
) -> VectorFile:
    """The vectors of these documents, after whatever reading that takes.

    ``state`` is the vault's ``.toolmem``. Raises ``LockedError`` when another
    writer takes longer than ``wait`` seconds, ``StorageError`` when nothing can
    be kept there, ``InvalidFileError`` for a model that is none for sentences.
    """
    folder = state / "index" / "vectors"
    path = folder / "kept"
    if (kept := _current(path, embedder, wanted)) is not None:
        return kept
    try:
        make_folders(state, state / "index", folder)
        with locked(folder / "lock", wait, _DOING):
            kept = _current(path, embedder, wanted)
            return kept or _renewed(path, embedder, wanted, progress)
    except OSError as error:
        raise StorageError(
            f"{folder}: the vectors cannot be stored: {error}"
        ) from error


def _current(path: Path, embedder: Embedder, wanted: VectorSource) -> VectorFile | None:
    kept = read_kept(path)
    fits = kept and kept.stamp == embedder.stamp and kept.content == wanted.content
    return kept if kept and fits and kept.table else None


def _renewed(
    path: Path, embedder: Embedder, wanted: VectorSource, progress: Progress | None
) -> VectorFile:
    docs = sorted(wanted.documents(), key=lambda doc: (doc.path, doc.id))
    read = [(doc, found) for doc in docs if (found := _passages(doc))]
    every = [passage for _, passages in read for passage in passages]
    old = read_kept(path)
    known = old.by_hash() if old and old.stamp == embedder.stamp else {}
    texts = dict(every)
    missing = [Passage(*item) for item in texts.items() if item[0] not in known]
    for done, vector in enumerate(_read(embedder, missing)):
        known[missing[done].hash] = vector
        if progress is not None:
            progress("computing vectors", done + 1, len(missing))
        if _is_milestone(done + 1):
            write_kept(path, _kept(embedder, "", list(known), known))
    order = [passage.hash for passage in every]
    kept = _kept(embedder, wanted.content, order, known)._replace(table=_table(read))
    write_kept(path, kept)
    return kept


def _read(embedder: Embedder, missing: list[Passage]) -> Iterator[bytes]:
    for start in range(0, len(missing), limits.MEANING_STEP):
        step = missing[start : start + limits.MEANING_STEP]
        yield from embedder.embed([passage.text for passage in step])


def _is_milestone(done: int) -> bool:
    """Whether to write down what was read: seldom enough to be no work itself."""
    steps, rest = divmod(done, limits.MEANING_STEP)
    return not rest and (steps < 8 or not steps % (1 << (steps.bit_length() - 3)))


def _passages(doc: Doc) -> list[Passage]:
    return [
        Passage(_hash(text.encode("utf-8", "surrogatepass")), text)
        for text in passages_of(doc)
    ]


def _hash(data: bytes) -> bytes:
    return blake2b(data, digest_size=HASH_BYTES).digest()


def _kept(
    embedder: Embedder, content: str, order: list[bytes], known: dict[bytes, bytes]
) -> VectorFile:
    rows = [known[one] for one in order]
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
