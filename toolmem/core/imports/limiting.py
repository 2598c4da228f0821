"""Find the sentences of a text that limit the rules around them."""

import re
from collections.abc import Iterator, Sequence

from toolmem.core.imports.conditions import (
    introduces,
    limits_back,
    retracts,
    scope_in,
)
from toolmem.core.imports.outline import OutlineLine, Parent

MOST_LIMITS = 8
"""Limiting sentences of a section that are read; a rule with more is too long."""
_MOST_AFTER = 20
"""Lines after a rule that may limit it."""
_POINTS = re.compile(
    r"(?i)\b(?:this|these|following|below"
    r"|it(?! (?:is|was|used to be|had been) (?:\w+ ){0,3}?(?:to|that)\b))\b"
)
"""Words that mean other sentences; not "it" in "it used to be forbidden to"."""


class LimitingSentences:
    """Sentences that limit the block or the section that they are in."""

    def __init__(self, lines: Sequence[str], places: Sequence[OutlineLine]) -> None:
        blocks: dict[int, list[str]] = {}
        for line, place in zip(lines, places, strict=True):
            if place.block >= 0 and line.strip():
                blocks.setdefault(place.block, []).append(line.strip())
        self._retracted: dict[int, str] = {}
        self._sections: dict[tuple[Parent, ...], list[str]] = {}
        self._titles = [
            tuple(
                parent for parent in place.parents if parent.kind in ("heading", "tag")
            )
            for place in places
        ]
        self._lines, self._places = lines, places
        for block, texts in blocks.items():
            said = " ".join(texts)
            if retracts(said):
                self._retracted[block] = said
            if scope_in(said):
                titles = self._titles[block]
                self._limit(titles, scope_in(said))
            elif block in self._retracted and _points(said):
                self._limit(self._titles[block], said)

    def _limit(self, titles: tuple[Parent, ...], said: str) -> None:
        limiting = self._sections.setdefault(titles, [])
        if len(limiting) <= MOST_LIMITS:
            limiting.append(said)

    def limits_back(self, line: int, after: str) -> bool:
        """Return True if what comes after a rule in a line limits it.

        That is the rest of its block, the items below it and the next block.
        """
        own = self._places[line].block
        rest = [after.partition("\n")[0]]
        below = range(line + 1, min(len(self._lines), line + _MOST_AFTER))
        for at in below:
            place, text = self._places[at], self._lines[at]
            under = any(parent.start == own for parent in place.parents)
            if own >= 0 and (under or place.block == own):
                rest.append(text)
            elif text.strip():
                return limits_back(" ".join(rest), text)
        return limits_back(" ".join(rest), "")

    def of(self, line: int) -> list[str]:
        """Return the limiting sentences above and in the block of a line."""
        titles = self._titles[line]
        limits = [
            said
            for depth in range(len(titles) + 1)
            for said in self._sections.get(titles[:depth], ())
        ]
        own = self._retracted.get(self._places[line].block)
        return [*limits, own] if own else limits


def introductions(block: str) -> Iterator[str]:
    """Yield the sentences of a block that say for what the next ones are."""
    ended = re.split(r"(?<=[.!?])\s+", block)
    yield from (
        sentence.strip()
        for sentence in ended
        if sentence.strip() and introduces(sentence)
    )


def _points(block: str) -> bool:
    return _POINTS.search(block) is not None
