"""Two corpora searched as one, with statistics of all documents."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import add

from toolmem.core.language.language import Language
from toolmem.core.search.corpus import (
    CandidateDocument,
    CandidateSet,
    Corpus,
    Place,
    Totals,
    newest_of,
)
from toolmem.core.search.doc import Lengths


class JoinedCorpus:
    """Documents of two disjoint corpora."""

    def __init__(self, first: Corpus, second: Corpus) -> None:
        self._parts = (first, second)
        self._totals: Totals | None = None

    @property
    def language(self) -> Language:
        """Language of the terms, which is that of both parts."""
        return self._parts[0].language

    def places(self) -> Iterable[Place]:
        """Return the places that have documents."""
        return {place for part in self._parts for place in part.places()}

    def totals(self) -> Totals:
        """Return the totals of both parts."""
        if self._totals is None:
            each = [part.totals() for part in self._parts]
            many = sum(totals.documents for totals in each)
            means = (
                sum(mean * totals.documents for mean, totals in column) / (many or 1)
                for column in (
                    [(totals.means[field], totals) for totals in each]
                    for field in range(len(Lengths._fields))
                )
            )
            ends = [totals.until for totals in each if totals.until]
            self._totals = Totals(many, Lengths(*means), min(ends, default=None))
        return self._totals

    def frequency(self, term: str) -> int:
        """Return the number of documents that contain the term."""
        first, second = self._parts
        return first.frequency(term) + second.frequency(term)

    def frequencies(self, terms: Sequence[str]) -> list[int]:
        """Return the same of several terms, in order."""
        first, second = self._parts
        return list(map(add, first.frequencies(terms), second.frequencies(terms)))

    def beginning(self, prefix: str) -> Iterable[str]:
        """Return the terms with a prefix; possibly also some that no visible document
        has.
        """
        return {term for part in self._parts for term in part.beginning(prefix)}

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
        """Return at least ``count`` documents of each part, or all that match."""
        means = means or self.totals().means
        each = [
            part.propose(
                weights, count, floor=floor, places=places, topic=topic, means=means
            )
            for part in self._parts
        ]
        candidates = tuple(
            candidate for proposed in each for candidate in proposed.candidates
        )
        return CandidateSet(candidates, max(proposed.bound for proposed in each))

    def matching(self, terms: Iterable[str]) -> int:
        """Return the number of documents with one of the terms in any field."""
        known = list(terms)
        return sum(part.matching(known) for part in self._parts)

    def newest(self, count: int) -> tuple[CandidateDocument, ...]:
        """Return the most recently changed documents."""
        candidates = (
            candidate for part in self._parts for candidate in part.newest(count)
        )
        return newest_of(candidates, count)

    def greatest(
        self, field: str, count: int, terms: Collection[str] = ()
    ) -> CandidateSet:
        """Return the documents of each part with the greatest values of a field."""
        known = list(terms)
        each = [part.greatest(field, count, known) for part in self._parts]
        candidates = tuple(
            candidate for proposed in each for candidate in proposed.candidates
        )
        return CandidateSet(candidates, max(proposed.bound for proposed in each))

    def topics(self) -> set[str]:
        """Return the topics of the documents."""
        return {topic for part in self._parts for topic in part.topics()}

    def on_topic(self, topic: str) -> tuple[CandidateDocument, ...]:
        """Return every document on a topic, in any order."""
        return tuple(
            candidate for part in self._parts for candidate in part.on_topic(topic)
        )

    def with_id(self, text: str) -> tuple[CandidateDocument, ...]:
        """Return the rules and memories with an id, whole or as it is shown."""
        return tuple(
            candidate for part in self._parts for candidate in part.with_id(text)
        )

    def with_name(self, key: str) -> tuple[CandidateDocument, ...]:
        """Return the documents with a name, given as ``name_key``."""
        return tuple(
            candidate for part in self._parts for candidate in part.with_name(key)
        )

    def with_all(
        self, terms: Sequence[str], most: int, places: frozenset[Place]
    ) -> tuple[CandidateDocument, ...]:
        """Return documents of each part with every term in title or opening."""
        each = (part.with_all(terms, most, places) for part in self._parts)
        return tuple(candidate for candidates in each for candidate in candidates)

    def at_path(self, path: str) -> tuple[CandidateDocument, ...]:
        """Return the documents of a file, by id."""
        candidates = (hit for part in self._parts for hit in part.at_path(path))
        return tuple(sorted(candidates, key=lambda candidate: candidate.doc.id))
