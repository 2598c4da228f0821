"""Import notes of a person: one file, one memory, its text as it is.

Only a note that consists of rules for tools needs no memory in addition.

Basic-memory writes ``title``, ``type``, ``permalink`` and ``tags`` into the header, and
observations (``- [category] …``) and relations (``- part_of [[…]]``) into the text;
they stay there, and categories do not become tags.
"""

import re
from typing import Any

from toolmem.core.imports.document import read_parts
from toolmem.core.imports.header import ImportHeader
from toolmem.core.imports.items import ImportedContent, ImportNote, TextItem
from toolmem.core.imports.ruled import Toolbox
from toolmem.core.imports.sections import has_text, headings

_TAG = re.compile(r"#?(.*)")
_KNOWN = ("title", "tags", "topic", "kind", "type")
_PLAIN_TYPES = ("", "note")


def read_note(text: str, name: str, box: Toolbox, *, basic: bool) -> ImportedContent:
    """Return the memory of a note, and the rules in it.

    ``text`` has LF line ends and no byte order mark; ``name`` is the title of a note
    that has neither heading nor title.
    """
    parts = read_parts(text, box, titled=True)
    header, body = parts.header, parts.text
    if not has_text(body) and not header.fields:
        empty = (ImportNote(1, "empty", "contains no text"),)
        return ImportedContent(notes=parts.notes or empty)
    kind = header.text("kind") or (header.text("type") if basic else "")
    item = TextItem(
        _title(header, body, name),
        body.strip("\n"),
        header.line,
        topic=header.text("topic"),
        tags=tuple(_TAG.sub(r"\1", tag) for tag in _tags(header)),
        kind="" if kind in _PLAIN_TYPES else kind,
        fields=_fields(header, basic),
    )
    texts = (item,) if has_text(parts.rest) or header.fields else ()
    return ImportedContent(parts.rules, texts, parts.notes)


def _title(header: ImportHeader, body: str, name: str) -> str:
    if header.text("title"):
        return header.text("title")
    titles = (title for _, level, title in headings(body.split("\n")) if level == 1)
    return next(titles, "") or name


def _tags(header: ImportHeader) -> list[str]:
    """Return tags as a list, also those in one text with commas."""
    listed = header.listed("tags")
    if isinstance(header.fields.get("tags"), str):
        listed = tuple(part.strip() for text in listed for part in text.split(","))
    return [tag for tag in listed if tag.lstrip("#").strip()]


def _fields(header: ImportHeader, basic: bool) -> dict[str, Any]:
    known = _KNOWN if basic else tuple(key for key in _KNOWN if key != "type")
    return {key: value for key, value in header.fields.items() if key not in known}
