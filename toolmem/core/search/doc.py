"""Searchable document: one rule, fact, memory or text, and its words."""

from datetime import datetime
from typing import NamedTuple

from toolmem.core import limits, search_limits
from toolmem.core.text import cut
from toolmem.core.text.terms import SpacedText, spaced, words

KINDS = ("memory", "rule", "fact", "override", "guidance", "profile")
CONTESTED = "contested"
"""Tag of memories that another one contradicts."""


class Doc(NamedTuple):
    """A search result's unit; a file contains one or several.

    It must depend on its own file alone, ``context`` (the surrounding text) included:
    the index reads a file again only when that file changes. ``scope`` is the text
    form; ``body`` excludes the title. ``supersedes`` are the ids of other memories.
    """

    id: str
    path: str
    scope: str
    kind: str
    title: str = ""
    headings: tuple[str, ...] = ()
    body: str = ""
    context: str = ""
    topic: str = ""
    tags: tuple[str, ...] = ()
    mem_kind: str = ""
    importance: float = 0.5
    created: datetime | None = None
    updated: datetime | None = None
    private: bool = False
    agent: str = ""
    expires_at: datetime | None = None
    source: str = ""
    supersedes: tuple[str, ...] = ()

    def is_over(self, at: datetime) -> bool:
        """Return True if it has expired by a time."""
        return self.expires_at is not None and self.expires_at <= at

    @property
    def name(self) -> str:
        """The title; of a rule, which is below its tool, the text."""
        return self.body if self.kind == "rule" else self.title

    @property
    def has_id(self) -> bool:
        """True if people and agents are shown its id."""
        return self.kind in ("rule", "memory")

    @property
    def id_shown(self) -> str:
        """The beginning of the id that stands for it."""
        return self.id[: limits.ID_SHOWN]


class Lengths(NamedTuple):
    """Number of words in each field of a document (or their means)."""

    all: float
    head: float
    context: float


class DocumentWords(NamedTuple):
    """Words of a document in one text, not stemmed, with spaces around each.

    Those of the title, the headings and the opening begin before ``head_end``; those
    before ``body_end`` make up the field that is searched first, the others its
    context. ``lengths`` are the numbers of words by field.
    """

    text: str
    head_end: int
    body_end: int
    lengths: Lengths

    @property
    def head(self) -> str:
        """Words of the title, the headings and the opening."""
        return self.text[: self.head_end]

    @property
    def rest(self) -> str:
        """Words of the body below the opening, the topic and the tags."""
        return self.text[self.head_end : self.body_end]

    @property
    def context(self) -> str:
        """Words of the surrounding text."""
        return self.text[self.body_end :]


def name_key(name: str) -> str:
    """Return the words of a name, by which it is compared with a question.

    A name without words is its own key.
    """
    head = name[: search_limits.QUERY_CHARS]
    return " ".join(words(head)) or head.strip()


def words_of(doc: Doc) -> DocumentWords:
    """Return the words of a document."""
    opening, rest = split_opening(doc.body)
    # The tag of a fact is its namespace, which is its context already.
    tags = () if doc.kind == "fact" else doc.tags
    head = spaced("\n".join((doc.title, *doc.headings, opening)))
    below = spaced("\n".join((rest, doc.topic, *tags)))
    context = spaced(doc.context) if doc.context else SpacedText()
    return DocumentWords(
        head.text + below.text + context.text,
        len(head.text),
        len(head.text) + len(below.text),
        Lengths(head.many + below.many, head.many, context.many),
    )


def split_opening(body: str) -> tuple[str, str]:
    """Return the first paragraph, cut at a word if long, and the rest."""
    body = body.lstrip()
    end = body.find("\n\n", 0, search_limits.OPENING_CHARS)
    if end < 0 and len(body) > search_limits.OPENING_CHARS:
        end = len(cut.cut_at_word(body, search_limits.OPENING_CHARS - 1))
    return (body, "") if end < 0 else (body[:end], body[end:])
