"""Exclude memories that cannot be about the topic of a text, without parsing them.

Most user messages are about no topic of the vault, and a search for one takes longer
than everything else that a hook does. An excluded memory would not count in
``topics.infer_topic``: it has no topic, or one already found, or neither its topic nor
enough other words are in the text.
"""

import re
from collections.abc import Container

from toolmem.core.language.language import Language
from toolmem.core.memories.topics import distinctive_stems, least_shared
from toolmem.core.named_tuple import NamedTuple
from toolmem.core.search.terms import normal_topic, words

_TOPIC = r"(?m)^topic:[ \t]*([\w][\w /.-]*)[ \t]*\r?$"
_FENCE = "---"
_BOM = "\ufeff"
_COMPARED = 2
"""Letters of a word that are compared before it is stemmed."""


class TopicText(NamedTuple):
    """A text as topics are compared with it: its stems, and the beginnings of its
    words; a memory must share at least ``least`` of them."""

    stems: frozenset[str]
    every: frozenset[str]
    beginnings: frozenset[str]
    least: float
    language: Language


def asked_of(text: str, language: Language) -> TopicText:
    """Return the words of a text that could be about a topic."""
    stems = distinctive_stems(text, language)
    return TopicText(
        stems,
        frozenset(language.stems(words(text))),
        frozenset(language.beginning(stem)[:_COMPARED] for stem in stems),
        least_shared(len(stems)),
        language,
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
    if asked.every.issuperset(asked.language.stems(words(topic))):
        return True
    begun = asked.beginnings
    similar = {
        word
        for word in words(f"{path}\n{text}")
        if word[:_COMPARED] in begun or word[:1] in begun
    }
    return len(asked.stems.intersection(asked.language.stems(similar))) >= asked.least
