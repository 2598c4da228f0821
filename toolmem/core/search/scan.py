"""A search without an index: every document in memory, read one by one.

It is what answers when the index cannot, and what the index is tested against.
"""

from collections.abc import Iterable, Mapping

from toolmem.core.search.corpus import Candidate, Proposal, Totals, View
from toolmem.core.search.doc import Doc, Lengths, read_doc, terms_of
from toolmem.core.search.repair import near_words


class Scan:
    """The documents that one reader may see, held in memory."""

    def __init__(self, docs: Iterable[Doc], view: View) -> None:
        """Prepare the terms of the documents that the view shows."""
        self._seen = [candidate_of(doc) for doc in docs if view.shows(doc)]
        self._frequencies: dict[str, int] = {}
        for candidate in self._seen:
            for term in set(candidate.terms.text.split()):
                self._frequencies[term] = self._frequencies.get(term, 0) + 1
        self._words: set[str] | None = None

    def scopes(self) -> Iterable[str]:
        """The scopes that hold something."""
        return {candidate.scope for candidate in self._seen}

    def totals(self) -> Totals:
        """Number and mean lengths."""
        return totals_of([candidate.terms.lengths for candidate in self._seen])

    def frequency(self, term: str) -> int:
        """How many documents hold the term."""
        return self._frequencies.get(term, 0)

    def near(self, word: str, mistakes: int) -> Iterable[str]:
        """The words within one mistake, or within two that begin alike."""
        if self._words is None:
            self._words = set(self._frequencies)
            for candidate in self._seen:
                self._words |= read_doc(self.document(candidate))[1]
        return near_words(word, self._words, mistakes)

    def propose(
        self,
        weights: Mapping[str, float],
        count: int,
        *,
        scopes: frozenset[str] | None = None,
        topic: str | None = None,
    ) -> Proposal:
        """Every document that matches a term, whatever the count."""
        keys = [f" {term} " for term in weights]
        found = tuple(
            candidate
            for candidate in self._seen
            if (scopes is None or candidate.scope in scopes)
            and (topic is None or candidate.topic in ("", topic))
            and any(
                key in candidate.terms.text or key in candidate.terms.context
                for key in keys
            )
        )
        return Proposal(found, 0.0)

    def document(self, candidate: Candidate) -> Doc:
        """All of a document."""
        assert isinstance(candidate.raw, Doc)
        return candidate.raw

    def by_id(self, doc_id: str) -> Candidate | None:
        """The document of this id (the first by path, if there are several)."""
        found = [c for c in self._seen if c.id == doc_id]
        return min(found, key=lambda c: c.path, default=None)


def candidate_of(doc: Doc) -> Candidate:
    """A document with its terms worked out."""
    return Candidate(
        doc.id, doc.path, doc.scope, doc.kind, doc.topic, terms_of(doc), doc
    )


def totals_of(lengths: list[Lengths]) -> Totals:
    """Number and mean of field lengths."""
    many = len(lengths)
    return Totals(
        many,
        Lengths(
            sum(int(one.all) for one in lengths) / (many or 1),
            sum(int(one.title) for one in lengths) / (many or 1),
            sum(int(one.lead) for one in lengths) / (many or 1),
            sum(int(one.context) for one in lengths) / (many or 1),
        ),
    )
