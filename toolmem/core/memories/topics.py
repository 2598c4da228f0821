"""Find the topic of the vault that a text is about.

A topic whose name is in the text is the one. Otherwise the hits of a search for the
text decide: the topic of the memory that shares most with it, weighted by the rarity of
the shared words, if it shares enough and is clearly ahead of other topics. Words of any
request ("fix", "name") do not count.
"""

from collections.abc import Iterable
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.language.language import ENGLISH, Language
from toolmem.core.memories.request_words import request_stems
from toolmem.core.search.query import parse_query
from toolmem.core.text.terms import stored_label, words
from toolmem.errors import UsageError


class Neighbour(NamedTuple):
    """A memory that a search for a text found.

    ``shared`` is the number of distinctive stems of the text in the memory,
    ``evidence`` the sum of their rarities.
    """

    topic: str
    shared: int
    evidence: float


def distinctive_stems(text: str, language: Language) -> frozenset[str]:
    """Return the stems of a text that indicate its subject."""
    asked = frozenset(stem for _, stem in parse_query(text, language).words)
    return asked - request_stems(language)


def least_shared(asked: int, fewest: int = 1) -> float:
    """Return how many of ``asked`` distinctive stems a memory must share."""
    some = max(limits.TOPIC_WORDS, limits.TOPIC_OVERLAP * asked)
    enough = min(some, limits.TOPIC_COVERED * asked) if asked else float("inf")
    return max(fewest, enough)


def stated_topic(text: str) -> str:
    """Return the stored form of a given topic; empty for a blank one.

    Raises ``UsageError`` for one without a word.
    """
    topic = stored_label(text)
    if text.strip() and not topic:
        raise UsageError(f"{text!r} contains no word that can be a topic")
    return topic


def infer_topic(
    text: str,
    neighbours: Iterable[Neighbour],
    fewest: int = 1,
    language: Language = ENGLISH,
) -> str | None:
    """Return the topic that a text is about, or None if that is not clear.

    A memory must share at least ``fewest`` words with it.
    """
    stems = set(language.stems(words(text)))
    least = least_shared(len(distinctive_stems(text, language)), fewest)
    evidence: dict[str, float] = {}
    shared: dict[str, int] = {}
    for neighbour in neighbours:
        if neighbour.topic:
            known = evidence.get(neighbour.topic, 0.0)
            evidence[neighbour.topic] = max(known, neighbour.evidence)
            shared[neighbour.topic] = max(
                shared.get(neighbour.topic, 0), neighbour.shared
            )
    ordered = sorted(evidence, key=lambda topic: (-evidence[topic], topic))
    named = [topic for topic in ordered if _is_named(topic, stems, language)]
    if named:
        return named[0]
    if not ordered or shared[ordered[0]] < least:
        return None
    second = evidence[ordered[1]] if len(ordered) > 1 else 0.0
    is_clear = evidence[ordered[0]] >= limits.TOPIC_MARGIN * second
    return ordered[0] if is_clear else None


def _is_named(topic: str, stems: set[str], language: Language) -> bool:
    parts = language.stems(words(topic))
    return bool(parts) and stems.issuperset(parts)
