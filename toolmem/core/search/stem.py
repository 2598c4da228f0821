"""Which English words share a stem: the Snowball English stemmer ("Porter2").

Described at https://snowballstem.org/algorithms/english/stemmer.html. Words of
other languages pass through nearly unharmed, on both sides of a search alike.
"""

from collections.abc import Iterable

from Stemmer import Stemmer

_SHORTENED = frozenset({"die", "lie", "tie"})
_ENGLISH = Stemmer("english", 0)
"""Remembers nothing: `terms` does, for words that come again."""


def stem(word: str) -> str:
    """The stem of one lower-case word without apostrophes."""
    return str(_ENGLISH.stemWord(word))


def stems(words: Iterable[str]) -> list[str]:
    """The stems of many such words, in their order."""
    return list(_ENGLISH.stemWords(words))


def beginning(term: str) -> str:
    """What every word begins with whose stem is this one.

    Only its last letter can be another one in the word (``happi``, ``hope``).
    """
    return term[:-1] if len(term) > 1 and term not in _SHORTENED else term[:1]
