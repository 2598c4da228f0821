"""How a misspelt word of a query is mended from the words that documents use.

Only a word that no visible document has is mended, so exact hits never lose
to guesses; the guess weighs less, the shorter the word.
"""

from collections.abc import Callable, Collection, Iterable

from toolmem.core import limits
from toolmem.core.search.terms import stem_of


def mistakes_allowed(word: str) -> int:
    """How many wrong letters a word of this length and kind may hold."""
    if len(word) < limits.REPAIR_CHARS or not word.isalpha():
        return 0
    return 1 if len(word) < limits.REPAIR_CHARS_TWO else 2


def distance(a: str, b: str, most: int) -> int:
    """Letters added, dropped, replaced or swapped from ``a`` to ``b``.

    Anything above ``most`` comes back as ``most + 1`` (optimal string
    alignment, which never changes a swapped pair again).
    """
    if abs(len(a) - len(b)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        previous, row = row, [i]
        for j, other in enumerate(b, 1):
            cost = min(
                previous[j] + 1,
                row[j - 1] + 1,
                previous[j - 1] + (letter != other),
            )
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most and min(previous) > most:
            return most + 1
        before = previous
    return min(row[-1], most + 1)


def variants(word: str) -> set[str]:
    """Every word one mistake away, in the letters that the word is written in."""
    letters = set("abcdefghijklmnopqrstuvwxyz0123456789")
    for letter in word:
        if not letter.isascii():
            block = ord(letter) & ~0x7F
            letters.update(filter(str.isalpha, map(chr, range(block, block + 0x80))))
    found: set[str] = set()
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        found.update(before + letter + after for letter in letters)
        if after:
            found.update(before + letter + after[1:] for letter in letters)
            found.add(before + after[1:])
            found.add(before + after[1:2] + after[0] + after[2:])
    return found - {word, ""}


def near_words(word: str, known: Collection[str], mistakes: int) -> set[str]:
    """Those of the known words that lie within so many mistakes.

    With two mistakes only those that begin with the same letter.
    """
    if mistakes == 1:
        return {other for other in variants(word) if other in known}
    sizes = range(len(word) - mistakes, len(word) + mistakes + 1)
    letters = set(word)
    return {
        other
        for other in known
        if len(other) in sizes
        and other[0] == word[0]
        and len(letters.symmetric_difference(other)) <= 2 * mistakes
        and distance(word, other, mistakes) <= mistakes
    }


def mend(
    word: str,
    near: Callable[[str, int], Iterable[str]],
    frequency: Callable[[str], int],
) -> dict[str, float]:
    """Terms to ask for in the place of an unknown word, each with its weight.

    ``near(word, mistakes)`` names the visible words that close to it. The
    nearest win, then those that begin alike, then the more frequent ones.
    """
    for mistakes in range(1, mistakes_allowed(word) + 1):
        found = _guesses(word, mistakes, near)
        ranked = sorted(found, key=lambda s: (not found[s], -frequency(s), s))
        if ranked:
            weight = (1 - mistakes / len(word)) ** 2
            return dict.fromkeys(ranked[: limits.REPAIR_WORDS], weight)
    return {}


def _guesses(
    word: str, mistakes: int, near: Callable[[str, int], Iterable[str]]
) -> dict[str, bool]:
    """Terms that may be meant, and whether one of their words begins alike.

    With one mistake the stem is compared too, as "painted" may be known only
    as "paint". A word of three letters can only have lost one; two mistakes
    are only believed of words that begin alike.
    """
    asked = {word}
    if mistakes == 1 and len(stem_of(word)) >= limits.REPAIR_STEM_CHARS:
        asked.add(stem_of(word))
    found: dict[str, bool] = {}
    for other in {other for one in asked for other in near(one, mistakes)}:
        alike = other[0] == word[0]
        if (len(word) > 3 or len(other) > 3) and (mistakes == 1 or alike):
            term = stem_of(other)
            found[term] = alike or found.get(term, False)
    return found
