"""Fit whole results into a token budget, best first; too large ones are skipped."""

from collections.abc import Iterable
from typing import NamedTuple

from toolmem.core.access.rank import RankedItem
from toolmem.core.text.tokens import estimate_tokens


class PackedItems(NamedTuple):
    """Results that fit, their cost in tokens, and the number of those skipped."""

    results: tuple[RankedItem, ...]
    tokens: int
    skipped: int


def pack(ranked: Iterable[RankedItem], budget: int) -> PackedItems:
    """Take the results that fit into the budget (in tokens), in order."""
    packed, used, skipped = [], 0, 0
    for each in ranked:
        cost = estimate_tokens(each.item.content)
        if used + cost <= budget:
            packed.append(each)
            used += cost
        else:
            skipped += 1
    return PackedItems(tuple(packed), used, skipped)
