"""Which of the vault's own topics a text is about, by whole words.

A topic whose name stands in the text is meant; else the memories nearest to it
vote, each by its relevance, when they share enough words with it to know.
"""

from collections.abc import Iterable
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.search.terms import normal_topic, stem_of, words
from toolmem.errors import UsageError


class Neighbour(NamedTuple):
    """A memory near to a text: its topic and relevance (0..1).

    ``shared`` is how many of the ``asked`` words of the text it has.
    """

    topic: str
    relevance: float
    shared: int
    asked: int


def stated_topic(text: str) -> str:
    """A topic that somebody gives, as it is kept; empty for none.

    Raises ``UsageError`` for one without a word.
    """
    topic = normal_topic(text)
    if text.strip() and not topic:
        raise UsageError(f"{text!r} has no word for a topic")
    return topic


def infer_topic(text: str, neighbours: Iterable[Neighbour]) -> str | None:
    """The topic that a text is about, or None when nothing says so clearly."""
    found = {stem_of(word) for word in words(text)}
    votes: dict[str, float] = {}
    named: dict[str, float] = {}
    for near in neighbours:
        if not near.topic:
            continue
        if _is_named(near.topic, found):
            named[near.topic] = named.get(near.topic, 0.0) + near.relevance
        enough = max(limits.TOPIC_WORDS, limits.TOPIC_OVERLAP * near.asked)
        if near.shared >= enough:
            votes[near.topic] = votes.get(near.topic, 0.0) + near.relevance
    if named:
        return max(sorted(named), key=lambda topic: named[topic])
    total = sum(votes.values())
    if not total:
        return None
    best = max(sorted(votes), key=lambda topic: votes[topic])
    return best if votes[best] >= limits.TOPIC_SHARE * total else None


def _is_named(topic: str, found: set[str]) -> bool:
    parts = words(topic)
    return bool(parts) and all(stem_of(part) in found for part in parts)
