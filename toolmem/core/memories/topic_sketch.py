"""Whether a text may be about a memory's topic, seen without parsing the memory.

Most messages of a user enter no topic of the vault, and to search for that takes
longer than all else that a hook does. What is passed over here would not count in
``topics.infer_topic``: a memory without a topic, one whose topic is known already,
or one that neither names its topic in the text nor shares enough words with it.
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
"""Letters that a word has in common with its stem, where that has so many."""


class TopicText(NamedTuple):
    """A text as topics are compared with it: its stems, and the beginnings of its
    words; ``least`` is how many a memory must share."""

    stems: frozenset[str]
    every: frozenset[str]
    beginnings: frozenset[str]
    least: float


def asked_of(text: str) -> TopicText:
    """The words of a text that could be about a topic."""
    stems = distinctive_stems(text)
    return TopicText(
        stems,
        frozenset(map(stem_of, words(text))),
        frozenset(stem[:_SAME] for stem in stems),
        least_shared(len(stems)),
    )


def may_be_about(asked: TopicText, path: str, text: str, known: Container[str]) -> bool:
    """Whether a memory may say that the text is about its topic.

    ``known`` are topics that do not count any more. A misspelt word counts for none.
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
