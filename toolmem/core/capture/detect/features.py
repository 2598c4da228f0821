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
from toolmem.core.capture.text.lists import word_list
from toolmem.core.capture.text.sentences import Sentence
from toolmem.core.capture.text.words import Token, word_set
from toolmem.core.package_data import read_data

_MOST_WORDS = 60
"""Words of a sentence that are read: longer ones are seldom rules."""
_SHORT = 6
_TASK_VERBS = word_list("features task verbs")
_SUBJECTS = word_set("i we you it he she they this that these those there")
_NOW = word_set("now yet today currently first next then still")
_PRODUCT = word_list("features product")
_WORK = word_list("features work")


class Surroundings(NamedTuple):
    """The message around a sentence: its size, and the sentence's place in it."""

    place: int
    sentences: int
    chars: int


def features(
    sentence: Sentence, tokens: Sequence[Token], around: Surroundings
) -> Iterator[str]:
    """Return the features of a sentence, each once or more."""
    words = [token.word for token in tokens[:_MOST_WORDS]]
    plain = [word for word in words if word[0].isalnum() or word[0] == "<"]
    yield from (f"w {word}" for word in plain)
    yield from (f"b{at} {word}" for at, word in enumerate(plain[:3]))
    yield from (f"e {word}" for word in plain[-2:])
    yield from (f"2 {one} {other}" for one, other in pairwise(plain))
    yield from (f"cue {name}" for name in cues(tokens))
    yield from _of_place(sentence, around)
    yield from _of_form(words, plain)


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
    present = set(words)
    yield f"length {min(len(plain), 60) // 4}"
    if len(plain) <= _SHORT:
        yield "short"
    if "?" in present:
        yield "question"
    first = plain[0] if plain else ""
    if first in _TASK_VERBS:
        yield "begins as a task"
    if first in _SUBJECTS:
        yield "begins with a subject"
    for name, group in _GROUPS:
        if present & group:
            yield name


_GROUPS = (
    ("now", _NOW),
    ("product", _PRODUCT),
    ("work", _WORK),
    ("you", word_set("you your yourself")),
    ("me", word_set("me i my we us our")),
    ("asks", word_set("please kindly want need should must")),
)


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
    return {crc32(one.encode("utf-8", "replace")) % BUCKETS for one in features}


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
