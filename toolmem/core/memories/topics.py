"""Find the topic of the vault that a text is about.

A topic whose name is among the words of the text is meant. Else the hits of a search
for the text decide: the topic of the memory that shares most with it, weighted by the
rarity of the shared words, when it shares enough and no other topic comes near. Words
of any request ("fix", "name") count for nothing.
"""

from collections.abc import Iterable

from toolmem.core import limits
from toolmem.core.memories.request_words import request_stems
from toolmem.core.named_tuple import NamedTuple
from toolmem.core.search.query import parse_query
from toolmem.core.search.terms import normal_topic, stem_of, words
from toolmem.errors import UsageError


class Neighbour(NamedTuple):
    """A memory that a search for a text found.

    ``shared`` is how many telling stems of the text the memory has, ``evidence`` the
    sum of their rarities.
    """

    topic: str
    shared: int
    evidence: float


def telling_stems(text: str) -> frozenset[str]:
    """The stems of a text that say what it is about."""
    asked = frozenset(stem for _, stem in parse_query(text).words)
    return asked - request_stems()


def least_shared(asked: int, fewest: int = 1) -> float:
    """How many of so many telling stems a memory must share to say the topic."""
    some = max(limits.TOPIC_WORDS, limits.TOPIC_OVERLAP * asked)
    enough = min(some, limits.TOPIC_COVERED * asked) if asked else float("inf")
    return max(fewest, enough)


def stated_topic(text: str) -> str:
    """A topic that somebody gives, as it is kept; empty for none.

    Raises ``UsageError`` for one without a word.
    """
    topic = normal_topic(text)
    if text.strip() and not topic:
        raise UsageError(f"{text!r} contains no word that can be a topic")
    return topic


def infer_topic(
    text: str, neighbours: Iterable[Neighbour], fewest: int = 1
) -> str | None:
    """The topic that a text is about, or None where nothing says so clearly.

    A memory must share at least the ``fewest`` words with it.
    """
    found = {stem_of(word) for word in words(text)}
    least = least_shared(len(telling_stems(text)), fewest)
    evidence: dict[str, float] = {}
    shared: dict[str, int] = {}
    for near in neighbours:
        if near.topic:
            known = evidence.get(near.topic, 0.0)
            evidence[near.topic] = max(known, near.evidence)
            shared[near.topic] = max(shared.get(near.topic, 0), near.shared)
    ordered = sorted(evidence, key=lambda topic: (-evidence[topic], topic))
    named = [topic for topic in ordered if _is_named(topic, found)]
    if named:
        return named[0]
    if not ordered or shared[ordered[0]] < least:
        return None
    second = evidence[ordered[1]] if len(ordered) > 1 else 0.0
    is_clear = evidence[ordered[0]] >= limits.TOPIC_MARGIN * second
    return ordered[0] if is_clear else None


def _is_named(topic: str, found: set[str]) -> bool:
    parts = words(topic)
    return bool(parts) and all(stem_of(part) in found for part in parts)
