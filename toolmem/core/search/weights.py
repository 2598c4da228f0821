"""Weights of documents by their place in a search over a chain."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, Protocol

from toolmem.core import limits
from toolmem.core.scope import parse_scope, weight
from toolmem.core.search.corpus import Place


@lru_cache(maxsize=10_000)
def scope_weight(scope: str) -> float:
    """Return the weight of a hit from a scope, given as text."""
    return weight(parse_scope(scope))


class PlaceWeights(Protocol):
    """Weight of a hit by its place."""

    def of(self, place: Place) -> float:
        """Return the weight of the documents of a place."""


class ScopeWeights(NamedTuple):
    """Weight of the scope; a project's override text has that of overrides."""

    def of(self, place: Place) -> float:
        """Return the weight of the documents of a place."""
        if place.kind == "override":
            return limits.WEIGHT_OVERRIDE
        return scope_weight(place.scope)


def by_weight(
    places: Iterable[Place], weights: PlaceWeights
) -> dict[float, frozenset[Place]]:
    """Return places by the weight of their documents."""
    found: dict[float, frozenset[Place]] = {}
    for place in places:
        weight = weights.of(place)
        found[weight] = found.get(weight, frozenset()) | {place}
    return found


class EqualWeights(NamedTuple):
    """The same weight for every document."""

    def of(self, place: Place) -> float:
        """Return the weight of the documents of a place."""
        del place
        return 1.0
