"""Encode documents for the index: their fields, words if needed, and vectors.

Fields are separated by NUL; those with words follow one another. The words of most
documents in ASCII are these fields without signs; of others they are stored. The marks
of the terms follow, the vectors of the passages, and `_END`.
"""

import struct
from codecs import utf_16_le_decode
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from toolmem.core.search.corpus import Place
from toolmem.core.search.doc import Doc, DocumentWords, Lengths, split_opening
from toolmem.core.text.terms import has_humps, mark_of, plain_words

_LIST = "\x1f"
_END = struct.Struct("<IIIIIIIIHB?")
"""Bytes where the words begin and end; ``head_end``, ``body_end`` and ``lengths`` as in
``DocumentWords``; number of marks; size and number of the vectors; True if the words
are the fields."""
_GONE = "\ufffd"
"""Replacement for the separators in a text."""
_UTF8 = "utf-8", "surrogatepass"
_LEAST_VECTOR = 5
"""Bytes of a vector, at least: its scale and a number."""

_REMEMBERED = 50_000
"""Terms whose marks are kept at a time."""
_TEXTS = attrgetter(
    *(name for name, kind in Doc.__annotations__.items() if kind is str)
)


class _Marks(dict[str, str]):
    """Term → its mark, computed at first use."""

    def __missing__(self, term: str) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        mark = self[term] = mark_of(term)
        return mark


_mark_of = _Marks().__getitem__


class EncodedLayout(NamedTuple):
    """Where the parts of an encoded document are, as `_END` has it."""

    start: int
    end: int
    head_end: int
    body_end: int
    every: int
    head: int
    context: int
    marks: int
    size: int
    vectors: int
    is_plain: bool

    @property
    def lengths(self) -> Lengths:
        """Number of words by field."""
        return Lengths(self.every, self.head, self.context)


def layout_of(data: bytes) -> EncodedLayout:
    """Return the layout of a document.

    Raises ``ValueError`` or ``struct.error`` for other data.
    """
    layout = EncodedLayout(*_END.unpack_from(data, len(data) - _END.size))
    after = 2 * layout.marks + layout.size * layout.vectors + _END.size
    if layout.start > layout.end or layout.end + after != len(data):
        raise ValueError("is not as long as its end says")
    if layout.size < _LEAST_VECTOR and layout.vectors:
        raise ValueError("has vectors without numbers")
    return layout


def decode_place(data: bytes) -> tuple[str, str, Place]:
    """Decode the id, the path and the place; raises ``ValueError``."""
    id_, path, scope, kind, _ = data.split(b"\0", 4)
    return id_.decode(*_UTF8), path.decode(*_UTF8), _place(scope, kind)


@lru_cache(maxsize=4096)
def _place(scope: bytes, kind: bytes) -> Place:
    return Place(scope.decode(*_UTF8), kind.decode(*_UTF8))


def decode_words(data: bytes, layout: EncodedLayout) -> DocumentWords:
    """Decode the words; raises ``ValueError``."""
    packed = data[layout.start : layout.end]
    text = plain_words(packed) if layout.is_plain else packed.decode(*_UTF8)
    if not text.endswith(" "):
        raise ValueError("has words without an end")
    return DocumentWords(text, layout.head_end, layout.body_end, layout.lengths)


def decode_marks(data: bytes, layout: EncodedLayout) -> str:
    """Decode the marks; raises ``ValueError``."""
    marks = data[layout.end : layout.end + 2 * layout.marks]
    # Faster by itself than by its name.
    return utf_16_le_decode(marks, "strict", True)[0]


def decode_vectors(data: bytes, layout: EncodedLayout) -> tuple[bytes, ...]:
    """Decode the vectors; none if they are computed when needed."""
    size, start = layout.size, layout.end + 2 * layout.marks
    places = range(start, start + size * layout.vectors, size) if size else ()
    return tuple([data[at : at + size] for at in places])


def marks_of(terms: Iterable[str]) -> bytes:
    """Encode the marks of the terms, each once."""
    return "".join(dict.fromkeys(map(_mark_of, terms))).encode("utf-16-le")


def encode(
    doc: Doc, words: DocumentWords, marks: bytes, vectors: Sequence[bytes]
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
        _LIST.join(doc.supersedes),
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
    stored, ends = b"", _plain_ends(doc, fields)
    if is_plain := ends is not None:
        numbers = (*places, *ends)
    else:
        stored = words.text.encode(*_UTF8)
        numbers = (places[1], places[1] + len(stored), words.head_end, words.body_end)
    counts = len(marks) // 2, len(vectors[0]) if vectors else 0, len(vectors)
    end = _END.pack(*numbers, *map(int, words.lengths), *counts, is_plain)
    return b"".join((start, fields, stored, marks, *vectors, end))


def _plain_ends(doc: Doc, fields: bytes) -> tuple[int, int] | None:
    """Return the ends of head and body among the fields, if these are the words.

    They are not with other scripts, with words in camel case, of facts with tags, and
    if the opening ends within a word.
    """
    has_other_tags = doc.kind == "fact" and doc.tags
    if not fields.isascii() or has_other_tags or has_humps(fields):
        return None
    _, rest = split_opening(doc.body)
    body_end = len(fields) - len(doc.context) - 2
    head_end = body_end - len(_LIST.join(doc.tags)) - len(doc.topic) - 2 - len(rest)
    is_apart = not fields[head_end - 1 : head_end + 1].isalnum()
    return (head_end, body_end) if is_apart else None


def clean(doc: Doc) -> Doc:
    """Replace the separators in a document's texts."""
    lists = "".join(doc.headings + doc.tags + doc.supersedes)
    if "\0" not in "".join(_TEXTS(doc)) + lists and _LIST not in lists:
        return doc
    changes: dict[str, Any] = {
        name: value.replace("\0", _GONE)
        for name, value in doc._asdict().items()
        if isinstance(value, str)
    }
    for name in ("headings", "tags", "supersedes"):
        items = getattr(doc, name)
        cleaned = (item.replace("\0", _GONE).replace(_LIST, _GONE) for item in items)
        changes[name] = tuple(filter(None, cleaned))
    return doc._replace(**changes)


def decode_doc(data: bytes) -> Doc:
    """Decode a document alone."""
    layout = layout_of(data)
    fields = data[: layout.end if layout.is_plain else layout.start]
    pieces = fields.decode(*_UTF8).split("\0")
    return Doc(
        id=pieces[0],
        path=pieces[1],
        scope=pieces[2],
        kind=pieces[3],
        title=pieces[13],
        headings=_parts(pieces[14]),
        body=pieces[15],
        context=pieces[18],
        topic=pieces[16],
        tags=_parts(pieces[17]),
        mem_kind=pieces[4],
        importance=float(pieces[5]),
        created=_when(pieces[6]),
        updated=_when(pieces[7]),
        private=bool(pieces[8]),
        agent=pieces[9],
        expires_at=_when(pieces[10]),
        source=pieces[11],
        supersedes=_parts(pieces[12]),
    )


def _parts(text: str) -> tuple[str, ...]:
    return tuple(text.split(_LIST)) if text else ()


def _moment(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""


def _when(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
