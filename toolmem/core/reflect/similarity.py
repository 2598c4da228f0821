"""Find similar texts among many, without comparing all pairs.

Two texts that share half of their words share one of the rarer half of each. So each
text is looked up by its rarer words only; for a word in very many texts, only
neighbours in the order of texts by their rarer words are compared. Except for sorting,
the cost is linear.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from toolmem.core.language.language import ENGLISH, Language
from toolmem.core.search.terms import words

_SHARED = 0.4
"""Minimum share of common words in two texts for a closer comparison."""
_RARE = 32
"""Words of one text by which it is looked up."""
_NEIGHBOURS = 24
"""Neighbouring texts that are compared for one word."""
_BEST = 12
"""Maximum number of texts that one text is compared with."""

Numbers: TypeAlias = "array[int]"
"""Distinct words of a text, as sorted numbers."""


class WordTable:
    """Words of many texts, as numbers, with the number of texts of each."""

    def __init__(
        self,
        is_word: Callable[[str], bool] = lambda _: True,
        language: Language = ENGLISH,
    ) -> None:
        self.is_word = is_word
        self.language = language
        self._numbers: dict[str, int] = {}
        self._counts: Counter[int] = Counter()
        self.documents = 0

    def add(self, text: str) -> Numbers:
        """Add a text; return its distinct words as numbers."""
        found = {self._number(self.language.stem_of(word)) for word in words(text)}
        self._counts.update(found)
        self.documents += 1
        return array("I", sorted(found))

    def frequency(self, stem: str) -> int:
        """Return the number of texts that have the word with this stem."""
        number = self._numbers.get(stem)
        return 0 if number is None else self._counts[number]

    def rarest(self, numbers: Iterable[int]) -> list[int]:
        """Return the rarer half of the words of a text, the rarest first.

        Words of no other text count for the half, but are left out of the result.
        """
        ordered = sorted(numbers, key=lambda n: (self._counts[n], n))
        half = ordered[: len(ordered) - len(ordered) // 2 + 1]
        return [n for n in half if self._counts[n] > 1][:_RARE]

    def _number(self, stem: str) -> int:
        return self._numbers.setdefault(stem, len(self._numbers))


def similar_ones(
    texts: Sequence[Numbers],
    known: WordTable,
    may_meet: Callable[[int, int], bool],
    report: Callable[[int], None] = lambda _: None,
) -> Iterator[tuple[int, int, float]]:
    """Yield pairs of similar texts, with the share of common words.

    ``may_meet`` selects the pairs that matter; ``report`` receives the number of texts
    done.
    """
    rare = [known.rarest(numbers) for numbers in texts]
    order = sorted(range(len(texts)), key=lambda n: (rare[n], n))
    postings: dict[int, list[int]] = {}
    for place, number in enumerate(order):
        for word in rare[number]:
            postings.setdefault(word, []).append(place)
    seen: dict[int, int] = dict.fromkeys(postings, 0)
    for place, number in enumerate(order):
        shared: Counter[int] = Counter()
        for word in rare[number]:
            # The list is in order, so earlier texts are behind this position.
            seen[word] += 1
            shared.update(postings[word][seen[word] : seen[word] + _NEIGHBOURS])
        yield from _closest(texts, number, shared, order, may_meet)
        report(place + 1)


def _closest(
    texts: Sequence[Numbers],
    number: int,
    shared: Counter[int],
    order: Sequence[int],
    may_meet: Callable[[int, int], bool],
) -> Iterator[tuple[int, int, float]]:
    if not shared:
        return
    own = set(texts[number])
    ranked = sorted(shared, key=lambda place: (-shared[place], place))
    reported = 0
    for place in ranked[: 4 * _BEST]:
        other = order[place]
        theirs = texts[other]
        if 5 * min(len(own), len(theirs)) < 2 * max(len(own), len(theirs)):
            continue
        common = len(own.intersection(theirs))
        share = common / (len(own) + len(theirs) - common)
        if share >= _SHARED and may_meet(number, other):
            yield number, other, share
            reported += 1
            if reported == _BEST:
                return
