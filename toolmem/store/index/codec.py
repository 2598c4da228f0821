"""How a document is kept in the index: its terms in front, all of it behind.

Fields are separated by NUL. The ranking reads the front of some dozens of
documents for each search; the rest is taken apart for those shown.
"""

from dataclasses import fields, replace
from datetime import datetime
from typing import Any

from toolmem.core.search.corpus import Candidate
from toolmem.core.search.doc import Doc, Lengths, Terms

_LIST = "\x1f"
_GONE = "\ufffd"
"""Stands for characters that the separators are."""


def encode(doc: Doc, terms: Terms) -> bytes:
    """A document as bytes."""
    sizes = terms.lengths
    counts = (
        sizes.all,
        sizes.title,
        sizes.lead,
        sizes.context,
        terms.title_end,
        terms.lead_end,
    )
    pieces = (
        doc.id,
        doc.path,
        doc.scope,
        doc.kind,
        doc.topic,
        doc.title,
        " ".join(map(str, counts)),
        terms.text,
        terms.context,
        _LIST.join(doc.headings),
        doc.body,
        doc.context,
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
    return "\0".join(pieces).encode("utf-8", "surrogatepass")


def clean(doc: Doc) -> Doc:
    """The document as it can be kept: without the characters that separate."""
    changes: dict[str, Any] = {
        field.name: value.replace("\0", _GONE)
        for field in fields(doc)
        if isinstance(value := getattr(doc, field.name), str) and "\0" in value
    }
    for name, items in (("headings", doc.headings), ("tags", doc.tags)):
        if any("\0" in item or _LIST in item or not item for item in items):
            kept = (item.replace("\0", _GONE).replace(_LIST, _GONE) for item in items)
            changes[name] = tuple(filter(None, kept))
    return replace(doc, **changes) if changes else doc


def decode_front(data: bytes) -> Candidate:
    """What the ranking needs of a document."""
    text = data.decode("utf-8", "surrogatepass")
    doc_id, path, scope, kind, topic, _, counts, terms, rest = text.split("\0", 8)
    every, title, lead, context, title_end, lead_end = map(int, counts.split(" "))
    about, _, _ = rest.partition("\0")
    lengths = Lengths(every, title, lead, context)
    return Candidate(
        doc_id,
        path,
        scope,
        kind,
        topic,
        Terms(terms, title_end, lead_end, about, lengths),
        text,
    )


def decode(text: str) -> Doc:
    """All of a document, from ``Candidate.raw``."""
    pieces = text.split("\0")
    return Doc(
        id=pieces[0],
        path=pieces[1],
        scope=pieces[2],
        kind=pieces[3],
        topic=pieces[4],
        title=pieces[5],
        headings=_parts(pieces[9]),
        body=pieces[10],
        context=pieces[11],
        tags=_parts(pieces[12]),
        mem_kind=pieces[13],
        importance=float(pieces[14]),
        created=_when(pieces[15]),
        updated=_when(pieces[16]),
        private=bool(pieces[17]),
        agent=pieces[18],
        expires_at=_when(pieces[19]),
        source=pieces[20],
    )


def _parts(text: str) -> tuple[str, ...]:
    return tuple(text.split(_LIST)) if text else ()


def _moment(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""


def _when(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
