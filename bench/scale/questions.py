"""Questions of each kind to a vault of generated memories."""

import random
from collections.abc import Callable, Iterator

from bench.index import vocabulary

_COMMON, _MIDDLE, _KNOWN = 40, 600, 2_000
"""Ranks of words by how often they are in the texts."""
_FOREIGN = "qxzwvk"


def questions(count: int) -> Iterator[tuple[str, list[str]]]:
    """Yield each kind with so many different questions, the same ones each time."""
    # As ``bench.index.make_vault`` begins: these are the words of the memories.
    words = vocabulary(random.Random(7))
    rng = random.Random(11)

    def each(make: Callable[[], str]) -> list[str]:
        found: dict[str, None] = {}
        while len(found) < count:
            found[make()] = None
        return list(found)

    def pick(below: int) -> str:
        return rng.choice(words[:below])

    yield "a common word", each(lambda: pick(_COMMON))
    yield "a word", each(lambda: rng.choice(words[_COMMON:_MIDDLE]))
    yield "several words", each(lambda: f"{pick(400)} {pick(400)} {pick(400)}")
    yield "a sentence", each(lambda: _sentence(*(pick(_KNOWN) for _ in range(4))))
    yield "a rare word", each(lambda: rng.choice(words[-_MIDDLE:]))
    yield "a typo", each(lambda: _with_typo(pick(_KNOWN), rng))
    yield "no hit", each(lambda: "".join(rng.choices(_FOREIGN, k=9)))


def _sentence(*words: str) -> str:
    return "how do I {} the {} when {} fails in the {}".format(*words)


def _with_typo(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word))
    return f"{word[:at]}{rng.choice(_FOREIGN)}{word[at + 1 :]}"
