"""Add to a question the terms that distinguish its best documents.

Pseudo-relevance feedback, a short form of RM3 (Abdul-Jaleel et al., "UMass at TREC
2004", 2004): the share of a term in the first documents, weighted by their scores,
times its idf. It orders documents that share a term with the question; it adds none.
"""

from bisect import insort
from collections.abc import Iterable, Sequence

from toolmem.core import search_limits
from toolmem.core.language.language import Language
from toolmem.core.search.corpus import Corpus, Totals
from toolmem.core.search.query import rarity
from toolmem.core.search.rank import ScoredCandidate
from toolmem.core.search.scores import Terms

_LONGEST = 40
"""Characters of a word that is added: longer ones are digests and the like, and the
index drops extreme ones."""


def feedback_terms(
    corpus: Corpus,
    terms: Terms,
    totals: Totals,
    first: Sequence[ScoredCandidate],
    weight: float,
) -> Terms:
    """Return the terms to add, with weight times idf; ``first`` are the best hits.

    The strongest term has a ``weight`` relative to 1.0 for a word of the question.
    """
    # Sorted so that no sum and no tie depends on the order of documents.
    found: list[tuple[float, str, float]] = []
    highest = rarity(totals.documents, 1)
    shares = _shares(first, terms.language)
    for term, share in sorted(shares, key=lambda pair: (-pair[1], pair[0])):
        if len(found) >= search_limits.FEEDBACK_TERMS:
            del found[search_limits.FEEDBACK_TERMS :]
            if share * highest < -found[-1][0]:
                break
        if term not in terms.weights:
            idf = rarity(totals.documents, corpus.frequency(term))
            insort(found, (-share * idf, term, idf))
    found = found[: search_limits.FEEDBACK_TERMS]
    return Terms(
        {term: weight * gain / found[0][0] * idf for gain, term, idf in found},
        terms.language,
    )


def _shares(
    first: Sequence[ScoredCandidate], language: Language
) -> Iterable[tuple[str, float]]:
    """Return the share of each term in the words of the documents."""
    total = sum(hit.bm25 for hit in first)
    shares: dict[str, float] = {}
    for hit in first:
        found = hit.candidate.words
        words = found.text[: found.body_end].split()
        for word in words:
            if _may_be_added(word) and word not in language.empty:
                term = language.stem_of(word)
                share = hit.bm25 / total / len(words)
                shares[term] = shares.get(term, 0.0) + share
    return shares.items()


def _may_be_added(word: str) -> bool:
    """Return False for digests, and for characters that are also part of pairs."""
    return len(word) <= _LONGEST and (len(word) > 1 or word.isascii())
