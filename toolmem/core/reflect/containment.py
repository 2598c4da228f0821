"""Find longer texts that may contain a short one, by the weights of a search.

A short text and a long one share few of all their words, so that ``similarity`` does
not find them. As in a search for the short text, each word counts by its rarity. Only
texts with its rarest words are looked at, so that the cost is linear.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter

from toolmem.core.reflect.word_table import WordTable

_MOST_WORDS = 32
"""Different words of a short text."""
_KEYS = 3
"""Words by which a short text is looked up: its rarest ones in other texts, too."""
_SHARED_KEYS = 2
"""Number of them that the longer text must have, if there are so many."""
_MOST_TEXTS = 128
"""Texts with a word from which it is too common to look up texts by it."""
_CONTAINED = 0.5
"""Minimum share of the weight of a short text's words that a longer one must have."""
_BEST = 3
"""Maximum number of longer texts that a short one is compared with."""


def containing_ones(
    texts: Sequence[int], known: WordTable, may_meet: Callable[[int, int], bool]
) -> Iterator[tuple[int, int]]:
    """Yield places of a short text and of a longer one that may contain it.

    ``texts`` are numbers in the table ``known``; ``may_meet`` selects the pairs of
    places that matter.
    """
    short = array("Q", (p for p, text in enumerate(texts) if _is_short(text, known)))
    postings = _postings(texts, short, known)
    for place in short:
        keys = _keys(texts[place], known)
        if not keys:
            continue
        counts = Counter(other for key in keys for other in postings[key])
        least = min(_SHARED_KEYS, len(keys))
        sharing = [other for other, times in counts.items() if times >= least]
        hits = 0
        for other in _best(texts, place, sharing, known):
            if may_meet(place, other):
                yield place, other
                hits += 1
                if hits == _BEST:
                    break


def _is_short(text: int, known: WordTable) -> bool:
    return 0 < known.size(text) <= _MOST_WORDS


def _keys(text: int, known: WordTable) -> list[int]:
    """Return the rarest words that another text has, but not very many."""
    rare = [
        (count, word)
        for word in known.words_of(text)
        if 1 < (count := known.count(word)) <= _MOST_TEXTS
    ]
    return [word for _, word in sorted(rare)[:_KEYS]]


def _postings(
    texts: Sequence[int], short: Sequence[int], known: WordTable
) -> dict[int, "array[int]"]:
    """Return the places of the texts with each word that looks up a short one."""
    postings = {
        key: array("I") for place in short for key in _keys(texts[place], known)
    }
    keys = postings.keys()
    for place, text in enumerate(texts) if postings else ():
        for key in keys & set(known.words_of(text)):
            postings[key].append(place)
    return postings


def _best(
    texts: Sequence[int], place: int, others: Sequence[int], known: WordTable
) -> list[int]:
    """Return the longer texts with enough of the weight, best first."""
    own = set(known.words_of(texts[place]))
    needed = _CONTAINED * sum(map(known.rarity, own))
    ranked = []
    for other in others:
        if known.size(texts[other]) > len(own):
            common = own.intersection(known.words_of(texts[other]))
            weight = sum(map(known.rarity, sorted(common)))
            if weight >= needed:
                ranked.append((-weight, other))
    return list(map(itemgetter(1), sorted(ranked)))
