"""Words of many texts, as numbers in a few arrays."""

import re
import sys
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import NamedTuple

from toolmem.core.language.language import ENGLISH, Language
from toolmem.core.search.query import rarity
from toolmem.core.text.normal_form import normal_form
from toolmem.core.text.terms import words

RARE = 24
"""Most words of one text by which it is looked up."""
_MARK = (1 << 62) - 1
"""Bits of a mark of a text."""
_SIGNS = re.compile(r"[\W_]+")


class _StemNumbers(dict[str, int]):
    """Word to the number of its stem, new ones counted up.

    ``counts`` has the number of texts of each stem.
    """

    def __init__(self, language: Language) -> None:
        self._stem_of = language.stem_of
        self.stems: dict[str, int] = {}
        self.counts: list[int] = []

    def __missing__(self, word: str) -> int:
        stem = self._stem_of(word)
        number = self.stems.setdefault(stem, len(self.stems))
        if number == len(self.counts):
            self.counts.append(0)
        self[word] = number
        return number


class WordTable:
    """Distinct words of many texts, as numbers, with the number of texts of each.

    Texts are numbered in the order in which they were added. Their words are in one
    array: a million small ones would take much more memory.
    """

    def __init__(
        self,
        is_word: Callable[[str], bool] = lambda _: True,
        language: Language = ENGLISH,
    ) -> None:
        self.is_word = is_word
        self.language = language
        self._numbers = _StemNumbers(language)
        self._words = array("I")
        self._starts = array("Q", [0])
        self._likenesses = array("Q")

    @property
    def documents(self) -> int:
        """Number of texts."""
        return len(self._starts) - 1

    def add(self, text: str) -> int:
        """Add a text and return its number."""
        distinct = set(map(self._numbers.__getitem__, words(text)))
        counts = self._numbers.counts
        for number in distinct:
            counts[number] += 1
        self._words.fromlist([*distinct])
        self._starts.append(len(self._words))
        letters = _SIGNS.sub("", normal_form("NFC", text)).casefold()
        self._likenesses.append(hash(letters) & _MARK)
        return self.documents - 1

    def size(self, text: int) -> int:
        """Return the number of distinct words of a text."""
        return self._starts[text + 1] - self._starts[text]

    def words_of(self, text: int) -> "array[int]":
        """Return the distinct words of a text, as numbers."""
        return self._words[self._starts[text] : self._starts[text + 1]]

    def count(self, word: int) -> int:
        """Return the number of texts with a word."""
        return self._numbers.counts[word]

    def rarity(self, word: int) -> float:
        """Return the weight of a word in a search."""
        return rarity(self.documents, self.count(word))

    def likeness(self, text: int) -> int:
        """Return a number that texts that are the same, and some others, have.

        One with a misspelt word has another number.
        """
        return self._likenesses[text]

    def frequency(self, stem: str) -> int:
        """Return the number of texts that have the word with this stem."""
        number = self._numbers.stems.get(stem)
        return 0 if number is None else self._numbers.counts[number]

    def function_words(self) -> frozenset[int]:
        """Return the words that say nothing of a text's subject."""
        stems, stem_of = self._numbers.stems, self.language.stem_of
        numbers = (stems.get(stem_of(word)) for word in self.language.empty)
        return frozenset(number for number in numbers if number is not None)

    def shared_words(self, most: int) -> frozenset[int]:
        """Return the other words that more than one text has, and at most so many."""
        counts = self._numbers.counts
        numbers = (number for number, count in enumerate(counts) if 1 < count <= most)
        return frozenset(numbers) - self.function_words()

    def rarest(self, texts: Iterable[int]) -> "RareWords":
        """Return the ranks of the rarer half of the words of each text, rarest first.

        Words of no other text count for the half, but are left out of the result.
        """
        counts = self._numbers.counts
        ordered = sorted(range(len(counts)), key=lambda n: (counts[n], n))
        alone = bisect_left(ordered, 2, key=counts.__getitem__)
        ranks = [0] * len(ordered)  # an array makes a number at each look
        for rank, number in enumerate(ordered):
            ranks[number] = rank
        found, starts = array("I"), array("Q", [0])
        for text in texts:
            own = sorted(map(ranks.__getitem__, self.words_of(text)))
            half = own[: len(own) - len(own) // 2 + 1]
            first = bisect_left(half, alone)
            found.extend(half[first : first + RARE])
            starts.append(len(found))
        return RareWords(found, starts)


class RareWords(NamedTuple):
    """Rarer words of texts, one after the other, and where those of each begin."""

    words: "array[int]"
    starts: "array[int]"

    def of(self, place: int) -> "array[int]":
        """Return the rarer words of the text at a place."""
        return self.words[self.starts[place] : self.starts[place + 1]]

    def size(self, place: int) -> int:
        """Return the number of rarer words of the text at a place."""
        return self.starts[place + 1] - self.starts[place]

    def sort_key(self, place: int) -> bytes:
        """Return bytes that sort like these words."""
        numbers = self.of(place)
        if sys.byteorder == "little":
            numbers.byteswap()
        return numbers.tobytes()
