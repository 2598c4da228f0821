"""Infer a topic with the documents that a search sees."""

from collections.abc import Iterable

from toolmem.core import limits
from toolmem.core.memories.topics import (
    Neighbour,
    distinctive_stems,
    infer_topic,
    least_shared,
)
from toolmem.core.search.corpus import Corpus
from toolmem.core.search.find import Hit, find
from toolmem.core.search.query import parse_query, rarity
from toolmem.core.search.ranking import FindRequest
from toolmem.core.text.terms import normal_topic


def find_topic(corpus: Corpus, text: str) -> str:
    """Return the topic of the corpus that a task is about, or an empty text."""
    if not text.strip():
        return ""
    similar = neighbours(corpus, text, _search(corpus, text))
    return infer_topic(text, similar, language=corpus.language) or ""


def topic_of_saved(corpus: Corpus, text: str, hits: Iterable[Hit]) -> str:
    """Return the topic of a text to save, or an empty text; ``hits`` of a search for
    it.

    A wrong topic would persist, so that one word in common is not enough.
    """
    similar = neighbours(corpus, text, hits)
    return infer_topic(text, similar, limits.TOPIC_WORDS, corpus.language) or ""


def find_untopical(corpus: Corpus, text: str) -> list[Hit]:
    """Return memories without a topic that a text is clearly about."""
    hits = _search(corpus, text)
    similar = neighbours(corpus, text, hits)
    least = least_shared(len(distinctive_stems(text, corpus.language)))
    rival = max(
        (neighbour.evidence for neighbour in similar if neighbour.topic), default=0.0
    )
    own = max(
        (neighbour.evidence for neighbour in similar if not neighbour.topic),
        default=0.0,
    )
    floor = max(limits.TOPIC_MARGIN * rival, own / limits.TOPIC_MARGIN)
    return [
        hit
        for hit, neighbour in zip(hits, similar, strict=True)
        if not neighbour.topic
        and neighbour.shared >= least
        and neighbour.evidence >= floor
    ]


def find_fitting(corpus: Corpus, text: str, topic: str) -> list[Hit]:
    """Return memories off a topic that a text is more about than any that is on it."""
    hits = _search(corpus, text)
    similar = neighbours(corpus, text, hits)
    least = least_shared(len(distinctive_stems(text, corpus.language)))
    rival = max(
        (neighbour.evidence for neighbour in similar if neighbour.topic == topic),
        default=0.0,
    )
    return [
        hit
        for hit, neighbour in zip(hits, similar, strict=True)
        if neighbour.topic != topic
        and neighbour.shared >= least
        and neighbour.evidence > rival
    ]


def neighbours(corpus: Corpus, text: str, hits: Iterable[Hit]) -> list[Neighbour]:
    """Return the evidence of a search's hits for the topic of its text."""
    asked = distinctive_stems(text, corpus.language)
    documents = corpus.totals().documents
    near = []
    for hit in hits:
        shared = asked.intersection(term for term, _ in hit.parts)
        evidence = sum(
            rarity(documents, corpus.frequency(term)) for term in sorted(shared)
        )
        near.append(Neighbour(normal_topic(hit.doc.topic), len(shared), evidence))
    return near


def _search(corpus: Corpus, text: str) -> tuple[Hit, ...]:
    request = FindRequest(
        parse_query(text, corpus.language), limit=limits.TOPIC_NEIGHBOURS
    )
    return find(corpus, request).hits
