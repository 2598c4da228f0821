"""Stem English words with the Snowball English stemmer ("Porter2").

Described at https://snowballstem.org/algorithms/english/stemmer.html. Words of other
languages pass almost unchanged, equally in documents and queries.
"""

from collections.abc import Iterable

from Stemmer import Stemmer

_SHORTENED = frozenset({"die", "lie", "tie"})
_ENGLISH = Stemmer("english", 0)
"""Not cached: `terms` caches stems."""


def stem(word: str) -> str:
    """Return the stem of one lower-case word without apostrophes."""
    return str(_ENGLISH.stemWord(word))


def stems(words: Iterable[str]) -> list[str]:
    """Return the stems of many such words, in order."""
    return list(_ENGLISH.stemWords(words))


def beginning(term: str) -> str:
    """Return the longest prefix that all words with this stem share.

    Only the last letter can differ in the word (``happi``, ``hope``).
    """
    return term[:-1] if len(term) > 1 and term not in _SHORTENED else term[:1]
