"""Find memories that may say the same in other words.

Two short texts may do so if they share a rare word, their subject, and if what else
they say is similar in meaning, by a table of word vectors. A cosine alone says little:
all texts on one topic are similar. So each must be the most similar one to the other,
and more so than either is to its next neighbours, as in Conneau et al., "Word
translation without parallel data", 2018. Tests measure it on pairs written for it.

Only the newest texts are looked up, among all, so that the cost hardly grows with a
vault.
"""

from array import array
from collections.abc import Callable, Container, Iterator, Sequence
from functools import cache
from heapq import nlargest
from itertools import islice
from math import sqrt
from typing import NamedTuple

from toolmem.core.comparison.statements import read_statements
from toolmem.core.comparison.words import numbers_of
from toolmem.core.reflect.word_table import WordTable
from toolmem.core.search.meaning.word_vectors import WordVectors
from toolmem.core.search.query import rarity
from toolmem.core.text.terms import words

_MOST_WORDS = 48
"""Different words of a text, at most: a few sentences."""
_LEAST_TEXTS = 20
"""Short texts below which neighbours say nothing; so few are read by a person."""
_NEWEST = 1_000
"""Texts that are looked up."""
_AROUND = 500
"""Newest texts that may be neighbours."""
_MOST_PAIRS = 2_000
"""Pairs that share a rare word and are compared by meaning."""
_MOST_WITH_WORD = 4
"""Texts with a rare word, at most."""
_MOST_SHARED = 0.4
"""Cosine by words above which a comparison of words is enough."""
_LEAST_COSINE = 0.4
"""Cosine by meaning, at least; fewer pairs remain whose neighbours are looked for."""
_LEAST_OF_REST = 0.2
"""Cosine of the words that are not shared: texts on one subject often say different
things of it."""
_NEIGHBOURS = 5
"""Next neighbours whose mean similarity counts."""
_ADDED = 0.1
"""Added to it, so that a text without any neighbours is not similar to everything."""
_LEAST_TIMES = 1.2
"""How many times as similar as their neighbours two texts must be. With 1.1, 677 facts
about people give 9 pairs, of which one says the same; with 1.2 they give none."""


class Rewording(NamedTuple):
    """Places of two texts that are similar in meaning, and a rare word of both.

    ``times`` is their similarity as a multiple of that to their next neighbours.
    """

    one: int
    other: int
    shared: str
    times: float


class TextSource(NamedTuple):
    """Texts as numbers in the table ``known``.

    ``read`` returns the one at a place, ``newness`` a key that orders places by age;
    ``is_asked`` selects those that are looked up, and ``may_meet`` pairs of places.
    """

    texts: Sequence[int]
    known: WordTable
    read: Callable[[int], str]
    newness: Callable[[int], tuple[str, ...]]
    is_asked: Callable[[int], bool]
    may_meet: Callable[[int, int], bool]

    def is_short(self, text: int) -> bool:
        """Return True for a text of a few sentences."""
        return 0 < self.known.size(text) <= _MOST_WORDS


def rewordings(source: TextSource, table: WordVectors) -> list[Rewording]:
    """Return pairs that may say the same, most likely first; each text is in one."""
    short = [p for p, text in enumerate(source.texts) if source.is_short(text)]
    if len(short) < _LEAST_TEXTS:
        return []
    short.sort(key=source.newness, reverse=True)
    meanings = _Meanings(source, table)
    sharing = islice(_sharing(source, short), _MOST_PAIRS)
    pairs = [pair for pair in sharing if meanings.agree(*pair)]
    around = sorted({*short[:_AROUND], *(place for pair in pairs for place in pair)})
    usual = cache(lambda place: meanings.mean_of_neighbours(place, around))
    found = []
    for one, other in pairs:
        cosine, least = meanings.cosine(one, other), _LEAST_TIMES * _ADDED
        if cosine >= least + _LEAST_TIMES * usual(one) / 2:
            times = cosine / (_ADDED + (usual(one) + usual(other)) / 2)
            if times >= _LEAST_TIMES:
                found.append((times, one, other))
    return [
        Rewording(one, other, meanings.shared_word(one, other), times)
        for times, one, other in _mutual(found)
    ]


def _mutual(pairs: list[tuple[float, int, int]]) -> list[tuple[float, int, int]]:
    """Return the pairs that are the best of both of their texts, best first."""
    best: dict[int, tuple[float, int, int]] = {}
    ordered = sorted(pairs, key=lambda pair: (-pair[0], pair[1:]))
    for pair in ordered:
        for place in pair[1:]:
            best.setdefault(place, pair)
    return [pair for pair in ordered if best[pair[1]] is pair is best[pair[2]]]


def _sharing(source: TextSource, short: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield pairs with a rare word in common and few others, the newest first."""
    texts, known = source.texts, source.known
    asked = list(islice(filter(source.is_asked, short), _NEWEST))
    rare = known.shared_words(_MOST_WITH_WORD) if asked else frozenset()
    keys = [rare.intersection(known.words_of(texts[place])) for place in asked]
    postings = {key: array("Q") for own in keys for key in own}
    wanted = frozenset(postings)
    for place in short if wanted else ():
        for key in wanted.intersection(known.words_of(texts[place])):
            postings[key].append(place)
    content = _Content(known)
    done: set[int] = set()
    for place, own in zip(asked, keys, strict=True):
        done.add(place)
        for other in sorted({p for key in own for p in postings[key]} - done):
            few = content.cosine(texts[place], texts[other]) <= _MOST_SHARED
            if few and source.may_meet(place, other):
                yield place, other


class _Content:
    """Weights of the words of texts that have a content."""

    def __init__(self, known: WordTable) -> None:
        self._known = known
        self._without = known.function_words()
        self.words = cache(self._words)

    def cosine(self, one: int, other: int) -> float:
        """Return the weight of common words relative to that of all."""
        (ours, weight), (theirs, their_weight) = self.words(one), self.words(other)
        common = self._weight(ours & theirs)
        return common / sqrt(weight * their_weight) if common else 0.0

    def _words(self, text: int) -> tuple[frozenset[int], float]:
        own = frozenset(self._known.words_of(text)) - self._without
        return own, self._weight(own)

    def _weight(self, shared: frozenset[int]) -> float:
        return sum(map(self._known.rarity, sorted(shared)))


class _Meanings:
    """Meanings of the texts at some places, each read when it is needed."""

    def __init__(self, source: TextSource, table: WordVectors) -> None:
        self._table = table
        self._read = source.read
        self._known = source.known
        self._words = cache(self._read_words)
        self._packed = cache(lambda place: table.passage(self._weighted(place)))
        self._question = cache(lambda place: table.question(self._weighted(place)))

    def cosine(self, one: int, other: int) -> float:
        """Return the similarity in meaning of two texts."""
        return self._table.cosine(self._question(one), self._packed(other))

    def agree(self, one: int, other: int) -> bool:
        """Return True if two texts may say the same, whatever others say."""
        if self.cosine(one, other) < _LEAST_COSINE:
            return False
        shared = set(self._words(one).values()) & set(self._words(other).values())
        ours, theirs = self._weighted(one, shared), self._weighted(other, shared)
        table = self._table
        rest = table.cosine(table.question(ours), table.passage(theirs))
        if rest < _LEAST_OF_REST:
            return False
        numbers = self._numbers(one), self._numbers(other)
        return not all(numbers) or not numbers[0].isdisjoint(numbers[1])

    def mean_of_neighbours(self, place: int, around: Sequence[int]) -> float:
        """Return the mean cosine of the next neighbours after the closest one."""
        others = [self._packed(other) for other in around if other != place]
        closest = nlargest(
            1 + _NEIGHBOURS, self._table.cosines(self._question(place), others)
        )
        return sum(closest[1:]) / _NEIGHBOURS

    def shared_word(self, one: int, other: int) -> str:
        """Return the rarest word that both texts have, as the first one spells it."""
        theirs = set(self._words(other).values())
        both = [word for word, stem in self._words(one).items() if stem in theirs]
        frequency, stem_of = self._known.frequency, self._known.language.stem_of
        return min(both, key=lambda word: (frequency(stem_of(word)), word), default="")

    def _read_words(self, place: int) -> dict[str, str]:
        """Return the words of a text that have a content, with their stems."""
        language = self._known.language
        read = dict.fromkeys(words(self._read(place)))
        return {w: language.stem_of(w) for w in read if w not in language.empty}

    def _weighted(self, place: int, without: Container[str] = ()) -> list[str]:
        """Return words, each as often as it is rare: the table weighs by the root."""
        known = self._known
        return [
            word
            for word, stem in self._words(place).items()
            if stem not in without
            for _ in range(round(rarity(known.documents, known.frequency(stem))))
        ]

    def _numbers(self, place: int) -> set[str]:
        return numbers_of(read_statements(self._read(place)))
