"""Search without an index: every document in memory, read one by one.

It answers when the index cannot, and tests compare the index with it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from math import inf

from toolmem.core.language.language import ENGLISH, Language
from toolmem.core.search.corpus import (
    CandidateDocument,
    CandidateSet,
    Place,
    Totals,
    View,
    newest_of,
)
from toolmem.core.search.doc import Doc, Lengths, name_key, words_of
from toolmem.core.text.terms import normal_topic


class Scan:
    """Documents that one reader may see, in memory."""

    def __init__(
        self, docs: Iterable[Doc], view: View, language: Language = ENGLISH
    ) -> None:
        """Read the terms of the documents that the view shows."""
        self.language = language
        self._read(
            [CandidateDocument(doc, words_of(doc)) for doc in docs if view.shows(doc)]
        )

    @classmethod
    def of(
        cls, candidates: Iterable[CandidateDocument], language: Language = ENGLISH
    ) -> "Scan":
        """Return a corpus of documents whose words are already known."""
        scan = cls.__new__(cls)
        scan.language = language
        scan._read(list(candidates))
        return scan

    def _read(self, candidates: list[CandidateDocument]) -> None:
        self._every = candidates
        self._places = set(range(len(candidates)))
        self._holding: dict[str, set[int]] = {}
        self._texts: dict[str, set[int]] = {}
        stem_of = self.language.stem_of
        for at, candidate in enumerate(candidates):
            text, _, body_end, _ = candidate.words
            terms = set(map(stem_of, text[:body_end].split()))
            for term in terms:
                self._texts.setdefault(term, set()).add(at)
            for term in terms.union(map(stem_of, text[body_end:].split())):
                self._holding.setdefault(term, set()).add(at)

    def within(self, places: Iterable[int]) -> "Scan":
        """Return a corpus of only the documents at some places."""
        part = copy(self)
        part._places = self._places.intersection(places)
        return part

    @property
    def _seen(self) -> list[CandidateDocument]:
        return [self._every[at] for at in sorted(self._places)]

    def _at(self, terms: Iterable[str]) -> set[int]:
        places = {at for term in terms for at in self._holding.get(term, ())}
        return places & self._places

    def places(self) -> Iterable[Place]:
        """Return the places that have documents."""
        return {candidate.place for candidate in self._seen}

    def totals(self) -> Totals:
        """Return the totals of the documents."""
        return totals_of(self._seen)

    def frequency(self, term: str) -> int:
        """Return the number of documents that contain the term."""
        places = self._texts.get(term)
        return len(places & self._places) if places else 0

    def frequencies(self, terms: Sequence[str]) -> list[int]:
        """Return the same of several terms, in order."""
        texts, places = self._texts, self._places
        return [len(texts[term] & places) if term in texts else 0 for term in terms]

    def beginning(self, prefix: str) -> Iterable[str]:
        """Return the terms with a prefix."""
        return [term for term in self._texts if term.startswith(prefix)]

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
        """Return every document that matches a term, whatever the count."""
        candidates = (self._every[at] for at in sorted(self._at(weights)))
        return CandidateSet(
            tuple(
                candidate
                for candidate in candidates
                if (places is None or candidate.place in places)
                and (topic is None or normal_topic(candidate.doc.topic) in ("", topic))
            ),
            0.0,
        )

    def matching(self, terms: Iterable[str]) -> int:
        """Return the number of documents with one of the terms in any field."""
        return len(self._at(terms))

    def newest(self, count: int) -> tuple[CandidateDocument, ...]:
        """Return the most recently changed documents."""
        return newest_of(self._seen, count)

    def greatest(
        self, field: str, count: int, terms: Collection[str] = ()
    ) -> CandidateSet:
        """Return every document that matches a term, whatever the count."""
        places = self._at(terms) if terms else self._places
        return CandidateSet(tuple(self._every[at] for at in sorted(places)), -inf)

    def topics(self) -> set[str]:
        """Return the topics of the documents."""
        return {normal_topic(candidate.doc.topic) for candidate in self._seen} - {""}

    def on_topic(self, topic: str) -> tuple[CandidateDocument, ...]:
        """Return every document on a topic, in any order."""
        seen = self._seen
        return tuple(
            candidate
            for candidate in seen
            if normal_topic(candidate.doc.topic) == topic
        )

    def with_id(self, text: str) -> tuple[CandidateDocument, ...]:
        """Return the rules and memories with an id, whole or as it is shown."""
        return tuple(
            candidate
            for candidate in self._seen
            if candidate.doc.has_id
            and text in (candidate.doc.id, candidate.doc.id_shown)
        )

    def with_name(self, key: str) -> tuple[CandidateDocument, ...]:
        """Return the documents with a name, given as ``name_key``."""
        return tuple(
            candidate for candidate in self._seen if name_key(candidate.doc.name) == key
        )

    def with_all(
        self, terms: Sequence[str], most: int, places: frozenset[Place]
    ) -> tuple[CandidateDocument, ...]:
        """Return every document of some places with every term, however many."""
        each = [self._texts.get(term, set()) for term in terms]
        candidates = (
            self._every[at] for at in sorted(self._places.intersection(*each))
        )
        return tuple(candidate for candidate in candidates if candidate.place in places)

    def at_path(self, path: str) -> tuple[CandidateDocument, ...]:
        """Return the documents of a file, by id."""
        candidates = (
            candidate for candidate in self._seen if candidate.doc.path == path
        )
        return tuple(sorted(candidates, key=lambda candidate: candidate.doc.id))


def totals_of(candidates: list[CandidateDocument]) -> Totals:
    """Return the number, mean field lengths and first expiry of documents."""
    many = len(candidates)
    lengths = [candidate.words.lengths for candidate in candidates]
    sums = (sum(map(int, field)) for field in zip(*lengths, strict=True))
    means = [total / many for total in sums] if many else [0.0, 0.0, 0.0]
    times = [c.doc.expires_at for c in candidates if c.doc.expires_at]
    return Totals(many, Lengths(*means), min(times, default=None))
