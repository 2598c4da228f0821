"""Weights of documents by their place in a search over a chain."""

from collections.abc import Callable, Iterable
from functools import lru_cache

from toolmem.core import limits
from toolmem.core.scope import parse_scope, weight
from toolmem.core.search.corpus import Place

PlaceWeights = Callable[[Place], float]
"""Weight of a hit by its place."""


@lru_cache(maxsize=10_000)
def scope_weight(scope: str) -> float:
    """Return the weight of a hit from a scope, given as text."""
    return weight(parse_scope(scope))


def weight_of_scope(place: Place) -> float:
    """Return the weight of the scope; a project's override text has its own."""
    if place.kind == "override":
        return limits.WEIGHT_OVERRIDE
    return scope_weight(place.scope)


def equal_weight(_: Place) -> float:
    """Return the same weight for every document."""
    return 1.0


def by_weight(
    places: Iterable[Place], weight_of: PlaceWeights
) -> dict[float, frozenset[Place]]:
    """Return places by the weight of their documents."""
    found: dict[float, frozenset[Place]] = {}
    for place in places:
        weight = weight_of(place)
        found[weight] = found.get(weight, frozenset()) | {place}
    return found
