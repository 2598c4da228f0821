"""The only code that writes to tantivy: its schema, and documents in and out.

The writer's ``with`` form is never used: it commits what a failed body left.
After an error the whole generation is given up.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path

import tantivy

from toolmem.core.search.doc import Doc, read_doc
from toolmem.store.index import codec

TEXTS = ("all", "title", "lead", "context")
LENGTHS = {name: f"{name}_length" for name in TEXTS}
_HEAP_FEW = 15_000_000
_HEAP_MANY = 100_000_000
"""Bytes: tantivy takes no less than the first, and merges less with the second."""
_TERM_BYTES = 4_096
"""Far longer terms would be kept without ever being found again."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class BrokenIndexError(Exception):
    """The index cannot be used and has to be built anew; never leaves the store."""


@contextmanager
def guarded() -> Iterator[None]:
    """Turn whatever tantivy makes of a damaged index into ``BrokenIndexError``.

    A panic in its Rust code is no ``Exception``, and known by name only.
    """
    try:
        yield
    except (ValueError, OSError, KeyError, IndexError, UnicodeError) as error:
        raise BrokenIndexError(str(error)) from error
    except BaseException as error:
        if type(error).__name__ == "PanicException":
            raise BrokenIndexError("tantivy stumbled") from error
        raise


def create(folder: Path) -> tantivy.Index:
    """A new index in an empty folder."""
    build = tantivy.SchemaBuilder()
    for name in ("path", "id", "part", "topic", "tag", "mem_kind"):
        build.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in TEXTS:
        build.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
        build.add_unsigned_field(LENGTHS[name], fast=True)
    build.add_text_field("words", tokenizer_name="whitespace", index_option="basic")
    build.add_integer_field("expires", indexed=True, fast=True)
    build.add_bytes_field("doc", stored=True)
    return tantivy.Index(build.build(), str(folder), reuse=False)


def write(
    index: tantivy.Index,
    changes: Iterable[tuple[str, Iterable[Doc]]],
    *,
    new: bool = False,
) -> None:
    """Put these documents in the place of those of their path, and commit.

    A ``new`` index has none yet. When this returns, the files of the index no
    longer change.
    """
    writer = index.writer(_HEAP_MANY if new else _HEAP_FEW, 1)
    for path, docs in changes:
        if not new:
            writer.delete_documents_by_term("path", raw(path))
        for doc in docs:
            writer.add_document(_document(codec.clean(doc)))
    writer.commit()
    writer.wait_merging_threads()


def raw(text: str) -> str:
    """A term as it is indexed whole: not too long, no lone surrogates."""
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > _TERM_BYTES:
        return "\0-" + blake2b(data).hexdigest()
    try:
        return data.decode()
    except UnicodeDecodeError:
        return "\0" + data.hex()


def unraw(term: str) -> str | None:
    """The text of such a term; none for one too long to be kept."""
    if not term.startswith("\0"):
        return term
    try:
        return bytes.fromhex(term[1:]).decode("utf-8", "surrogatepass")
    except ValueError:
        return None


def micros(moment: datetime) -> int:
    """A time as a whole number of microseconds."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def part(doc: Doc) -> str:
    """The term by which what a reader may see is told from what not."""
    flags = ("p" if doc.private else "") + ("x" if doc.expires_at else "")
    return f"{raw(doc.scope)}\t{doc.kind}\t{flags}"


def _document(doc: Doc) -> tantivy.Document:
    terms, words = read_doc(doc)
    out = tantivy.Document()
    out.add_text("path", raw(doc.path))
    out.add_text("id", raw(doc.id))
    out.add_text("part", part(doc))
    out.add_text("topic", raw(f"={doc.topic}"))
    out.add_text("mem_kind", raw(f"={doc.mem_kind}"))
    for tag in doc.tags:
        out.add_text("tag", raw(tag))
    sizes = terms.lengths
    for name, text, length in (
        ("all", terms.text, sizes.all),
        ("title", terms.title, sizes.title),
        ("lead", terms.lead, sizes.lead),
        ("context", terms.context, sizes.context),
    ):
        out.add_text(name, text)
        out.add_unsigned(LENGTHS[name], int(length))
    out.add_text("words", " ".join(words))
    if doc.expires_at:
        out.add_integer("expires", micros(doc.expires_at))
    out.add_bytes("doc", codec.encode(doc, terms))
    return out
