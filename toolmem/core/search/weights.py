"""Weights of documents and scopes in a search over a chain."""

from functools import lru_cache
from typing import NamedTuple, Protocol

from toolmem.core import limits
from toolmem.core.scope import parse_scope, weight
from toolmem.core.search.doc import Doc


@lru_cache(maxsize=256)
def _weight(scope: str) -> float:
    return weight(parse_scope(scope))


class PlaceWeights(Protocol):
    """Weight of a hit by its location."""

    def of(self, doc: Doc) -> float:
        """Return the weight of a document."""

    def most(self, scope: str) -> float:
        """Return the largest weight that a document of the scope may have."""


class ScopeWeights(NamedTuple):
    """Weight of the scope; a project's override text has that of overrides."""

    def of(self, doc: Doc) -> float:
        """Return the weight of a document."""
        if doc.kind == "override":
            return limits.WEIGHT_OVERRIDE
        return _weight(doc.scope)

    def most(self, scope: str) -> float:
        """Return the largest weight that a document of the scope may have."""
        parsed = parse_scope(scope)
        if parsed.kind == "project":
            return max(limits.WEIGHT_OVERRIDE, weight(parsed))
        return weight(parsed)


class EqualWeights(NamedTuple):
    """The same weight for every document."""

    def of(self, doc: Doc) -> float:
        """Return the weight of a document."""
        del doc
        return 1.0

    def most(self, scope: str) -> float:
        """Return the largest weight that a document of the scope may have."""
        del scope
        return 1.0
