"""Which texts of many may say the same, found without comparing all with all.

Two texts that share half of their words share one of the rarer half of each. So
each text is looked up by its rarer words only; where very many have a word, only
those are looked at that stand next to each other when texts are ordered by their
rarer words. The work grows as the texts do, but for that sorting.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from toolmem.core.search.terms import stem_of, words

_SHARED = 0.4
"""Share of the words of two texts that both must have, to be looked at closer."""
_RARE = 32
"""Words of one text by which it is looked up."""
_NEIGHBOURS = 24
"""Texts beside each other that are looked at for one word."""
_BEST = 12
"""Texts that one text is compared with at the most."""

Numbers: TypeAlias = "array[int]"
"""The distinct words of a text, as numbers in order."""


class WordTable:
    """The words of many texts: each text as numbers, and how many have each word."""

    def __init__(self, is_word: Callable[[str], bool] = lambda _: True) -> None:
        self.is_word = is_word
        self._numbers: dict[str, int] = {}
        self._counts: Counter[int] = Counter()
        self.documents = 0

    def add(self, text: str) -> Numbers:
        """Take in a text; its distinct words as numbers."""
        found = {self._number(stem_of(word)) for word in words(text)}
        self._counts.update(found)
        self.documents += 1
        return array("I", sorted(found))

    def frequency(self, stem: str) -> int:
        """How many texts have the word with this stem."""
        number = self._numbers.get(stem)
        return 0 if number is None else self._counts[number]

    def rarest(self, numbers: Iterable[int]) -> list[int]:
        """The rarer half of the words of a text, the rarest first.

        Those that no other text has are among the half, and not in the answer.
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
    """Pairs of texts that may say much the same, with the share of common words.

    ``may_meet`` says which pairs matter; ``report`` gets the number of texts done.
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
            # The list is in order, and this text is where it was last looked at.
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
