"""Correct a misspelt word of a query with the words that documents use.

Only a word that no visible document has is corrected, so exact hits never lose
to guesses; the guess weighs less, the shorter the word. Common English words are left
alone: the 5,000 most frequent ones of three to seven letters in the English dictionary
of pyspellchecker 0.8 (MIT licence), which counts words of film subtitles. ``python -m
bench.common_words`` writes their file.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache

from toolmem.core import search_limits
from toolmem.core.language.language import ENGLISH, Language
from toolmem.core.package_data import read_data

COMMON_WORDS = "search/common_words.txt"
_LISTED = 3
"""Letters with which most words one mistake away begin: the terms that do are listed,
because asking for the frequency of each takes longer."""
_SHORT, _LONG = 4, 8
"""Letters of a word in which one letter of a name may be a typo, or two."""


@cache
def common_words() -> frozenset[str]:
    """Return the common English words, in lower case."""
    return frozenset(read_data(COMMON_WORDS).decode("ascii").split())


def distances(word: str, others: Iterable[str], most: int) -> dict[str, int]:
    """Return the words at most so far from a word, with their distances.

    A distance counts letters added, dropped, replaced or swapped (optimal string
    alignment, which never changes a swapped pair again).
    """
    from rapidfuzz import process  # few searches have a long unknown word
    from rapidfuzz.distance import OSA

    scorer, words = OSA.distance, [*others]
    similar = process.extract(word, words, scorer=scorer, score_cutoff=most, limit=None)
    return {other: int(score) for other, score, _ in similar}


def variants(word: str) -> set[str]:
    """Return every word one mistake away, in the alphabet of the word."""
    letters = set("abcdefghijklmnopqrstuvwxyz")
    for first in _alphabets(word):
        letters.update(filter(str.isalpha, map(chr, range(first, first + 0x80))))
    edits: set[str] = set()
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        edits.update(before + letter + after for letter in letters)
        if after:
            edits.update(before + letter + after[1:] for letter in letters)
            edits.add(before + after[1:])
            edits.add(before + after[1:2] + after[0] + after[2:])
    return edits - {word, ""}


def _alphabets(word: str) -> set[int]:
    """Return the first code of each block of 128 that has letters of a word."""
    return {ord(letter) & ~0x7F for letter in word if not letter.isascii()}


def correct(
    word: str,
    beginning: Callable[[str], Iterable[str]],
    frequency: Callable[[str], int],
    language: Language = ENGLISH,
) -> dict[str, float]:
    """Return replacement terms for an unknown word, each with its weight.

    ``beginning(prefix)`` returns terms with a prefix, ``frequency(term)`` is 0 for
    those that no visible document has. The most similar win, then those with the same
    initial letter, then the more frequent ones. A common English word is not corrected.
    """
    size = len(word)
    if not search_limits.REPAIR_CHARS <= size <= search_limits.REPAIR_LONGEST:
        return {}
    if not word.isalpha() or len(_alphabets(word)) > search_limits.REPAIR_ALPHABETS:
        return {}
    if word in common_words():
        return {}
    mistakes, corrections = 1, _one_away(word, language)
    start = word[:_LISTED]
    listed = frozenset(beginning(start))
    corrections = {
        term: alike
        for term, alike in corrections.items()
        if (term in listed or not term.startswith(start)) and frequency(term)
    }
    if not corrections:
        mistakes, corrections = 2, _two_away(language.stem_of(word), beginning)
        corrections = {
            term: alike for term, alike in corrections.items() if frequency(term)
        }
    ranked = sorted(corrections, key=lambda s: (not corrections[s], -frequency(s), s))
    weight = (1 - mistakes / len(word)) ** 2
    return dict.fromkeys(ranked[: search_limits.REPAIR_WORDS], weight)


def _one_away(word: str, language: Language) -> dict[str, bool]:
    """Terms of all words one mistake away; True if one has the same initial letter.

    A word of three letters can only have lost one.
    """
    near: dict[str, bool] = {}
    others = variants(word)
    if len(word) == search_limits.REPAIR_CHARS:
        others = {other for other in others if len(other) > len(word)}
    for other, term in language.stems_once(others):
        if len(term) >= search_limits.REPAIR_CHARS:
            near[term] = near.get(term, False) or other[0] == word[0]
    return near


def _two_away(root: str, beginning: Callable[[str], Iterable[str]]) -> dict[str, bool]:
    """Terms two mistakes away from a long one, with the same beginning."""
    if len(root) < search_limits.REPAIR_STEM_CHARS:
        return {}
    return dict.fromkeys(distances(root, beginning(root[0]), 2), True)


def slip_of(word: str, known: Iterable[str]) -> str:
    """Return the known name of which a new one is probably a typo, or "".

    They differ in case, in the marks between words, or in one letter of a word of four
    letters and more (two letters from eight on). Names of a series, such as ``app-1``
    and ``app-2`` or ``team-a`` and ``team-b``, are no typos of each other.
    """
    words = _words(word)
    return next((name for name in sorted(set(known)) if _is_slip(words, name)), "")


def _is_slip(words: list[str], name: str) -> bool:
    others = _words(name)
    if len(words) != len(others):
        return "".join(words) == "".join(others)
    for word, other in zip(words, others, strict=True):
        letters = min(len(word), len(other))
        most = (letters >= _SHORT) + (letters >= _LONG)
        if word != other and not distances(word, [other], most):
            return False
    return re.findall(r"\d+", "".join(words)) == re.findall(r"\d+", "".join(others))


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[\W_]+", name.casefold()) if word]
