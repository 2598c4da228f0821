"""Order hits by their scores and the weights of their scopes."""

from collections.abc import Iterable, Iterator, Mapping
from heapq import nsmallest
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from toolmem.core import search_limits
from toolmem.core.search.corpus import CandidateDocument
from toolmem.core.search.scores import NO_GAINS, Gains

_LOOKED_AT = 10
"""Hits beyond the limit that may supersede one within it."""
_SUPERSEDED = 0.99
"""Share of a score below which what it supersedes is."""


class ScoredCandidate(NamedTuple):
    """A candidate with its BM25 score and that score times its scope's weight.

    ``gains`` are those of the terms of the question, if they may be needed again.
    """

    candidate: CandidateDocument
    bm25: float
    weighted: float
    gains: Gains = NO_GAINS


def arrange(
    scored: Iterable[ScoredCandidate],
    limit: int,
    named: Mapping[tuple[str, str], int] = MappingProxyType({}),
) -> list[ScoredCandidate]:
    """Return the first ``limit`` hits; those ``named`` by the question come first.

    A higher number comes before a lower one, then the weighted score decides.
    """
    hits = list(scored)
    first = [hit for hit in hits if hit.candidate.key in named]
    if not first:
        return _by_place(hits, limit)
    first.sort(key=lambda hit: (-named[hit.candidate.key], *_by_weighted(hit)))
    head = distinct(first, limit)
    shown = {hit.candidate.text for hit in head}
    rest = [hit for hit in hits if hit.candidate.text not in shown]
    return head + _by_place(rest, limit - len(head))


def _by_place(hits: list[ScoredCandidate], limit: int) -> list[ScoredCandidate]:
    """Return the first ``limit`` hits by weighted score; two places are reserved.

    The two most relevant texts get places 4 and 5 if they are not above them, so that a
    broad scope's knowledge is still found. Of equal texts only the first is a hit. Ties
    are broken by id.
    """
    first, last = search_limits.GUARD_PLACES
    ordered = distinct(sorted(hits, key=_by_weighted), limit + 2)
    if limit <= last:
        return ordered[:limit]
    head, tail = ordered[:first], ordered[first:]
    shown = {hit.candidate.text for hit in head}
    best = distinct(sorted(hits, key=_by_bm25), 2)
    reserved = [hit for hit in best if hit.candidate.text not in shown]
    taken = {hit.candidate.text for hit in reserved}
    others = [hit for hit in tail if hit.candidate.text not in taken]
    free = 2 - len(reserved)
    places = sorted(reserved + others[:free], key=_by_weighted)
    return (head + places + others[free:])[:limit]


def below_successors(
    scored: Iterable[ScoredCandidate], limit: int
) -> tuple[list[ScoredCandidate], dict[str, str]]:
    """Return hits of which the superseded ones are below what supersedes them.

    Also returns the successor of each superseded id. Only those that are among the
    first hits, and some more, are looked at.
    """
    hits = list(scored)
    first = nsmallest(limit + _LOOKED_AT, hits, key=_by_weighted)
    successors = {
        old: hit
        for hit in first
        for old in hit.candidate.doc.supersedes
        if old != hit.candidate.key[0]
    }
    if not successors:
        return hits, {}
    capped = [_below(hit, successors) for hit in hits]
    return capped, {old: hit.candidate.key[0] for old, hit in successors.items()}


def _below(
    hit: ScoredCandidate, successors: Mapping[str, ScoredCandidate]
) -> ScoredCandidate:
    """Return a hit with a score below those of its successors, in turn."""
    seen = {hit.candidate.key[0]}
    at: ScoredCandidate | None = hit
    while at and (at := successors.get(at.candidate.key[0])):
        if at.candidate.key[0] in seen:
            break  # two that supersede each other
        seen.add(at.candidate.key[0])
        bm25, weighted = _SUPERSEDED * at.bm25, _SUPERSEDED * at.weighted
        hit = hit._replace(
            bm25=min(hit.bm25, bm25), weighted=min(hit.weighted, weighted)
        )
    return hit


def distinct(hits: Iterable[ScoredCandidate], most: int) -> list[ScoredCandidate]:
    """Return the first hits without those of equal text, at most so many."""
    return list(islice(_distinct(hits), most))


def _distinct(hits: Iterable[ScoredCandidate]) -> Iterator[ScoredCandidate]:
    seen: set[tuple[str, str, str]] = set()
    for hit in hits:
        text = hit.candidate.text
        if text not in seen:
            seen.add(text)
            yield hit


def _by_weighted(hit: ScoredCandidate) -> tuple[float, tuple[str, str]]:
    return -hit.weighted, hit.candidate.key


def _by_bm25(hit: ScoredCandidate) -> tuple[float, tuple[str, str]]:
    return -hit.bm25, hit.candidate.key
