"""Add to a question the terms of words that mean nearly the same.

They lead to documents that share no word with the question, in a corpus of any size,
and count for little where a document has the words themselves.
"""

from collections.abc import Iterable

from toolmem.core import search_limits
from toolmem.core.search.corpus import Corpus, Totals
from toolmem.core.search.meaning.similarity import SimilarWord
from toolmem.core.search.query import rarity
from toolmem.core.search.scores import Terms


def similar_terms(
    corpus: Corpus, terms: Terms, totals: Totals, similar: Iterable[SimilarWord]
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
