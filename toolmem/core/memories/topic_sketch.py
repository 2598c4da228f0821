"""Exclude memories that cannot be about the topic of a text, without parsing them.

Most user messages are about no topic of the vault, and a search for one takes longer
than everything else that a hook does. An excluded memory would not count in
``topics.infer_topic``: it has no topic, or one already found, or neither its topic nor
enough other words are in the text.
"""

import re
from collections.abc import Container

from toolmem.core.memories.topics import distinctive_stems, least_shared
from toolmem.core.named_tuple import NamedTuple
from toolmem.core.search.terms import normal_topic, stem_of, words

_TOPIC = r"(?m)^topic:[ \t]*([\w][\w /.-]*)[ \t]*\r?$"
_FENCE = "---"
_BOM = "\ufeff"
_SAME = 2
"""Letters that a word has in common with its stem, if the stem is so long."""


class TopicText(NamedTuple):
    """A text as topics are compared with it: its stems, and the beginnings of its
    words; a memory must share at least ``least`` of them."""

    stems: frozenset[str]
    every: frozenset[str]
    beginnings: frozenset[str]
    least: float


def asked_of(text: str) -> TopicText:
    """Return the words of a text that could be about a topic."""
    stems = distinctive_stems(text)
    return TopicText(
        stems,
        frozenset(map(stem_of, words(text))),
        frozenset(stem[:_SAME] for stem in stems),
        least_shared(len(stems)),
    )


def may_be_about(asked: TopicText, path: str, text: str, known: Container[str]) -> bool:
    """Return False if a memory is certainly not evidence for its topic.

    ``known`` are topics that need no more evidence. A misspelt word counts as none.
    """
    text = text.removeprefix(_BOM)
    if not text.startswith(_FENCE):
        return False
    header = text.partition(f"\n{_FENCE}")[0]
    if "topic" not in header:
        return False
    stated = re.search(_TOPIC, header)
    if stated is None:
        return True
    topic = normal_topic(stated[1])
    if topic in known:
        return False
    if all(stem_of(word) in asked.every for word in words(topic)):
        return True
    begun = asked.beginnings
    similar = {
        word
        for word in words(f"{path}\n{text}")
        if word[:_SAME] in begun or word[:1] in begun
    }
    return len(asked.stems.intersection(map(stem_of, similar))) >= asked.least
