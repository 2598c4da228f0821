"""Encode documents for the index: their fields, words if needed, and vectors.

Fields are separated by NUL. Words of ASCII text are split again, which is faster than
reading them; those of other text are stored. The vectors of the passages follow, then
the length and the number of these.
"""

import struct
from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter

from toolmem.core.search.corpus import CandidateDocument
from toolmem.core.search.doc import Doc, DocumentWords, words_of
from toolmem.core.search.terms import SpacedText
from toolmem.hints import Any

_LIST = "\x1f"
_END = struct.Struct("<HB")
_LEAST_VECTOR = 5
"""Bytes of a vector, at least: its scale and a number."""
_GONE = "\ufffd"
"""Replacement for the separators in a text."""

_TEXTS = attrgetter(
    *(name for name, kind in Doc.__annotations__.items() if kind is str)
)


def encode(doc: Doc, words: DocumentWords, vectors: Sequence[bytes]) -> bytes:
    """Encode a document; the vectors are of equal length."""
    pieces = (
        doc.id,
        doc.path,
        doc.scope,
        doc.kind,
        doc.title,
        _LIST.join(doc.headings),
        doc.body,
        doc.context,
        doc.topic,
        _LIST.join(doc.tags),
        doc.mem_kind,
        repr(doc.importance),
        _moment(doc.created),
        _moment(doc.updated),
        "private" if doc.private else "",
        doc.agent,
        _moment(doc.expires_at),
        doc.source,
    )
    text = "\0".join(pieces)
    if not text.isascii():
        text += "\0" + "\0".join(field.text for field in words)
    end = _END.pack(len(vectors[0]) if vectors else 0, len(vectors))
    return b"".join((text.encode("utf-8", "surrogatepass"), *vectors, end))


def clean(doc: Doc) -> Doc:
    """Replace the separators in a document's texts."""
    lists = "".join(doc.headings + doc.tags)
    if "\0" not in "".join(_TEXTS(doc)) + lists and _LIST not in lists:
        return doc
    changes: dict[str, Any] = {
        name: value.replace("\0", _GONE)
        for name, value in doc._asdict().items()
        if isinstance(value, str)
    }
    for name, items in (("headings", doc.headings), ("tags", doc.tags)):
        cleaned = (item.replace("\0", _GONE).replace(_LIST, _GONE) for item in items)
        changes[name] = tuple(filter(None, cleaned))
    return doc._replace(**changes)


def decode(data: bytes) -> CandidateDocument:
    """Decode a document, its words and its vectors.

    Raises ``ValueError``, ``IndexError`` and ``struct.error`` for other data.
    """
    size, count = _END.unpack_from(data, len(data) - _END.size)
    if size < _LEAST_VECTOR and count:
        raise ValueError("has vectors without numbers")
    end = len(data) - _END.size - size * count
    pieces = data[:end].decode("utf-8", "surrogatepass").split("\0")
    doc, texts = _doc(pieces), pieces[18:]
    fields = [SpacedText(text, len(text.split())) for text in texts]
    words = DocumentWords(*fields) if texts else words_of(doc)
    places = range(end, end + size * count, size) if size else ()
    return CandidateDocument(doc, words, tuple(data[at : at + size] for at in places))


def decode_doc(data: bytes) -> Doc:
    """Decode a document alone."""
    size, count = _END.unpack_from(data, len(data) - _END.size)
    end = len(data) - _END.size - size * count
    return _doc(data[:end].decode("utf-8", "surrogatepass").split("\0"))


def _doc(pieces: list[str]) -> Doc:
    return Doc(
        id=pieces[0],
        path=pieces[1],
        scope=pieces[2],
        kind=pieces[3],
        title=pieces[4],
        headings=_parts(pieces[5]),
        body=pieces[6],
        context=pieces[7],
        topic=pieces[8],
        tags=_parts(pieces[9]),
        mem_kind=pieces[10],
        importance=float(pieces[11]),
        created=_when(pieces[12]),
        updated=_when(pieces[13]),
        private=bool(pieces[14]),
        agent=pieces[15],
        expires_at=_when(pieces[16]),
        source=pieces[17],
    )


def _parts(text: str) -> tuple[str, ...]:
    return tuple(text.split(_LIST)) if text else ()


def _moment(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""


def _when(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
