"""Add to a question the terms that distinguish its best documents.

Pseudo-relevance feedback, a short form of RM3 (Abdul-Jaleel et al., "UMass at TREC
2004", 2004): the share of a term in the first documents, weighted by their scores,
times its idf. It orders documents that share a term with the question; it adds none.
"""

from bisect import insort
from collections.abc import Sequence

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
    most, documents = search_limits.FEEDBACK_TERMS, totals.documents
    highest = rarity(documents, 1)
    shares = _shares(first, terms.language)
    for lost, term in sorted((-share, term) for term, share in shares.items()):
        if len(found) == most and lost * highest > found[-1][0]:
            break
        if term not in terms.weights:
            idf = rarity(documents, corpus.frequency(term))
            insort(found, (lost * idf, term, idf))
            del found[most:]
    return Terms(
        {term: weight * gain / found[0][0] * idf for gain, term, idf in found},
        terms.language,
    )


def _shares(first: Sequence[ScoredCandidate], language: Language) -> dict[str, float]:
    """Return the share of each term in the words of the documents.

    Not of digests, nor of characters that are also part of pairs.
    """
    total = sum(hit.bm25 for hit in first)
    shares: dict[str, float] = {}
    empty, stem_of = language.empty, language.stem_of
    for hit in first:
        found = hit.candidate.words
        words = found.text[: found.body_end].split()
        share = hit.bm25 / total / len(words) if words else 0.0
        for word in words:
            size = len(word)
            if size <= _LONGEST and word not in empty and (size > 1 or word.isascii()):
                term = stem_of(word)
                shares[term] = shares.get(term, 0.0) + share
    return shares
