"""Find similar texts among many, without comparing all pairs.

Two texts that share half of their words share some of the rarer half of each. So each
text is looked up by its rarer words only, a long one by pairs of words that follow each
other when sorted by rarity: few texts share two such pairs by chance. Of the texts with
a common word, only the last ones in the order of texts by their rarer words are
compared. Except for sorting, the cost is linear.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from toolmem.core.reflect.word_table import RARE, RareWords, WordTable

_SHARED = 0.4
"""Minimum share of common words in two texts for a closer comparison."""
_LONG = 16
"""Rarer words from which a text is looked up by pairs of them."""
_PAIRS = 2
"""Pairs that two long texts must share: similar ones share most."""
_NEIGHBOURS = 24
"""Neighbouring texts that are compared for one word or pair."""
_BEST = 12
"""Maximum number of texts that one text is compared with."""
_MIX = 0x9E3779B1
_MOST_SLOTS = 1 << 25


def similar_ones(
    texts: Sequence[int],
    known: WordTable,
    may_meet: Callable[[int, int], bool],
    report: Callable[[int], None] = lambda _: None,
) -> Iterator[tuple[int, int, float]]:
    """Yield pairs of similar texts by their places, with the share of common words.

    ``texts`` are numbers in the table ``known``; ``may_meet`` selects the pairs of
    places that matter; ``report`` receives the number of texts done.
    """
    rare = known.rarest(texts)
    order = sorted(range(len(texts)), key=rare.sort_key)
    seen = _SeenTexts(rare, order)
    for done, place in enumerate(order, 1):
        hits = 0
        for share, other in _closest(texts, known, place, seen.add(place)):
            if may_meet(place, other):
                yield place, other, share
                hits += 1
                if hits == _BEST:
                    break
        report(done)


class _SeenTexts:
    """Texts seen so far in an order, by their rarer words."""

    def __init__(self, rare: RareWords, order: Iterable[int]) -> None:
        self._rare = rare
        self._pairs = _PairTable(rare)
        self._with_word: dict[int, array[int]] = {}
        self._short_with_word: dict[int, array[int]] = {}
        self._of_short: set[int] = set()
        for place in order:
            if rare.size(place) < _LONG:
                self._of_short.update(rare.of(place))

    def add(self, place: int) -> set[int]:
        """Add a text; return the places of earlier ones that share pairs, or a word."""
        own = self._rare.of(place)
        if len(own) < _LONG:
            others = _last(self._with_word, own)
            _put(self._short_with_word, own, place)
            _put(self._with_word, own, place)
            return set(others)
        pairs = self._pairs.add(place, own)
        words = self._of_short and self._of_short.intersection(own)
        if not words:
            return set(pairs)
        others = _last(self._short_with_word, words)
        _put(self._with_word, words, place)
        return {*pairs, *others}


def _last(listed: dict[int, "array[int]"], keys: Iterable[int]) -> "array[int]":
    """Return the last places that are listed for each key."""
    places = array("I")
    for key in keys:
        if key in listed:
            places += listed[key][-_NEIGHBOURS:]
    return places


def _put(listed: dict[int, "array[int]"], keys: Iterable[int], place: int) -> None:
    for key in keys:
        known = listed.get(key)
        if known is None:
            listed[key] = array("I", (place,))
        else:
            known.append(place)


class _PairTable:
    """Long texts seen so far, by pairs of adjacent rarer words.

    Nearly all pairs are in one text only, so that a list for each would take much
    memory. A slot has the last use of its pairs, and each use the one before it: the
    place of the text times `RARE`, and the number of the pair in it from 1.
    """

    def __init__(self, rare: RareWords) -> None:
        slots = 1 << min(len(rare.words), _MOST_SLOTS).bit_length()
        self._mask = slots - 1
        self._last = array("I", bytes(4 * slots))
        self._before = array("I", bytes(4 * RARE * len(rare.starts)))

    def add(self, place: int, own: Sequence[int]) -> list[int]:
        """Add a text; return the places of earlier ones that share enough pairs."""
        last, before, mask = self._last, self._before, self._mask
        uses: list[int] = []
        use = place * RARE
        for one, other in pairwise(own):
            use += 1
            slot = (one * _MIX + other) & mask
            earlier = last[slot]
            last[slot] = use
            if earlier:
                before[use] = earlier
                uses += self._texts_from(earlier)
        if len(uses) < _PAIRS:
            return []
        return [text for text, times in Counter(uses).items() if times >= _PAIRS]

    def _texts_from(self, use: int) -> Iterator[int]:
        """Yield the places of the texts of a use and of those before it."""
        steps = _NEIGHBOURS
        while use and steps:
            yield use // RARE
            use = self._before[use]
            steps -= 1


def _closest(
    texts: Sequence[int], known: WordTable, place: int, others: Iterable[int]
) -> list[tuple[float, int]]:
    """Return the share of common words of each text that has enough, best first."""
    own, closest = set(known.words_of(texts[place])), []
    for other in others:
        theirs = known.words_of(texts[other])
        common = len(own.intersection(theirs))
        share = common / (len(own) + len(theirs) - common)
        if share >= _SHARED:
            closest.append((share, other))
    return sorted(closest, key=lambda pair: (-pair[0], pair[1]))
