"""Interface between the ranking and the documents: an index or a scan.

A corpus contains only live documents that the reader may see; results depend on those
alone.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple, Protocol

from toolmem.core import limits
from toolmem.core.language.language import Language
from toolmem.core.scope import parse_scope, weight
from toolmem.core.search.doc import Doc, DocumentWords, Lengths
from toolmem.core.search.filters import SearchFilter, changed_at
from toolmem.core.text.terms import has_tag
from toolmem.core.visibility import Audience, may_see

_NEVER = datetime.min.replace(tzinfo=UTC)


class View(NamedTuple):
    """Restriction of what a reader may see. ``None`` does not restrict.

    Without ``scopes`` every scope but those of single agents is visible. Documents
    expire by the time ``at``; ``search_filter`` adds conditions.
    """

    at: datetime
    scopes: frozenset[str] | None = None
    kinds: frozenset[str] | None = None
    audience: Audience = Audience.PERSON
    tags: frozenset[str] | None = None
    mem_kinds: frozenset[str] | None = None
    search_filter: SearchFilter | None = None

    def shows(self, doc: Doc) -> bool:
        """Return True if the reader may see this document."""
        return (
            self.shows_part(doc.scope, doc.kind, doc.private)
            and not doc.is_over(self.at)
            and (self.tags is None or has_tag(doc.tags, self.tags))
            and (self.mem_kinds is None or doc.mem_kind in self.mem_kinds)
            and (self.search_filter is None or self.search_filter.passes(doc))
        )

    def shows_part(self, scope: str, kind: str, private: bool) -> bool:
        """Return True if the reader may see such documents."""
        if not may_see(self.audience, private=private):
            return False
        if self.kinds is not None and kind not in self.kinds:
            return False
        if self.scopes is None:
            return not scope.startswith("agent:")
        return scope in self.scopes


class Place(NamedTuple):
    """Scope and kind of documents, by which they are weighted."""

    scope: str
    kind: str


class Totals(NamedTuple):
    """Number of documents, and the mean length of their fields.

    ``until`` is when the first of them expires, None if none does.
    """

    documents: int
    means: Lengths
    until: datetime | None = None


def text_of(doc: Doc) -> tuple[str, str, str]:
    """Return the text by which hits are equal."""
    return doc.kind, doc.title, doc.body


class CandidateDocument:
    """A document and its words; ``vectors`` of its passages, if they are known.

    ``key`` is its identity: ids repeat where a file overrides another. A document of
    an index is decoded piece by piece, as far as a question needs it.
    """

    __slots__ = ("_doc", "_vectors", "_words", "key", "lengths", "place")

    def __init__(
        self, doc: Doc, words: DocumentWords, vectors: tuple[bytes, ...] = ()
    ) -> None:
        self._doc: Doc | None = doc
        self._words: DocumentWords | None = words
        self._vectors = vectors
        self.key = doc.id, doc.path
        self.place = Place(doc.scope, doc.kind)
        self.lengths = words.lengths

    @property
    def doc(self) -> Doc:
        """The document."""
        assert self._doc is not None
        return self._doc

    @property
    def words(self) -> DocumentWords:
        """Words of the document."""
        assert self._words is not None
        return self._words

    @property
    def vectors(self) -> tuple[bytes, ...]:
        """Vectors of its passages; none if they are not known."""
        return self._vectors

    @property
    def text(self) -> tuple[str, str, str]:
        """The text by which hits are equal."""
        return text_of(self.doc)

    @property
    def marks(self) -> str | None:
        """Marks of its terms (``terms.mark_of``); None if they are not known."""
        return None


CHANGED, IMPORTANCE = "changed", "importance"
"""Fields by which documents are read in order."""


class CandidateSet(NamedTuple):
    """The most promising documents, and a bound on the score of all others.

    ``bound`` is 0 when nothing else matches.
    """

    candidates: tuple[CandidateDocument, ...]
    bound: float


class Corpus(Protocol):
    """Documents that one reader may see."""

    @property
    def language(self) -> Language:
        """Language of the terms."""

    def places(self) -> Iterable[Place]:
        """Return the places that have documents."""

    def totals(self) -> Totals:
        """Return the totals of the documents."""

    def frequency(self, term: str) -> int:
        """Return the number of documents that contain the term."""

    def frequencies(self, terms: Sequence[str]) -> list[int]:
        """Return the same of several terms, in order."""

    def beginning(self, prefix: str) -> Iterable[str]:
        """Return the terms with a prefix; possibly also some that no visible document
        has.
        """

    def propose(
        self,
        weights: Mapping[str, float],
        count: int,
        *,
        floor: float = 0.0,
        places: frozenset[Place] | None = None,
        topic: str | None = None,
        means: Lengths | None = None,
    ) -> CandidateSet:
        """Return at least ``count`` documents that match a term, or all that do.

        ``weights`` contains the weight of each term, multiplied by its idf. Documents
        whose score is below ``floor`` may be left out. ``topic`` excludes documents of
        other topics. ``means`` are mean lengths for the scores, instead of those of
        ``totals``.
        """

    def matching(self, terms: Iterable[str]) -> int:
        """Return the number of documents with one of the terms in any field."""

    def newest(self, count: int) -> tuple[CandidateDocument, ...]:
        """Return the most recently changed documents, as ``newest_of``."""

    def greatest(
        self, field: str, count: int, terms: Collection[str] = ()
    ) -> CandidateSet:
        """Return the documents with the greatest values of a field, in any order.

        With ``terms`` only those that match one. Of a joined corpus there may be more
        than ``count``. The bound is the greatest value that another one may have:
        seconds since 1970 for ``CHANGED``; it is that of no document, minus infinity,
        when nothing else matches.
        """

    def topics(self) -> set[str]:
        """Return the topics of the documents."""

    def on_topic(self, topic: str) -> tuple[CandidateDocument, ...]:
        """Return every document on a topic, in any order."""

    def with_id(self, text: str) -> tuple[CandidateDocument, ...]:
        """Return the rules and memories with an id, whole or as it is shown."""

    def with_name(self, key: str) -> tuple[CandidateDocument, ...]:
        """Return the documents with a name, given as ``name_key``."""

    def with_all(
        self, terms: Sequence[str], most: int, places: frozenset[Place]
    ) -> tuple[CandidateDocument, ...]:
        """Return documents of some places with every term in title or opening.

        Among more than ``most`` the ones with the best scores by an index.
        """

    def at_path(self, path: str) -> tuple[CandidateDocument, ...]:
        """Return the documents of a file, by id."""


def newest_of(
    candidates: Iterable[CandidateDocument], count: int
) -> tuple[CandidateDocument, ...]:
    """Return the most recently changed candidates; ties are broken by key."""
    ordered = sorted(candidates, key=lambda candidate: candidate.key)
    ordered.sort(
        key=lambda candidate: changed_at(candidate.doc) or _NEVER, reverse=True
    )
    return tuple(ordered[:count])


PlaceWeights = Callable[[Place], float]
"""Weight of a hit by its place."""


@lru_cache(maxsize=10_000)
def scope_weight(scope: str) -> float:
    """Return the weight of a hit from a scope, given as text."""
    return weight(parse_scope(scope))


def weight_of_scope(place: Place) -> float:
    """Return the weight of the scope; a project's override text has its own."""
    if place.kind == "override":
        return limits.WEIGHT_OVERRIDE
    return scope_weight(place.scope)


def equal_weight(_: Place) -> float:
    """Return the same weight for every document."""
    return 1.0


def by_weight(
    places: Iterable[Place], weight_of: PlaceWeights
) -> dict[float, frozenset[Place]]:
    """Return places by the weight of their documents."""
    places_of: dict[float, frozenset[Place]] = {}
    for place in places:
        weight = weight_of(place)
        places_of[weight] = places_of.get(weight, frozenset()) | {place}
    return places_of
