"""Find similar texts among many, without comparing all pairs.

Two texts that share half of their words share some of the rarer half of each. So each
text is looked up by its rarer words only; for a word in very many texts, only
neighbours in the order of texts by their rarer words are compared. Except for sorting,
the cost is linear.

Of the texts found, most share too few words. A signature of each, with one bit a word,
excludes nearly all of them: a bit that the other text lacks is a word that it lacks.
"""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress
from typing import NamedTuple, TypeAlias

from toolmem.core.comparison.variants import varying_words
from toolmem.core.language.language import ENGLISH, Language
from toolmem.core.search.terms import words

_SHARED = 0.4
"""Minimum share of common words in two texts for a closer comparison."""
_COMMON = _SHARED / (1 + _SHARED)
"""The same as a part of the number of words of both texts."""
_RARE = 24
"""Words of one text by which it is looked up."""
_MANY_RARE = 16
"""Words from which two texts must share two of them: similar ones share most."""
_NEIGHBOURS = 24
"""Neighbouring texts that are compared for one word."""
_BEST = 12
"""Maximum number of texts that one text is compared with."""
_STEADY_CHARS = 5
"""Letters of a stem from which it is no part of a contraction or a unit."""
_BITS = 512
"""Bits of a signature."""

Numbers: TypeAlias = "array[int]"
"""Distinct words of a text, as sorted numbers."""


class _StemNumbers(dict[str, int]):
    """Word to the number of its stem, new ones counted up.

    ``steady`` is 1 for each number of a stem that is in all texts of the same
    statements or in none.
    """

    def __init__(self, language: Language) -> None:
        self._stem_of = language.stem_of
        self._varying = frozenset(map(self._stem_of, varying_words()))
        self.stems: dict[str, int] = {}
        self.steady = bytearray()

    def __missing__(self, word: str) -> int:
        stem = self._stem_of(word)
        number = self.stems.setdefault(stem, len(self.stems))
        if number == len(self.steady):
            steady = len(stem) >= _STEADY_CHARS and stem.isascii() and stem.isalpha()
            self.steady.append(steady and stem not in self._varying)
        self[word] = number
        return number


class WordTable:
    """Words of many texts, as numbers, with the number of texts of each."""

    def __init__(
        self,
        is_word: Callable[[str], bool] = lambda _: True,
        language: Language = ENGLISH,
    ) -> None:
        self.is_word = is_word
        self.language = language
        self._numbers = _StemNumbers(language)
        self._counts: Counter[int] = Counter()
        self.documents = 0

    def add(self, text: str) -> Numbers:
        """Add a text; return its distinct words as numbers."""
        distinct = set(map(self._numbers.__getitem__, words(text)))
        self._counts.update(distinct)
        self.documents += 1
        return array("I", sorted(distinct))

    def likeness(self, numbers: Numbers) -> int:
        """Return a number that is equal for texts of the same statements.

        It is also equal for some others.
        """
        steady = self._numbers.steady
        return hash(tuple(compress(numbers, map(steady.__getitem__, numbers))))

    def frequency(self, stem: str) -> int:
        """Return the number of texts that have the word with this stem."""
        number = self._numbers.stems.get(stem)
        return 0 if number is None else self._counts[number]

    def rarest(self, texts: Sequence[Numbers]) -> list[Numbers]:
        """Return the ranks of the rarer half of the words of each text, rarest first.

        Words of no other text count for the half, but are left out of the result.
        """
        counts = self._counts
        ordered = sorted(counts, key=lambda n: (counts[n], n))
        alone = bisect_left(ordered, 2, key=counts.__getitem__)
        ranks = array("I", bytes(4 * len(ordered)))
        for rank, number in enumerate(ordered):
            ranks[number] = rank
        found = []
        for numbers in texts:
            own = sorted(map(ranks.__getitem__, numbers))
            half = own[: len(own) - len(own) // 2 + 1]
            first = bisect_left(half, alone)
            found.append(array("I", half[first : first + _RARE]))
        return found


class _Texts(NamedTuple):
    """Texts in the order of their rarest words: numbers, signature and size of each."""

    order: Sequence[int]
    words: Sequence[Numbers]
    signatures: Sequence[int]
    needed: Sequence[float]
    """Common words that a text of this size must have, besides those of the other."""


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
    rare = known.rarest(texts)
    order = sorted(range(len(texts)), key=lambda n: (rare[n], n))
    postings: dict[int, Numbers] = {}
    for place, number in enumerate(order):
        for word in rare[number]:
            postings.setdefault(word, array("I")).append(place)
    in_order = [texts[number] for number in order]
    known_texts = _Texts(
        order,
        in_order,
        [_signature(numbers) for numbers in in_order],
        [_COMMON * len(numbers) for numbers in in_order],
    )
    seen: dict[int, int] = dict.fromkeys(postings, 0)
    for place, number in enumerate(order):
        near = array("I")
        for word in rare[number]:
            # The list is in order, so earlier texts are behind this position.
            first = seen[word] = seen[word] + 1
            near += postings[word][first : first + _NEIGHBOURS]
        least = 2 if len(rare[number]) >= _MANY_RARE else 1
        shared = [other for other, times in Counter(near).items() if times >= least]
        yield from _closest(known_texts, place, shared, may_meet)
        report(place + 1)


def _signature(numbers: Numbers) -> int:
    found = 0
    for number in numbers:
        found |= 1 << number % _BITS
    return found


def _closest(
    texts: _Texts,
    place: int,
    others: Iterable[int],
    may_meet: Callable[[int, int], bool],
) -> Iterator[tuple[int, int, float]]:
    """Yield the texts at other places that share enough with one, the closest first."""
    numbers, needed, signature = (
        texts.words[place],
        texts.needed,
        texts.signatures[place],
    )
    signatures = texts.signatures
    spare = signature.bit_count() - len(numbers) + needed[place]
    possible = [
        other
        for other in others
        if (signature & signatures[other]).bit_count() >= spare + needed[other]
    ]
    if not possible:
        return
    own, found = set(numbers), []
    for other in possible:
        theirs = texts.words[other]
        common = len(own.intersection(theirs))
        share = common / (len(own) + len(theirs) - common)
        if share >= _SHARED:
            found.append((-share, other))
    reported = 0
    for share, other in sorted(found):
        if may_meet(texts.order[place], texts.order[other]):
            yield texts.order[place], texts.order[other], -share
            reported += 1
            if reported == _BEST:
                return
