"""Find the rules that may have a word in common with a text, without parsing them.

Reading ten thousand rules as sentences takes seconds. Here a text is cut into pieces
of letters and digits, and rules without any piece of the text, by stem or synonym, are
left out: they can be neither the same as the text nor its opposite. A piece more than
a sentence has makes no difference, a piece less would: a test compares the answers.
"""

from collections.abc import Sequence
from functools import lru_cache

from toolmem.core.capture.relate.content import (
    FILLER,
    content_of,
    meanings,
)
from toolmem.core.capture.text.words import expand
from toolmem.core.lazy_pattern import lazy_pattern
from toolmem.hints import Protocol, TypeVar

_APOSTROPHES = "'’‘`´ʼ′＇"
_PIECE = lazy_pattern(rf"[^\W_]+(?:[{_APOSTROPHES}\-][^\W_]+)*")
_INNER = lazy_pattern(rf"[{_APOSTROPHES}\-]")


class _HasText(Protocol):
    @property
    def text(self) -> str: ...


_Rule = TypeVar("_Rule", bound=_HasText)


def may_relate(text: str, rules: Sequence[_Rule]) -> Sequence[_Rule]:
    """Return the rules that may share a content word with a text, in their order.

    All of them, if the text has a content word without a letter or digit, or none.
    """
    content = content_of(text)
    if content <= _FILLER or not all(map(_PIECE.search, content)):
        return rules
    wanted = _meanings_of(text)
    return [rule for rule in rules if not wanted.isdisjoint(_meanings_of(rule.text))]


def _meanings_of(text: str) -> frozenset[str]:
    return frozenset().union(*map(_meanings, _PIECE.findall(text)))


@lru_cache(maxsize=1 << 14)
def _meanings(piece: str) -> frozenset[str]:
    """Return the content words that a piece may be, or be a part of."""
    if piece.isdecimal():
        return frozenset((piece,))
    parts = {part for word in expand(piece) for part in word.split("-")}
    for inner in _INNER.split(piece):
        if len(inner) > 1:
            parts.update(expand(inner))
    return frozenset(one.casefold() for part in parts for one in meanings(part))


_FILLER = frozenset(one for word in FILLER for one in meanings(word))
