"""Encode documents for the index: their fields, words if needed, and vectors.

Fields are separated by NUL; those with words follow one another. The words of most
documents in ASCII are these fields without signs; of others they are stored. The marks
of the terms follow, the vectors of the passages, and `_END`.
"""

import struct
import sys
from array import array
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any

from toolmem.core.search.corpus import CandidateDocument, Place
from toolmem.core.search.doc import Doc, DocumentWords, Lengths, split_opening
from toolmem.core.search.terms import mark_of, plain_words

_LIST = "\x1f"
_END = struct.Struct("<IIIIIIIIHB?")
"""Bytes where the words begin and end; ``head_end``, ``body_end`` and ``lengths`` as in
``DocumentWords``; number of marks; size and number of the vectors; True if the words
are the fields."""
_GONE = "\ufffd"
"""Replacement for the separators in a text."""
_UTF8 = "utf-8", "surrogatepass"
_FIXED = 800
"""Bytes of the objects of a candidate, about."""

_TEXTS = attrgetter(
    *(name for name, kind in Doc.__annotations__.items() if kind is str)
)
_place = lru_cache(maxsize=4096)(Place)


class StoredCandidate(CandidateDocument):
    """A document of the index; ``cost`` is the memory that it may take, in bytes."""

    __slots__ = ("_data", "_layout", "_marks", "cost")

    def __init__(self, data: bytes) -> None:
        """Decode what every question needs."""
        layout = _END.unpack_from(data, len(data) - _END.size)
        fields = data.split(b"\0", 4)
        id_, path, scope, kind = [field.decode(*_UTF8) for field in fields[:4]]
        self._data = data
        self._layout = layout
        self._doc = self._words = None
        self._marks = array("H", data[layout[1] : layout[1] + 2 * layout[7]])
        if sys.byteorder == "big":
            self._marks.byteswap()
        self.key = id_, path
        self.place = _place(scope, kind)
        self.lengths = Lengths(*layout[4:7])
        self.cost = _FIXED + 3 * len(data)

    @property
    def doc(self) -> Doc:
        """The document."""
        if self._doc is None:
            self._doc = decode_doc(self._data)
        return self._doc

    @property
    def words(self) -> DocumentWords:
        """Words of the document."""
        if self._words is None:
            start, end, head_end, body_end = self._layout[:4]
            found, is_plain = self._data[start:end], self._layout[-1]
            text = plain_words(found) if is_plain else found.decode(*_UTF8)
            self._words = DocumentWords(text, head_end, body_end, self.lengths)
        return self._words

    @property
    def marks(self) -> "array[int]":
        """Marks of its terms."""
        return self._marks

    @property
    def vectors(self) -> tuple[bytes, ...]:
        """Vectors of its passages; none if they are computed when needed."""
        data, (size, count) = self._data, self._layout[8:10]
        if not size:
            return ()
        end = len(data) - _END.size
        return tuple(
            [data[at : at + size] for at in range(end - size * count, end, size)]
        )


def encode(
    doc: Doc, words: DocumentWords, terms: Iterable[str], vectors: Sequence[bytes]
) -> bytes:
    """Encode a document, the marks of its terms, and vectors of equal length."""
    before = (
        doc.id,
        doc.path,
        doc.scope,
        doc.kind,
        doc.mem_kind,
        repr(doc.importance),
        _moment(doc.created),
        _moment(doc.updated),
        "private" if doc.private else "",
        doc.agent,
        _moment(doc.expires_at),
        doc.source,
    )
    texts = (
        doc.title,
        _LIST.join(doc.headings),
        doc.body,
        doc.topic,
        _LIST.join(doc.tags),
        doc.context,
    )
    start = "\0".join(before).encode(*_UTF8)
    fields = "\0".join(("", *texts, "")).encode(*_UTF8)
    places = len(start), len(start) + len(fields)
    stored, ends = b"", _plain_ends(doc, words, fields)
    if is_plain := ends is not None:
        numbers = (*places, *ends)
    else:
        stored = words.text.encode(*_UTF8)
        numbers = (places[1], places[1] + len(stored), words.head_end, words.body_end)
    marks = array("H", sorted(set(map(mark_of, terms))))
    counts = len(marks), len(vectors[0]) if vectors else 0, len(vectors)
    end = _END.pack(*numbers, *map(int, words.lengths), *counts, is_plain)
    if sys.byteorder == "big":
        marks.byteswap()
    return b"".join((start, fields, stored, marks.tobytes(), *vectors, end))


def _plain_ends(
    doc: Doc, words: DocumentWords, fields: bytes
) -> tuple[int, int] | None:
    """Return the ends of head and body among the fields, if these are the words.

    They are not with other scripts, with words in camel case, of facts with tags, and
    if the opening ends within a word.
    """
    if not fields.isascii():
        return None
    _, rest = split_opening(doc.body)
    body_end = len(fields) - len(doc.context) - 2
    head_end = body_end - len(_LIST.join(doc.tags)) - len(doc.topic) - 2 - len(rest)
    found = DocumentWords(plain_words(fields), head_end, body_end, words.lengths)
    pairs = (
        (found.head, words.head),
        (found.rest, words.rest),
        (found.context, words.context),
    )
    are_same = all(mine.split() == theirs.split() for mine, theirs in pairs)
    is_apart = " " in found.text[head_end - 1 : head_end + 1]
    return (head_end, body_end) if are_same and is_apart else None


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


def decode_doc(data: bytes) -> Doc:
    """Decode a document alone."""
    start, end, *_, is_plain = _END.unpack_from(data, len(data) - _END.size)
    pieces = data[: end if is_plain else start].decode(*_UTF8).split("\0")
    return Doc(
        id=pieces[0],
        path=pieces[1],
        scope=pieces[2],
        kind=pieces[3],
        title=pieces[12],
        headings=_parts(pieces[13]),
        body=pieces[14],
        context=pieces[17],
        topic=pieces[15],
        tags=_parts(pieces[16]),
        mem_kind=pieces[4],
        importance=float(pieces[5]),
        created=_when(pieces[6]),
        updated=_when(pieces[7]),
        private=bool(pieces[8]),
        agent=pieces[9],
        expires_at=_when(pieces[10]),
        source=pieces[11],
    )


def _parts(text: str) -> tuple[str, ...]:
    return tuple(text.split(_LIST)) if text else ()


def _moment(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""


def _when(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
