"""Features of a sentence for the linear model: its words, cues, place and address."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import exp
from struct import Struct
from typing import NamedTuple
from zlib import crc32

from toolmem.core.capture.detect.cues import announces_rules, cues
from toolmem.core.capture.text.lists import word_list, word_lists
from toolmem.core.capture.text.sentences import Sentence
from toolmem.core.capture.text.words import Token, word_set
from toolmem.core.package_data import read_data

_MOST_WORDS = 60
"""Words of a sentence that are read: longer ones are seldom rules."""
_SHORT = 6
_TASK_VERBS = word_list("features task verbs")
_SUBJECTS = word_set("i we you it he she they this that these those there")
_CLASSES = {
    word: name for name, group in word_lists("class ").items() for word in sorted(group)
}
"""Classes of words: negation, modal, the user, the agent's work, the product, time."""
_OPENS_CONDITION = word_set("when whenever if before after while unless until once")
_STEM = 5
"""Letters of a word that its forms share."""


class Surroundings(NamedTuple):
    """The message around a sentence: its size, the sentence's place, its neighbours.

    ``before`` and ``after`` are the words of the sentences next to it.
    """

    place: int
    sentences: int
    chars: int
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


def features(
    sentence: Sentence, tokens: Sequence[Token], around: Surroundings
) -> Iterator[str]:
    """Return the features of a sentence, each once or more."""
    words = [token.word for token in tokens[:_MOST_WORDS]]
    plain = [word for word in words if word[0].isalnum() or word[0] == "<"]
    yield from (f"w {word}" for word in plain)
    yield from (f"s {word[:_STEM]}" for word in plain if len(word) > _STEM)
    yield from (f"b{at} {word}" for at, word in enumerate(plain[:3]))
    yield from (f"e {word}" for word in plain[-2:])
    yield from (f"2 {one} {other}" for one, other in pairwise(plain))
    yield from (f"cue {name}" for name in cues(tokens) or ("none",))
    yield from _of_place(sentence, around)
    yield from _of_form(words, plain)
    yield from _of_classes(words)
    yield from _of_neighbours(plain, around)


def _of_place(sentence: Sentence, around: Surroundings) -> Iterator[str]:
    yield f"kind {sentence.kind}"
    if sentence.lead:
        yield "led"
        yield from (f"lead {word}" for word in sentence.lead.split()[-4:])
    if announces_rules(sentence.lead):
        yield "led by rules"
    if around.sentences == 1:
        yield "alone"
    else:
        last = around.place == around.sentences - 1
        yield "first" if around.place == 0 else "last" if last else "middle"
    yield f"count {min(around.sentences, 40).bit_length()}"
    yield f"message {around.chars.bit_length()}"


def _of_form(words: Sequence[str], plain: Sequence[str]) -> Iterator[str]:
    yield f"length {min(len(plain), 60) // 4}"
    if len(plain) <= _SHORT:
        yield "short"
    if "?" in words:
        yield "question"
    first = plain[0] if plain else ""
    if first in _TASK_VERBS:
        yield "begins as a task"
    if first in _SUBJECTS:
        yield "begins with a subject"


def _of_classes(words: Sequence[str]) -> Iterator[str]:
    """Yield runs of word classes, the subject of a modal and that of a condition."""
    classes = [_CLASSES.get(word, "." if word.isalnum() else word) for word in words]
    yield from (f"class {name}" for name in sorted(set(classes)))
    runs = [name for at, name in enumerate(classes) if classes[at - 1 : at] != [name]]
    yield from (f"2c {one} {other}" for one, other in pairwise(runs))
    yield from (f"3c {' '.join(runs[at : at + 3])}" for at in range(len(runs) - 2))
    yield from (f"^{size} {' '.join(runs[:size])}" for size in (2, 3, 4, 5))
    for at, word in enumerate(words):
        if classes[at] in ("modal", "negation") and at:
            yield f"subject {_head(classes[max(0, at - 5) : at])} {word}"
        if word in _OPENS_CONDITION:
            yield f"condition {word} {_head(classes[at + 1 : at + 4])}"
        if word == "this" or (word in ("for", "in") and at + 1 < len(words)):
            yield f"scope {word} {' '.join(words[at + 1 : at + 3])}"


def _head(classes: Sequence[str]) -> str:
    """Return the class that says most about who or what a clause is about."""
    named = (name for name in _SUBJECT_CLASSES if name in classes)
    return next(named, "other")


_SUBJECT_CLASSES = ("agent", "we", "user", "product", "work")


def _of_neighbours(plain: Sequence[str], around: Surroundings) -> Iterator[str]:
    """Yield how the sentences next to one begin, and the things that it shares."""
    for name, words in (("before", around.before), ("after", around.after)):
        if words:
            yield f"{name} {_CLASSES.get(words[0], words[0])}"
            yield from (f"{name} has {kind}" for kind in _classes_of(words))
            if words[0] in _TASK_VERBS:
                yield f"{name} a task"
                if any(len(word) > _STEM and word in plain for word in words):
                    yield f"{name} a task on the same thing"


def _classes_of(words: Iterable[str]) -> set[str]:
    return {_CLASSES[word] for word in words if word in _CLASSES}


BUCKETS = 1 << 17
HEADER = Struct("<fff")
FILE = "capture/detect/weights.bin"


class Model(NamedTuple):
    """Weights by bucket; a score of ``threshold`` or above is a candidate."""

    weights: "array[int]"
    scale: float
    bias: float
    threshold: float

    def score(self, features: Iterable[str]) -> float:
        """Return the log odds of a sentence with these features."""
        weights = self.weights
        return self.bias + self.scale * sum(weights[at] for at in buckets(features))


def buckets(features: Iterable[str]) -> set[int]:
    """Return the buckets of features; each counts once."""
    return {crc32(feature.encode("utf-8", "replace")) % BUCKETS for feature in features}


def parse_model(data: bytes) -> Model:
    """Read the content of a weights file."""
    scale, bias, threshold = HEADER.unpack_from(data)
    weights = array("b")
    weights.frombytes(data[HEADER.size :])
    return Model(weights, scale, bias, threshold)


@cache
def load_model() -> Model:
    """Return the model that is installed with the package."""
    return parse_model(read_data(FILE))


def probability(score: float) -> float:
    """Return a share between 0 and 1 for log odds."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, score))))
