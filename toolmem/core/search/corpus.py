"""What the ranking asks of whatever holds the documents: an index or a scan.

Everything here mentions the documents that are live and that the reader may
see, and of no others: an answer is a function of those alone.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple, Protocol

from toolmem.core.access.visibility import Audience, may_see
from toolmem.core.search.doc import Doc, DocumentWords, Lengths
from toolmem.core.search.filters import SearchFilter, changed_at

_NEVER = datetime.min.replace(tzinfo=UTC)


class View(NamedTuple):
    """What a reader may see. ``None`` does not restrict.

    Without ``scopes`` every scope but those of single agents is seen. ``at``
    is the time by which things have expired, ``search_filter`` what else must hold.
    """

    at: datetime
    scopes: frozenset[str] | None = None
    kinds: frozenset[str] | None = None
    audience: Audience = Audience.PERSON
    tags: frozenset[str] | None = None
    mem_kinds: frozenset[str] | None = None
    search_filter: SearchFilter | None = None

    def shows(self, doc: Doc) -> bool:
        """Whether the reader may see this document."""
        return (
            self.shows_part(doc.scope, doc.kind, doc.private)
            and (doc.expires_at is None or doc.expires_at > self.at)
            and (self.tags is None or not self.tags.isdisjoint(doc.tags))
            and (self.mem_kinds is None or doc.mem_kind in self.mem_kinds)
            and (self.search_filter is None or self.search_filter.passes(doc))
        )

    def shows_part(self, scope: str, kind: str, private: bool) -> bool:
        """Whether the reader may see things of this scope, kind and privacy."""
        if not may_see(self.audience, private=private):
            return False
        if self.kinds is not None and kind not in self.kinds:
            return False
        if self.scopes is None:
            return not scope.startswith("agent:")
        return scope in self.scopes


class Totals(NamedTuple):
    """How many documents there are, and the mean length of their fields.

    ``until`` is when the first of them expires, None where none does.
    """

    documents: int
    means: Lengths
    until: datetime | None = None


class CandidateDocument(NamedTuple):
    """A document and the words in it."""

    doc: Doc
    words: DocumentWords

    @property
    def key(self) -> tuple[str, str]:
        """Which document it is; ids repeat where a file overrides another."""
        return self.doc.id, self.doc.path


class CandidateSet(NamedTuple):
    """The most promising documents, and a bound on the score of all others.

    ``bound`` is 0 when nothing else matches.
    """

    candidates: tuple[CandidateDocument, ...]
    bound: float


class Corpus(Protocol):
    """The documents that one reader may see."""

    def scopes(self) -> Iterable[str]:
        """The scopes that hold something."""

    def totals(self) -> Totals:
        """Number, mean lengths, and when the first expires."""

    def frequency(self, term: str) -> int:
        """How many documents hold the term."""

    def beginning(self, prefix: str) -> Iterable[str]:
        """The terms that begin so; also some that no visible document has."""

    def propose(
        self,
        weights: Mapping[str, float],
        count: int,
        *,
        scopes: frozenset[str] | None = None,
        topic: str | None = None,
        means: Lengths | None = None,
    ) -> CandidateSet:
        """At least ``count`` documents that match a term, if there are so many.

        ``weights`` has the weight of each term, its rarity included. A
        ``topic`` keeps documents with it and those with none. ``means`` are the mean
        lengths that scores are computed with, where they are not those of ``totals``.
        """

    def matching(self, terms: Iterable[str]) -> int:
        """How many documents hold one of the terms, wherever it stands."""

    def newest(self, count: int) -> tuple[CandidateDocument, ...]:
        """The documents that were changed last, as `newest_of` says it."""

    def at_path(self, path: str) -> tuple[CandidateDocument, ...]:
        """The documents of a file, by id."""


def newest_of(
    candidates: Iterable[CandidateDocument], count: int
) -> tuple[CandidateDocument, ...]:
    """The first so many of the candidates, those changed last first; ties by key."""
    found = sorted(candidates, key=lambda candidate: candidate.key)
    found.sort(key=lambda candidate: changed_at(candidate.doc) or _NEVER, reverse=True)
    return tuple(found[:count])
