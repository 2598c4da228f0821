"""A sketch of the memories of a scope: enough to find the topic of a text.

It contains the words of the first memories of each topic, so that its size does not
depend on the number of memories. It is searched as bytes: decoding it would take longer
than everything else that a hook does.
"""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from toolmem.core import limits
from toolmem.core.language.language import ENGLISH, Language
from toolmem.core.memories.topics import Neighbour, distinctive_stems, infer_topic
from toolmem.core.search.query import parse_query, rarity

_FORMAT = "toolmem-topics-4"

Mark = tuple[str, int, int]
"""A folder or file of a scope, its inode, and the time of its last change."""
Stamp = tuple[int, int]
"""Inode of a memory's file, and the time of its last change."""


class SketchedMemory(NamedTuple):
    """A memory in a sketch: its location, its topic (or none), and its stems."""

    path: str
    topic: str
    stems: Sequence[str]


class SketchError(ValueError):
    """The bytes are not a sketch of this version."""


class TopicSketch:
    """Sketch of one scope; ``marks`` identify what it was made from.

    ``partial`` means that the scope has more memories than were read one by one;
    ``until`` is the time, in seconds, at which one of the sketch expires (0: none).
    ``stamps`` are those of the memories of a partial one.
    """

    def __init__(self, data: bytes) -> None:
        """Take the bytes of ``encode``. Raises ``SketchError``."""
        header, _, rest = data.partition(b"\n")
        try:
            known = json.loads(header)
            if known["format"] != _FORMAT:
                raise SketchError("another version")
            self.partial = bool(known["partial"])
            self.until = float(known["until"])
            self.marks: list[Mark] = [
                (str(path), int(inode), int(when))
                for path, inode, when in known["marks"]
            ]
            self.stamps: list[Stamp] = [
                (int(inode), int(when)) for inode, when in known["stamps"]
            ]
            memories, self._postings = rest.split(b"\n", 1)
            self.memories: list[tuple[str, str]] = [
                (str(path), str(topic)) for path, topic in json.loads(memories)
            ]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise SketchError("not a sketch") from error
        if not self._postings.endswith(b"\n"):
            raise SketchError("cut off")
        if self.partial and len(self.stamps) != len(self.memories):
            raise SketchError("memories without stamps")
        self._left_out: frozenset[int] = frozenset()

    def leave_out(self, places: Iterable[int]) -> None:
        """Let the memories at some places have no influence."""
        self._left_out = frozenset(places)

    @property
    def present(self) -> list[tuple[int, str, str]]:
        """Place, path and topic of each memory that is not left out."""
        return [
            (place, path, topic)
            for place, (path, topic) in enumerate(self.memories)
            if place not in self._left_out
        ]

    def having(self, stem: str) -> list[int]:
        """Return the places of the memories that contain a stem."""
        key = f"\n{stem}\t".encode("utf-8", "surrogatepass")
        at = self._postings.find(key)
        if at < 0:
            return []
        end = self._postings.index(b"\n", at + len(key))
        try:
            found = [int(n) for n in self._postings[at + len(key) : end].split(b" ")]
        except ValueError:
            return []
        most, gone = len(self.memories), self._left_out
        return [place for place in found if 0 <= place < most and place not in gone]


def encode(
    memories: Iterable[SketchedMemory],
    marks: Sequence[Mark],
    *,
    partial: bool,
    until: float = 0.0,
    stamps: Sequence[Stamp] = (),
) -> bytes:
    """Return the bytes of a sketch."""
    stored = list(memories)
    postings: dict[str, list[str]] = {}
    for place, one in enumerate(stored):
        for stem in dict.fromkeys(one.stems):
            postings.setdefault(stem, []).append(str(place))
    header = {
        "format": _FORMAT,
        "partial": partial,
        "until": until,
        "marks": marks,
        "stamps": stamps,
    }
    lines = [
        json.dumps(header),
        json.dumps([(one.path, one.topic) for one in stored]),
        "",
        *(f"{stem}\t{' '.join(places)}" for stem, places in sorted(postings.items())),
        "",
    ]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def places_of(text: str, sketch: TopicSketch, language: Language = ENGLISH) -> set[int]:
    """Return the places of the memories that have a word of a text.

    Only these have an influence on its topic.
    """
    stems = [stem for _, stem in parse_query(text, language).words]
    return {place for stem in stems for place in sketch.having(stem)}


def find_topic(
    text: str, sketches: Sequence[TopicSketch], language: Language = ENGLISH
) -> tuple[str, list[str]]:
    """Return the topic that a text is about, and its memories, the most similar first.

    ``sketches`` are those of a chain, narrowest scope first. A topic is decided on as
    ``topic_finder.find_topic`` does for the hits of a search.
    """
    found = _evidence(text, sketches, language)
    neighbours = [
        Neighbour(sketches[of].memories[place][1], shared, evidence)
        for (of, place), (shared, evidence) in found.items()
    ]
    topic = infer_topic(text, neighbours, language=language)
    if topic is None:
        return "", []
    ranked = sorted(
        (-found.get((of, place), (0, 0.0))[1], of, place, path)
        for of, sketch in enumerate(sketches)
        for place, path, named in sketch.present
        if named == topic
    )
    return topic, [path for _, _, _, path in ranked]


def _evidence(
    text: str, sketches: Sequence[TopicSketch], language: Language
) -> dict[tuple[int, int], tuple[int, float]]:
    """Return the number of shared distinctive stems, and their rarity, by memory."""
    distinctive = distinctive_stems(text, language)
    documents = sum(map(_documents, sketches))
    found: dict[tuple[int, int], tuple[int, float]] = {}
    for _, stem in sorted(parse_query(text, language).words):
        places = [
            (of, place)
            for of, sketch in enumerate(sketches)
            for place in sketch.having(stem)
        ]
        weight = rarity(documents, len(places)) if stem in distinctive else 0.0
        for key in places:
            shared, evidence = found.get(key, (0, 0.0))
            found[key] = (shared + (stem in distinctive), evidence + weight)
    return found


def _documents(sketch: TopicSketch) -> int:
    """Return the number of memories; of a partial sketch the usual one.

    The words of a memory that has none in common with a text are not looked at: it may
    have become private since.
    """
    return limits.SKETCH_MEMORIES if sketch.partial else len(sketch.present)
