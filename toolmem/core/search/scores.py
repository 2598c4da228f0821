"""Score documents by their words: BM25 over live, visible documents.

score(d) = sum over terms t of weight(t) * idf(t) * sum over fields f of boost(f) * tf *
(k1 + 1) / (tf + k1 * (1 - b + b * length / mean length)), idf(t) = ln(1 + (N - n + 0.5)
/ (n + 0.5)), as in tantivy and Lucene (Robertson and Zaragoza, "The Probabilistic
Relevance Framework", 2009).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType

from toolmem.core import search_limits
from toolmem.core.language.language import ENGLISH, Language
from toolmem.core.search.corpus import CandidateDocument, Totals
from toolmem.core.search.doc import Lengths
from toolmem.core.search.terms import SpacedText, mark_of

BOOSTS = Lengths(1.0, search_limits.BOOST_HEAD, search_limits.BOOST_CONTEXT)
"""Weight of a hit in each field."""
_FEW_TERMS = 3
"""For so many terms, looking for each takes less time than reading the marks."""
_MANY_STARTS = 64
"""Different beginnings of terms, in excess of which all words of a text are compared:
searching for each beginning would take longer."""
_MOST_GAIN = search_limits.BM25_K1 + 1


# Plain tuples: each document of a question has several.
TermCounts = tuple[Mapping[str, int], Mapping[str, int], Mapping[str, int]]
"""Occurrences of each term in each field of a document; none has 0."""
Gains = tuple[list[float], list[float], list[float]]
"""What each term adds to the score of a document, by field."""
_NONE: Mapping[str, int] = MappingProxyType({})
_NO_COUNTS = (_NONE, _NONE, _NONE)
NO_GAINS: Gains = ([], [], [])


def total_of(gains: Gains, added: Gains = NO_GAINS) -> float:
    """Return a score; ``added`` terms follow the others in each field."""
    every, head, context = gains
    more, more_head, more_context = added
    return sum(every + more + head + more_head + context + more_context)


_Starts = Mapping[str, Collection[str]]
"""Beginning of words, after a space → the terms of such words."""


class Terms:
    """Terms of a question, and their recognition among words."""

    def __init__(
        self, weights: Mapping[str, float], language: Language = ENGLISH
    ) -> None:
        """Take weight times idf by term."""
        self.weights = weights
        self.language = language

    def and_also(self, others: "Terms") -> "Terms":
        """Return these terms and others."""
        return Terms({**self.weights, **others.weights}, self.language)

    def among(self, words: SpacedText) -> dict[str, str]:
        """Return the words that are a term of the question, each with its term."""
        return {word: term for _, word, term in self._hits(words.text, self._starts)}

    def are_in(self, candidate: CandidateDocument) -> bool:
        """Return True if one of the words of a document is a term."""
        starts = self._starts_in(candidate)
        return bool(starts) and any(
            True for _ in self._hits(candidate.words.text, starts)
        )

    def count(self, candidate: CandidateDocument) -> TermCounts:
        """Return the number of occurrences of each term by field."""
        starts = self._starts_in(candidate)
        if not starts:
            return _NO_COUNTS
        text, head_end, body_end, _ = candidate.words
        every: dict[str, int] = {}
        head: dict[str, int] = {}
        context: dict[str, int] = {}
        for at, _, term in self._hits(text, starts):
            if at >= body_end:
                context[term] = context.get(term, 0) + 1
                continue
            every[term] = every.get(term, 0) + 1
            if at < head_end:
                head[term] = head.get(term, 0) + 1
        return self._in_order(every), self._in_order(head), self._in_order(context)

    def _in_order(self, counts: dict[str, int]) -> dict[str, int]:
        """Return counts in the order of the terms, on which sums of floats depend."""
        if len(counts) < 2:
            return counts
        return {term: counts[term] for term in self.weights if term in counts}

    def _starts_in(self, candidate: CandidateDocument) -> _Starts:
        """Return the terms that a document may have, without reading its words."""
        marks = candidate.marks if len(self.weights) > _FEW_TERMS else None
        if marks is None:
            return self._starts
        there = self._by_mark.keys() & marks
        return self._grouped(term for mark in there for term in self._by_mark[mark])

    @cached_property
    def _starts(self) -> _Starts:
        return self._grouped(self.weights)

    def _grouped(self, terms: Iterable[str]) -> _Starts:
        """Terms that begin alike are searched for together: in a text of very many
        words that begin so, too, each would take as long as all of them."""
        starts: dict[str, set[str]] = {}
        for term in terms:
            starts.setdefault(f" {self._beginning(term)}", set()).add(term)
        return starts

    @cached_property
    def _beginning(self) -> Callable[[str], str]:
        return {
            term: self.language.beginning(term) for term in self.weights
        }.__getitem__

    @cached_property
    def _by_mark(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for term in self.weights:
            found.setdefault(mark_of(term), []).append(term)
        return found

    def _hits(self, text: str, starts: _Starts) -> Iterator[tuple[int, str, str]]:
        """Yield the place of each word that is a term, itself and the term.

        A prefix test skips most words.
        """
        stem_of = self.language.stem_of
        if len(starts) > _MANY_STARTS:
            at = 0
            for word in text.split():
                at = text.index(word, at)
                if (stem := stem_of(word)) in self.weights:
                    yield at, word, stem
                at += len(word)
            return
        for start, terms in starts.items():
            at = text.find(start)
            while at >= 0:
                end = text.index(" ", at + 1)
                word = text[at + 1 : end]
                if (stem := stem_of(word)) in terms:
                    yield at + 1, word, stem
                at = text.find(start, end)


class _Norms(dict[float, float]):
    """Length of a field → what it adds to the number of a term's occurrences."""

    def __init__(self, mean: float) -> None:
        self._mean = mean

    def __missing__(self, length: float) -> float:
        share = search_limits.BM25_B * length / self._mean
        found = search_limits.BM25_K1 * (1 - search_limits.BM25_B + share)
        self[length] = found
        return found


class Scorer:
    """Scores of documents by the terms of a question."""

    def __init__(self, terms: Terms, totals: Totals) -> None:
        self.terms = terms
        self._norms = tuple(map(_Norms, totals.means))
        self._weights = tuple(
            {term: boost * weight for term, weight in terms.weights.items()}
            for boost in BOOSTS
        )

    def gains(self, candidate: CandidateDocument) -> Gains:
        """Return what each term in a document adds to its score, by field."""
        return self._gains(self.terms.count(candidate), candidate)

    def bm25(self, candidate: CandidateDocument) -> float:
        """Return the score of a document."""
        return total_of(self.gains(candidate))

    def contributions(
        self, candidate: CandidateDocument
    ) -> dict[tuple[str, str], float]:
        """Return what each (term, field) adds to the score of a document."""
        counts = self.terms.count(candidate)
        gains = self._gains(counts, candidate)
        return {
            (term, field): gain
            for field, times, each in zip(BOOSTS._fields, counts, gains, strict=True)
            for term, gain in zip(times, each, strict=True)
        }

    def _gains(self, counts: TermCounts, candidate: CandidateDocument) -> Gains:
        every, head, context = counts
        lengths = candidate.lengths
        return (
            self._of_field(0, every, lengths[0]) if every else [],
            self._of_field(1, head, lengths[1]) if head else [],
            self._of_field(2, context, lengths[2]) if context else [],
        )

    def _of_field(
        self, field: int, times: Mapping[str, int], length: float
    ) -> list[float]:
        weights, norm = self._weights[field], self._norms[field][length]
        return [
            weights[term] * (many * _MOST_GAIN / (many + norm))
            for term, many in times.items()
        ]
