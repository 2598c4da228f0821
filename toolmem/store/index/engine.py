"""Write to tantivy: its schema, and documents in and out.

The writer's ``with`` form is never used: it commits even after an exception. After an
error the whole generation is discarded.
"""

import gc
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import chain
from pathlib import Path
from zlib import crc32

import tantivy

from toolmem.core.language.language import Language
from toolmem.core.search.doc import Doc, DocumentWords, Lengths, name_key, words_of
from toolmem.core.search.filters import changed_at
from toolmem.core.text.terms import normal_topic
from toolmem.errors import StorageError
from toolmem.store.index import codec

TEXTS = Lengths._fields
LENGTHS = {name: f"{name}_length" for name in TEXTS}
_TERMS = "whitespace"
_HEAP_FEW = 15_000_000
_HEAP_MANY = 100_000_000
"""Bytes: the minimum of tantivy, and a value with fewer merges."""
_BATCH = 1_000
"""Documents passed at a time: with single ones, tantivy's thread spends more time
waiting than working."""
_STEP = 100
"""Documents that go through each step together: with a table of vectors and one of
stems in turn, neither stays in the processor's cache."""
_TERM_BYTES = 4_096
"""Maximum length of terms: far longer ones would be stored without being found."""
VectorsOf = Callable[[Sequence[Doc]], Sequence[tuple[bytes, ...]]]
"""The vectors of each document's passages; none if they are computed when needed."""
DAMAGE = (ValueError, OSError, KeyError, IndexError, TypeError, struct.error)
_REFUSED = {
    "ReadOnlyFilesystem": "the file system is read-only",
    "PermissionDenied": "it may not be written",
}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // timedelta(microseconds=1)


class BrokenIndexError(Exception):
    """The index is unusable and must be rebuilt; handled inside the store."""


class MovedIndexError(BrokenIndexError):
    """The index was copied with its vault, or removed: no one needs to hear of it."""


class EngineGuard:
    """Turn any error of tantivy on a damaged index into ``BrokenIndexError``.

    If it may not write, not even its lock file, that is a ``StorageError``. A panic in
    its Rust code is not an ``Exception``, and recognised by name only.
    """

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: object
    ) -> None:
        if kind is None or issubclass(kind, BrokenIndexError):
            return
        if issubclass(kind, DAMAGE) or kind.__name__ == "PanicException":
            for name, reason in _REFUSED.items():
                if name in str(error):
                    raise StorageError(reason) from error
            raise BrokenIndexError(str(error)) from error


def create(folder: Path) -> tantivy.Index:
    """Create an index in an empty folder."""
    build = tantivy.SchemaBuilder()
    for name in ("path", "part", "label"):
        build.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in TEXTS:
        build.add_text_field(name, tokenizer_name=_TERMS, index_option="freq")
        build.add_unsigned_field(LENGTHS[name], fast=True)
    build.add_integer_field("expires", indexed=True, fast=True)
    build.add_integer_field("changed", indexed=True, fast=True)
    build.add_float_field("importance", indexed=True, fast=True)
    build.add_bytes_field("doc", stored=True)
    tantivy.Index(build.build(), str(folder), reuse=False)
    return open_index(folder)


def open_index(folder: Path) -> tantivy.Index:
    """Open the index in a folder."""
    return _quiet(tantivy.Index.open(str(folder)))


def _quiet(index: tantivy.Index) -> tantivy.Index:
    """Disable the thread that loads each new commit.

    If a file is truncated, it would crash the process with a bus error.
    """
    index.config_reader("manual")
    return index


def write(
    index: tantivy.Index,
    changes: Iterable[tuple[str, Iterable[Doc]]],
    language: Language,
    vectors_of: VectorsOf,
    *,
    new: bool = False,
) -> None:
    """Replace the documents of these paths, and commit.

    A ``new`` index has none yet. When this returns, the files of the index no longer
    change.
    """
    writer = index.writer(_HEAP_MANY if new else _HEAP_FEW, 1)
    read: list[Doc] = []
    made: list[tantivy.Document] = []
    with _without_gc():
        for path, docs in changes:
            if not new:
                writer.delete_documents_by_term("path", raw(path))
            read += docs
            if len(read) >= _STEP or not new:
                made += _documents(read, language, vectors_of)
                read.clear()
            if len(made) >= _BATCH or not new:
                _add(writer, made)
        made += _documents(read, language, vectors_of)
    _add(writer, made)
    writer.commit()
    writer.wait_merging_threads()


@contextmanager
def _without_gc() -> Iterator[None]:
    """Disable garbage collection, which takes a tenth of the time and finds nothing."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _add(writer: tantivy.IndexWriter, made: list[tantivy.Document]) -> None:
    for document in made:
        writer.add_document(document)
    made.clear()


@lru_cache(maxsize=4096)
def topic(name: str) -> str:
    """Return the term of a topic; the empty one means no topic."""
    return raw(f"topic\t{normal_topic(name)}")


@lru_cache(maxsize=4096)
def tag(name: str) -> str:
    """Return the term of a tag."""
    return raw(f"tag\t{normal_topic(name) or name}")


@lru_cache(maxsize=4096)
def mem_kind(name: str) -> str:
    """Return the term of a kind of memory."""
    return raw(f"kind\t{name}")


@lru_cache(maxsize=4096)
def source(name: str) -> str:
    """Return the term of a source."""
    return raw(f"source\t{name}")


def shown_id(text: str) -> str:
    """Return the term of an id as it is shown."""
    return raw(f"id\t{text}")


def name(key: str) -> str:
    """Return the term of a name, given as ``name_key``."""
    return raw(f"name\t{key}")


def noted_by(agent: str) -> str:
    """Return the term of an agent's documents; for the empty one, of any agent's."""
    return raw(f"agent\t{agent}")


def raw(text: str) -> str:
    """Return a term that is indexed whole: not too long, no lone surrogates."""
    if len(text) <= _TERM_BYTES and text.isascii():
        return text
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > _TERM_BYTES:
        return f"\0-{len(data)}-{crc32(data)}-{data[:_TERM_BYTES].hex()}"
    try:
        return data.decode()
    except UnicodeDecodeError:
        return "\0" + data.hex()


def unraw(term: str) -> str | None:
    """Return the text of such a term; None for one that was too long."""
    if not term.startswith("\0"):
        return term
    try:
        return bytes.fromhex(term[1:]).decode("utf-8", "surrogatepass")
    except ValueError:
        return None


def micros(moment: datetime) -> int:
    """Return a time as a whole number of microseconds."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def moment(count: float) -> datetime:
    """Return the time of a number of microseconds, which may be rounded."""
    return _EPOCH + timedelta(microseconds=min(int(count), _LAST))


def part(doc: Doc) -> str:
    """Return the term of a document that visibility depends on."""
    flags = ("p" if doc.private else "") + ("x" if doc.expires_at else "")
    return f"{raw(doc.scope)}\t{doc.kind}\t{flags}"


def _documents(
    docs: Iterable[Doc], language: Language, vectors_of: VectorsOf
) -> list[tantivy.Document]:
    """Do each step for all documents before the next one (see `_STEP`)."""
    cleaned = list(map(codec.clean, docs))
    vectors = vectors_of(cleaned)
    words = list(map(words_of, cleaned))
    stems = [_stems(each, language) for each in words]
    marks = list(map(codec.marks_of, map(chain.from_iterable, stems)))
    encoded = list(map(codec.encode, cleaned, words, marks, vectors))
    return list(map(_document, cleaned, words, stems, encoded))


def _stems(words: DocumentWords, language: Language) -> tuple[list[str], ...]:
    """Return the terms of the head, the rest and the context."""
    fields = words.head, words.rest, words.context
    return tuple([language.stems(field.split()) for field in fields])


def _document(
    doc: Doc, words: DocumentWords, stems: Sequence[list[str]], encoded: bytes
) -> tantivy.Document:
    out = tantivy.Document()
    out.add_text("path", raw(doc.path))
    out.add_text("part", part(doc))
    out.add_text("label", topic(doc.topic))
    for each in doc.tags:
        out.add_text("label", tag(each))
    out.add_text("label", mem_kind(doc.mem_kind))
    out.add_text("label", name(name_key(doc.name)))
    if doc.has_id:
        out.add_text("label", shown_id(doc.id_shown))
    every, head, context = map(int, words.lengths)
    out.add_text("all", " ".join(stems[0] + stems[1]))
    out.add_unsigned(LENGTHS["all"], every)
    if head:
        out.add_text("head", " ".join(stems[0]))
        out.add_unsigned(LENGTHS["head"], head)
    if context:
        out.add_text("context", " ".join(stems[2]))
        out.add_unsigned(LENGTHS["context"], context)
    if doc.expires_at:
        out.add_integer("expires", micros(doc.expires_at))
    _add_sieved(out, doc)
    out.add_bytes("doc", encoded)
    return out


def _add_sieved(out: tantivy.Document, doc: Doc) -> None:
    """Add the fields that filters use, besides tags and kinds."""
    if doc.source:
        out.add_text("label", source(doc.source))
    if doc.agent:
        out.add_text("label", noted_by(""))
        out.add_text("label", noted_by(doc.agent))
    changed = changed_at(doc)
    if changed is not None:
        out.add_integer("changed", micros(changed))
    out.add_float("importance", doc.importance)
