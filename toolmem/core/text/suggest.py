"""Suggest existing names for a misspelt one."""

from collections.abc import Iterable

_LEAST_SIMILARITY = 0.6
"""Minimum share of common letters for a suggestion."""


def most_similar(word: str, known: Iterable[str], *, count: int = 3) -> tuple[str, ...]:
    """Return up to ``count`` known names like ``word``, best first, ties by name."""
    from difflib import SequenceMatcher  # only typos need it

    folded = word.casefold()
    scored = []
    for name in set(known):
        other = name.casefold()
        ratio = SequenceMatcher(None, folded, other).ratio()
        if folded and (folded in other or other in folded):
            ratio = max(ratio, _LEAST_SIMILARITY)
        if ratio >= _LEAST_SIMILARITY:
            scored.append((-ratio, name))
    return tuple(name for _, name in sorted(scored)[:count])


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` for the most similar known name, or ""."""
    similar = most_similar(word, known, count=1)
    return f"; did you mean {similar[0]!r}?" if similar else ""
