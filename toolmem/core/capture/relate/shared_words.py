"""Find the rules that may have a word in common with a text, without parsing them.

Reading ten thousand rules as sentences takes seconds. Here a text is cut into pieces
of letters and digits, and rules without any piece of the text, by stem or synonym, are
left out: they can be neither the same as the text nor its opposite. A piece more than
a sentence has makes no difference, a piece less would: a test compares the answers.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from toolmem.core.capture.relate.content import content_of, stem, words_of_part
from toolmem.core.capture.relate.rules import KnownRule, without_exception
from toolmem.core.capture.text.words import expand

_APOSTROPHES = "'’‘`´ʼ′＇"
_PIECE = re.compile(rf"[^\W_]+(?:[{_APOSTROPHES}\-][^\W_]+)*")
_INNER = re.compile(rf"[{_APOSTROPHES}\-]")


def may_relate(text: str, rules: Sequence[KnownRule]) -> Sequence[KnownRule]:
    """Return the rules that may share a content word with a text, in their order.

    All of them, if the text has no content words, or one without a letter or digit.
    """
    # The text without its exception is compared, too.
    content = content_of(without_exception(text))
    if not content or not all(map(_PIECE.search, content_of(text))):
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
    words = [*expand(piece)]
    for inner in _INNER.split(piece):
        if len(inner) > 1:
            words += expand(inner)
    parts = {part for word in words for part in word.split("-")}
    return frozenset(content.casefold() for part in parts for content in _content(part))


def _content(part: str) -> tuple[str, ...]:
    """Return a word as content, and its stem; nothing for other words."""
    stems = words_of_part(part, part, True)
    return (*stems, stem(part)) if stems else ()
