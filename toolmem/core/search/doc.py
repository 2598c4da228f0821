"""What is searched: one rule, fact, memory or text, and the terms in it."""

from dataclasses import dataclass
from datetime import datetime

from toolmem.core import limits
from toolmem.core.search.terms import stems, words

KINDS = ("memory", "rule", "fact", "override", "guidance", "profile")


@dataclass(frozen=True, slots=True)
class Doc:
    """One thing that a search can find; a file holds one or several.

    It must follow from its own file alone, ``context`` (what stands around it)
    included: the index reads a file again only when that file changes.
    ``scope`` is the text form, ``body`` leaves the title out.
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


@dataclass(frozen=True, slots=True)
class Lengths:
    """Number of terms in each field of a document (or their means)."""

    all: float
    title: float
    lead: float
    context: float


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a document, ready for an index that splits at spaces.

    ``text`` holds each term between two spaces of its own, so that counting
    `` term `` in it is exact; its first ``title_end`` characters are the title
    and the headings, those up to ``lead_end`` the first paragraph.
    """

    text: str
    title_end: int
    lead_end: int
    context: str
    lengths: Lengths

    @property
    def title(self) -> str:
        """The part for the title field."""
        return self.text[: self.title_end]

    @property
    def lead(self) -> str:
        """The part for the lead field."""
        return self.text[self.title_end : self.lead_end]


def terms_of(doc: Doc) -> Terms:
    """The terms of a document, field by field."""
    return read_doc(doc)[0]


def read_doc(doc: Doc) -> tuple[Terms, set[str]]:
    """The terms of a document, and those of its words that are none themselves.

    The words as written help to mend a misspelt query.
    """
    lead, rest = _split_lead(doc.body)
    title_words = words("\n".join((doc.title, *doc.headings)))
    lead_words = words(lead)
    other_words = words("\n".join((rest, doc.topic, *doc.tags)))
    title, opening, others = map(stems, (title_words, lead_words, other_words))
    context = stems(words(doc.context)) if doc.context else []
    head, start = _joined(title), _joined(opening)
    terms = Terms(
        text=head + start + _joined(others),
        title_end=len(head),
        lead_end=len(head) + len(start),
        context=_joined(context),
        lengths=Lengths(
            len(title) + len(opening) + len(others),
            len(title),
            len(opening),
            len(context),
        ),
    )
    written = {*title_words, *lead_words, *other_words}
    return terms, written.difference(title, opening, others)


def _joined(found: list[str]) -> str:
    return f" {'  '.join(found)} " if found else ""


def _split_lead(body: str) -> tuple[str, str]:
    """The first paragraph, cut at a space where it is long, and what follows."""
    body = body.lstrip()
    end = body.find("\n\n", 0, limits.LEAD_CHARS)
    if end < 0 and len(body) > limits.LEAD_CHARS:
        end = body.rfind(" ", 0, limits.LEAD_CHARS)
        end = end if end > 0 else limits.LEAD_CHARS
    return (body, "") if end < 0 else (body[:end], body[end:])
