"""A linear model over the features of a sentence: how likely it is a decree.

The weights are one byte each, in a file next to this module: three numbers (scale,
bias, threshold; little-endian floats), then a weight for each hash of a feature.
``bench/train_capture.py`` writes it. Loaded when a sentence with a cue is met.
"""

from array import array
from collections.abc import Iterable
from functools import cache
from math import exp
from struct import Struct
from zlib import crc32

from toolmem.core.named_tuple import NamedTuple
from toolmem.core.package_data import read_data

BUCKETS = 1 << 14
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
