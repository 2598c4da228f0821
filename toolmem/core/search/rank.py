"""Rank hits: BM25 over live, visible documents, and scopes.

score(d) = sum over terms t of weight(t) * idf(t) * sum over fields f of boost(f) * tf *
(k1 + 1) / (tf + k1 * (1 - b + b * length / mean length)), idf(t) = ln(1 + (N - n + 0.5)
/ (n + 0.5)), as in tantivy and Lucene (Robertson and Zaragoza, "The Probabilistic
Relevance Framework", 2009).
"""

from collections.abc import Iterable, Iterator, Mapping

from toolmem.core import search_limits
from toolmem.core.language.language import ENGLISH, Language
from toolmem.core.named_tuple import NamedTuple
from toolmem.core.search.corpus import CandidateDocument, Totals
from toolmem.core.search.doc import Doc, DocumentWords, Lengths
from toolmem.core.search.terms import SpacedText

BOOSTS = Lengths(1.0, search_limits.BOOST_HEAD, search_limits.BOOST_CONTEXT)
"""Weight of a hit in each field."""


_MANY_STARTS = 64
"""Different beginnings of terms, in excess of which all words of a text are compared:
searching for each beginning would take longer."""


class ScoredCandidate(NamedTuple):
    """A candidate with its BM25 score and that score times its scope's weight."""

    candidate: CandidateDocument
    bm25: float
    weighted: float


class TermCounts(NamedTuple):
    """Occurrences of each term in each field of a document; none has 0."""

    all: dict[str, int]
    head: dict[str, int]
    context: dict[str, int]


class Terms:
    """Terms of a question, and their recognition among words."""

    def __init__(
        self, weights: Mapping[str, float], language: Language = ENGLISH
    ) -> None:
        """Take weight times idf by term."""
        self.weights = weights
        self.language = language
        # Terms that begin alike are searched for together: in a text of very many words
        # that begin so, too, each would take as long as all of them.
        starts: dict[str, set[str]] = {}
        for term in weights:
            starts.setdefault(f" {language.beginning(term)}", set()).add(term)
        self._starts = tuple(starts.items())

    def and_also(self, others: "Terms") -> "Terms":
        """Return these terms and others."""
        return Terms({**self.weights, **others.weights}, self.language)

    def among(self, words: SpacedText) -> dict[str, str]:
        """Return the words that are a term of the question, each with its term."""
        return dict(self._hits(words.text))

    def are_in(self, fields: Iterable[SpacedText]) -> bool:
        """Return True if one of the texts has a term."""
        return any(True for words in fields for _ in self._hits(words.text))

    def count(self, words: DocumentWords) -> TermCounts:
        """Return the number of occurrences of each term by field."""
        head, context = self._count(words.head.text), words.context.text
        every = head.copy()
        for term, many in self._count(words.rest.text).items():
            every[term] = every.get(term, 0) + many
        in_context = self._count(context) if len(context) > 1 else {}
        return TermCounts(*map(self._in_order, (every, head, in_context)))

    def _count(self, text: str) -> dict[str, int]:
        """Count terms as `_hits` yields them, in less time."""
        found: dict[str, int] = {}
        if len(self._starts) > _MANY_STARTS:
            for _, term in self._hits(text):
                found[term] = found.get(term, 0) + 1
            return found
        stem_of = self.language.stem_of
        for start, terms in self._starts:
            if start in text:
                at = text.find(start)
                while at >= 0:
                    end = text.index(" ", at + 1)
                    if (stem := stem_of(text[at + 1 : end])) in terms:
                        found[stem] = found.get(stem, 0) + 1
                    at = text.find(start, end)
        return found

    def _in_order(self, counts: dict[str, int]) -> dict[str, int]:
        """Return counts in the order of the terms, on which sums of floats depend."""
        if len(counts) < 2:
            return counts
        return {term: counts[term] for term in self.weights if term in counts}

    def _hits(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield each word that is a term, with it; a prefix test skips most words."""
        stem_of = self.language.stem_of
        if len(self._starts) > _MANY_STARTS:
            for word in text.split():
                if (stem := stem_of(word)) in self.weights:
                    yield word, stem
            return
        for start, terms in self._starts:
            at = text.find(start)
            while at >= 0:
                end = text.index(" ", at + 1)
                word = text[at + 1 : end]
                if (stem := stem_of(word)) in terms:
                    yield word, stem
                at = text.find(start, end)


def contributions(
    candidate: CandidateDocument, terms: Terms, totals: Totals
) -> dict[tuple[str, str], float]:
    """Return what each (term, field) adds to the score."""
    lengths, counts = candidate.words.lengths, terms.count(candidate.words)
    out = {}
    for field, times, boost, length, mean in zip(
        lengths._fields, counts, BOOSTS, lengths, totals.means, strict=True
    ):
        if times:
            share = search_limits.BM25_B * length / mean
            norm = search_limits.BM25_K1 * (1 - search_limits.BM25_B + share)
            for term, many in times.items():
                gain = many * (search_limits.BM25_K1 + 1) / (many + norm)
                out[term, field] = boost * terms.weights[term] * gain
    return out


def bm25(candidate: CandidateDocument, terms: Terms, totals: Totals) -> float:
    """Return the score of a document."""
    return sum(contributions(candidate, terms, totals).values())


def arrange(scored: Iterable[ScoredCandidate], limit: int) -> list[ScoredCandidate]:
    """Return the first ``limit`` hits by weighted score; two places are reserved.

    The two most relevant texts get places 4 and 5 if they are not above them, so that a
    broad scope's knowledge is still found. Of equal texts only the first is a hit. Ties
    are broken by id.
    """
    hits = list(scored)
    ordered = distinct(sorted(hits, key=_by_weighted))
    first, last = search_limits.GUARD_PLACES
    if limit <= last:
        return ordered[:limit]
    head, tail = ordered[:first], ordered[first:]
    shown = set(map(_text_of, head))
    best = distinct(sorted(hits, key=_by_bm25))[:2]
    reserved = [hit for hit in best if _text_of(hit) not in shown]
    taken = set(map(_text_of, reserved))
    others = [hit for hit in tail if _text_of(hit) not in taken]
    free = 2 - len(reserved)
    places = sorted(reserved + others[:free], key=_by_weighted)
    return (head + places + others[free:])[:limit]


def distinct(hits: Iterable[ScoredCandidate]) -> list[ScoredCandidate]:
    """Return the hits without those of equal text after the first."""
    first: dict[tuple[str, str, str], ScoredCandidate] = {}
    for hit in hits:
        first.setdefault(_text_of(hit), hit)
    return list(first.values())


def text_of(doc: Doc) -> tuple[str, str, str]:
    """Return the text by which hits are equal."""
    return doc.kind, doc.title, doc.body


def _text_of(hit: ScoredCandidate) -> tuple[str, str, str]:
    return text_of(hit.candidate.doc)


def _by_weighted(hit: ScoredCandidate) -> tuple[float, tuple[str, str]]:
    return -hit.weighted, hit.candidate.key


def _by_bm25(hit: ScoredCandidate) -> tuple[float, tuple[str, str]]:
    return -hit.bm25, hit.candidate.key
