"""Score documents by their words: BM25 over live, visible documents.

score(d) = sum over terms t of weight(t) * idf(t) * sum over fields f of boost(f) * tf *
(k1 + 1) / (tf + k1 * (1 - b + b * length / mean length)), idf(t) = ln(1 + (N - n + 0.5)
/ (n + 0.5)), as in tantivy and Lucene (Robertson and Zaragoza, "The Probabilistic
Relevance Framework", 2009).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from toolmem.core import search_limits
from toolmem.core.language.language import ENGLISH, Language
from toolmem.core.search.corpus import CandidateDocument, Totals
from toolmem.core.search.doc import Lengths
from toolmem.core.text.terms import SpacedText, mark_of

BOOSTS = Lengths(1.0, search_limits.BOOST_HEAD, search_limits.BOOST_CONTEXT)
"""Weight of a hit in each field."""
_FEW_TERMS = 3
"""For so many terms, looking for each takes less time than reading the marks."""
_MANY_STARTS = 64
"""Different beginnings of terms, in excess of which all words of a text are compared:
searching for each beginning would take longer."""
_MOST_GAIN = search_limits.BM25_K1 + 1


# Plain tuples: each document of a question has several.
Occurrence = tuple[str, int, int, int]
"""A term, and how often it is in each field of a document."""
Gains = tuple[list[float], list[float], list[float]]
"""What each term adds to the score of a document, by field."""
NO_GAINS: Gains = ([], [], [])


def total_of(gains: Gains, added: Gains = NO_GAINS) -> float:
    """Return a score; ``added`` terms follow the others in each field."""
    every, head, context = gains
    more, more_head, more_context = added
    return sum([*every, *more, *head, *more_head, *context, *more_context])


_Start = tuple[str, Collection[str]]
"""Beginning of words, after a space, and the terms of such words."""


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

    def count(self, candidate: CandidateDocument) -> list[Occurrence]:
        """Return the terms in a document, in their order, on which sums of floats
        depend."""
        starts = self._starts_in(candidate)
        if not starts:
            return []
        if len(starts) > _MANY_STARTS or self._begin_alike:
            return self._counted(candidate, starts)
        text, head_end, body_end, _ = candidate.words
        stem_of, find = self.language.stem_of, text.find
        occurrences: list[Occurrence] = []
        for start, (term,) in starts:
            at = find(start)
            if at < 0:
                continue
            every = head = context = 0
            while at >= 0:
                begin = at + 1
                end = find(" ", begin)
                if stem_of(text[begin:end]) == term:
                    if begin >= body_end:
                        context += 1
                    else:
                        every += 1
                        if begin < head_end:
                            head += 1
                at = find(start, end)
            if every or context:
                occurrences.append((term, every, head, context))
        return occurrences

    def _counted(
        self, candidate: CandidateDocument, starts: Sequence[_Start]
    ) -> list[Occurrence]:
        """Return the same for terms that may begin alike."""
        text, head_end, body_end, _ = candidate.words
        fields: tuple[Counter[str], ...] = (Counter(), Counter(), Counter())
        every, head, context = fields
        for at, _, term in self._hits(text, starts):
            if at >= body_end:
                context[term] += 1
                continue
            every[term] += 1
            if at < head_end:
                head[term] += 1
        there = every.keys() | context.keys()
        return [
            (term, every[term], head[term], context[term])
            for term in self.weights
            if term in there
        ]

    def _starts_in(self, candidate: CandidateDocument) -> Sequence[_Start]:
        """Return the terms that a document may have, without reading its words."""
        marks = candidate.marks if len(self.weights) > _FEW_TERMS else None
        if marks is None:
            return self._starts
        there = [mark for mark in self._by_mark if mark in marks]
        if not there:
            return []
        places = {at for mark in there for at in self._by_mark[mark]}
        return [self._starts[at] for at in sorted(places)]

    @cached_property
    def _begin_alike(self) -> bool:
        return len(self._starts) < len(self.weights)

    @cached_property
    def _starts(self) -> list[_Start]:
        """Terms that begin alike are searched for together: in a text of very many
        words that begin so, too, each would take as long as all of them."""
        starts: dict[str, dict[str, None]] = {}
        for term in self.weights:
            start = f" {self.language.beginning(term)}"
            starts.setdefault(start, {})[term] = None
        return list(starts.items())

    @cached_property
    def _by_mark(self) -> dict[str, list[int]]:
        """Places among the beginnings by the marks of their terms."""
        by_mark: dict[str, list[int]] = {}
        for at, (_, terms) in enumerate(self._starts):
            for term in terms:
                by_mark.setdefault(mark_of(term), []).append(at)
        return by_mark

    def _hits(
        self, text: str, starts: Sequence[_Start]
    ) -> Iterator[tuple[int, str, str]]:
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
        for start, terms in starts:
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
        norm = search_limits.BM25_K1 * (1 - search_limits.BM25_B + share)
        self[length] = norm
        return norm


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
        return self.gains_of(self.terms.count(candidate), candidate.lengths)

    def gains_of(self, counted: Iterable[Occurrence], lengths: Lengths) -> Gains:
        """Return the same for terms that were counted."""
        every: list[float] = []
        head: list[float] = []
        context: list[float] = []
        length, head_length, context_length = lengths
        weights, norms = self._weights, self._norms
        for term, in_all, in_head, in_context in counted:
            if in_all:
                gain = in_all * _MOST_GAIN / (in_all + norms[0][length])
                every.append(weights[0][term] * gain)
            if in_head:
                gain = in_head * _MOST_GAIN / (in_head + norms[1][head_length])
                head.append(weights[1][term] * gain)
            if in_context:
                gain = in_context * _MOST_GAIN / (in_context + norms[2][context_length])
                context.append(weights[2][term] * gain)
        return every, head, context

    def bm25(self, candidate: CandidateDocument) -> float:
        """Return the score of a document."""
        return total_of(self.gains(candidate))

    def contributions(
        self, candidate: CandidateDocument
    ) -> dict[tuple[str, str], float]:
        """Return what each (term, field) adds to the score of a document."""
        counted = self.terms.count(candidate)
        gains = self.gains_of(counted, candidate.lengths)
        return {
            (term, field): gain
            for at, (field, added) in enumerate(zip(BOOSTS._fields, gains, strict=True))
            for term, gain in zip(
                [occurrence[0] for occurrence in counted if occurrence[at + 1]],
                added,
                strict=True,
            )
        }
