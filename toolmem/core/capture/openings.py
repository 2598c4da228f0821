"""Which words before a clause's head are passed over, and which are cut off."""

from collections.abc import Sequence
from typing import NamedTuple

from toolmem.core.capture.openers import OPENERS
from toolmem.core.capture.phrases import Table
from toolmem.core.capture.smallwords import word_set
from toolmem.core.capture.words import Token

_TABLE = Table(OPENERS)
_MARKS = word_set(", ; : - – — . ! … ( & * > [ ] )")


class Opening(NamedTuple):
    """Where the clause proper begins, where its chaff ends, and what was said."""

    head: int
    chaff: int
    kinds: frozenset[str]


def read_opening(tokens: Sequence[Token], at: int) -> Opening:
    """Pass over greetings, courtesy and adverbials from a place of a sentence."""
    chaff = at
    cutting = True
    kinds: set[str] = set()
    while at < len(tokens):
        if tokens[at].word in _MARKS:
            at += 1
        else:
            kind, end = _longest(tokens, at)
            if not kind:
                break
            kinds.add(kind)
            cutting = cutting and kind == "chaff"
            at = end
        if cutting:
            chaff = at
    return Opening(at, chaff, frozenset(kinds))


def _longest(tokens: Sequence[Token], at: int) -> tuple[str, int]:
    best = ("", at)
    for kind, end, _ in _TABLE.at(tokens, at):
        if end > best[1]:
            best = (kind, end)
    return best
