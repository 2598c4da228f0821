"""Add terms to a question: of similar words, and of its best documents.

Terms of words that mean nearly the same lead to documents that share no word with the
question, in a corpus of any size; they count for little where a document has the words
themselves.

Pseudo-relevance feedback, a short form of RM3 (Abdul-Jaleel et al., "UMass at TREC
2004", 2004): the share of a term in the first documents, weighted by their scores,
times its idf. It orders documents that share a term with the question; it adds none.
"""

from collections.abc import Iterable, Sequence

from toolmem.core import search_limits
from toolmem.core.language.language import Language
from toolmem.core.search.corpus import Corpus, Totals
from toolmem.core.search.meaning import similarity
from toolmem.core.search.query import rarity
from toolmem.core.search.rank import ScoredCandidate
from toolmem.core.search.scores import Terms

_LONGEST = 40
"""Characters of a word that is added: longer ones are digests and the like, and the
index drops extreme ones."""
_AT_ONCE = 64
"""Terms whose rarity is asked for at a time: most have too small a share."""


def similar_terms(
    corpus: Corpus,
    terms: Terms,
    totals: Totals,
    similar: "Iterable[similarity.SimilarWord]",
) -> Terms:
    """Return the terms that documents have and the question has not, weighted.

    A common word does not gain by a rare one that is similar, nor the reverse.
    """
    stem_of = terms.language.stem_of
    weights: dict[str, float] = {}
    for asked, word, cosine in similar:
        term = stem_of(word)
        if term not in terms.weights and (holding := corpus.frequency(term)):
            most = rarity(totals.documents, corpus.frequency(stem_of(asked)))
            idf = min(most, rarity(totals.documents, holding))
            weight = search_limits.SIMILAR_WEIGHT * cosine * idf
            weights[term] = max(weight, weights.get(term, 0.0))
    return Terms(weights, terms.language)


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
    weights = terms.weights
    # Sorted so that no sum and no tie depends on the order of documents.
    found: list[tuple[float, str, float]] = []
    most, documents = search_limits.FEEDBACK_TERMS, totals.documents
    highest = rarity(documents, 1)
    shares = _shares(first, terms.language)
    ordered = sorted((-share, term) for term, share in shares.items())
    for at in range(0, len(ordered), _AT_ONCE):
        if len(found) == most and ordered[at][0] * highest > found[-1][0]:
            break
        some = [one for one in ordered[at : at + _AT_ONCE] if one[1] not in weights]
        holding = corpus.frequencies([term for _, term in some])
        for (lost, term), many in zip(some, holding, strict=True):
            idf = rarity(documents, many)
            found.append((lost * idf, term, idf))
        found.sort()
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
        read = hit.candidate.words
        words = read.text[: read.body_end].split()
        share = hit.bm25 / total / len(words) if words else 0.0
        for word in words:
            size = len(word)
            if word in empty or size > _LONGEST or (size == 1 and not word.isascii()):
                continue
            term = stem_of(word)
            shares[term] = shares.get(term, 0.0) + share
    return shares
