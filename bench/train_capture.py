"""Train the model of capture's detector, and cross-validate it.

    python -m bench.train_capture [DATA_FOLDER] [--also=MESSAGES]
        [--languages=SENTENCES] [--write]

Reads the labelled sentences of the data folder (see ``bench/capture.py``) and the
project's own in ``bench/capture_sentences``: single ones, and frames from which some
are made with the entries of lists. Needs nothing but Python. Prints, for
shares of natural messages with a note, how many lasting sentences are found when the
rows that a model is tested on were not in its training: rows with similar words are
in one fold. ``--write`` trains on all rows and writes the weights.

Logistic regression by AdaGrad over hashed features, with a fixed order of rows.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import exp, sqrt
from pathlib import Path
from random import Random
from zlib import crc32

from bench.capture import DEFAULT, label_of, message_of
from toolmem.core.capture.detect.candidates import UNCUED, readable_sentences
from toolmem.core.capture.detect.features import (
    BUCKETS,
    FILE,
    HEADER,
    buckets,
    features,
)
from toolmem.core.capture.detect.languages import read_foreign
from toolmem.core.capture.text.masking import mask_message
from toolmem.core.capture.text.sentences import split_sentences

OWN = Path(__file__).with_name("capture_sentences")
TARGET = Path(__file__).parents[1] / "toolmem" / "core" / FILE
FOLDS = 4
EPOCHS = 10
RATE = 0.15
DECAY = 0.0005
SHARES = (0.08, 0.10, 0.12, 0.15)
SHARE = 0.09
"""Share of natural messages with a note that the threshold is set to."""
WEIGHT_OF_OWN = 0.5
WEIGHT_OF_FRAMES = 0.3
WEIGHT_OF_NATURAL = 0.7
WEIGHT_OF_LASTING = 4.0
_POSITIVE = ("lasting", "back")
_KNOWN = (*_POSITIVE, "once", "not")


@dataclass(frozen=True)
class Example:
    """A sentence with a cue: its buckets, label, weight and origin."""

    id: str
    text: str
    label: str
    weight: float
    origin: str
    at: tuple[int, ...]

    @property
    def positive(self) -> bool:
        return self.label in _POSITIVE


@dataclass
class Weights:
    """The weights while they are trained."""

    values: list[float]
    bias: float = 0.0

    def score(self, at: Sequence[int]) -> float:
        return self.bias + sum(self.values[one] for one in at)

    def judged(self, at: Sequence[int]) -> float:
        """The score, less what a sentence without a cue must score more."""
        return self.score(at) - UNCUED * (_UNCUED in at)


_UNCUED = min(buckets(["cue none"]))


def cued(text: str) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Place and buckets of each sentence of a message."""
    message = mask_message(text)
    hits = readable_sentences(message, split_sentences(message))
    for sentence, tokens, around in hits:
        found = tuple(sorted(buckets(features(sentence, tokens, around))))
        yield sentence.start, sentence.end, found


def read_labelled(folder: Path) -> Iterator[Example | str]:
    """Yield examples of the data folder; a text is a lasting sentence without a cue."""
    for name in ("real.jsonl", "real-2.jsonl", "made-up.jsonl"):
        for line in (folder / name).read_text("utf-8").splitlines():
            row = json.loads(line)
            label = label_of(row)
            text, start, end = message_of(row)
            found = [one for one in cued(text) if _overlaps(one, start, end)]
            real = name.startswith("real")
            if found and label in _KNOWN:
                weight = WEIGHT_OF_LASTING if real and label == "lasting" else 1.0
                weight = weight if real else WEIGHT_OF_OWN
                origin = "real" if real else "made-up"
                sentence = row["sentence"]
                yield Example(row["id"], sentence, label, weight, origin, found[0][2])
            elif label == "lasting":
                yield "real" if real else "made-up"


def _overlaps(one: tuple[int, int, tuple[int, ...]], start: int, end: int) -> bool:
    shared = min(end, one[1]) - max(start, one[0])
    return shared > 0 and 2 * shared >= min(end - start, one[1] - one[0])


def read_own() -> Iterator[Example]:
    """Examples of the project's own English sentences, alone and next to another."""
    random, rows = Random(3), list[tuple[str, str]]()
    for line in (OWN / "en.txt").read_text("utf-8").splitlines():
        rows.append(("lasting" if line[0] == "+" else "not", line[2:]))
    others = [text for label, text in rows if label == "not"]
    for line in (OWN / "earlier.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["label"] in _KNOWN:
            rows.append((row["label"], row["text"]))
    for number, (label, text) in enumerate(rows):
        for message, start in (
            (text, 0),
            _next_to(random.choice(others), text, random),
        ):
            found = [
                one for one in cued(message) if _overlaps(one, start, start + len(text))
            ]
            if found:
                name = f"o{number}:{start}"
                yield Example(name, text, label, WEIGHT_OF_OWN, "own", found[0][2])


def _next_to(other: str, text: str, random: Random) -> tuple[str, int]:
    """Return a message of two sentences, and the place of the second."""
    ended, closed = (one if one[-1] in ".?!" else f"{one}." for one in (other, text))
    if random.random() < 0.5:
        return f"{ended} {closed}", len(ended) + 1
    return f"{closed} {ended}", 0


def read_messages(path: Path) -> Iterator[Example]:
    """Examples of messages whose lasting sentences are known, as in capture_fresh."""
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        row = json.loads(line)
        text = row["message"]
        places = [(text.find(one), len(one)) for one in row["lasting"]]
        for start, end, at in cued(text):
            hit = any(_overlaps((start, end, at), a, a + n) for a, n in places)
            label = "lasting" if hit else "not"
            name = f"m{number}:{start}"
            yield Example(name, text[start:end], label, 1.0, "own", at)


def read_typed() -> Iterator[Example]:
    """Examples of the project's own messages, one a line, lasting parts in brackets."""
    for number, line in enumerate((OWN / "typed.txt").read_text("utf-8").splitlines()):
        parts = re.split(r"\[\[|\]\]", line.replace("\\n", "\n"))
        ends = [0, *accumulate(map(len, parts))]
        places = list(pairwise(ends))[1::2]
        text = "".join(parts)
        for start, end, at in cued(text):
            hit = any(start < last and first < end for first, last in places)
            label = "lasting" if hit else "not"
            name = f"t{number}:{start}"
            yield Example(name, text[start:end], label, 1.0, "own", at)


def read_natural(folder: Path) -> Iterator[Example]:
    """Examples of the natural messages: not lasting, but for those that were read so.

    Of ``natural.json`` unsure ones are left out; it names them by id and offset.
    """
    read = json.loads((OWN / "natural.json").read_text("utf-8"))
    for line in (folder / "messages.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        for start, end, at in cued(row["text"]):
            name = f"{row['id']}:{start}"
            if name not in read["unsure"]:
                label = "lasting" if name in read["lasting"] else "not"
                text = row["text"][start:end]
                yield Example(name, text, label, WEIGHT_OF_NATURAL, "natural", at)


PER_FRAME = 12
_Lists = Mapping[str, Sequence[str]]


def read_lists(name: str) -> _Lists:
    """The lists and frames of a file; a frame list has a line for each frame."""
    found: dict[str, list[str]] = {}
    for part in re.split(r"\n+\[", (OWN / name).read_text("utf-8"))[1:]:
        title, _, rest = part.partition("]\n")
        frames = title[-1] in "+-"
        found[title] = rest.splitlines() if frames else rest.strip().split(" | ")
    return found


def _filled(frame: str, lists: _Lists, prefix: str, random: Random) -> str:
    def chosen(hit: re.Match[str]) -> str:
        return random.choice(lists[prefix + hit[1]])

    text = re.sub(r"{(\w+)}", chosen, frame)
    text = text[:1].upper() + text[1:] if random.random() < 0.5 else text
    return text if text[-1] in ".?!。？" or random.random() < 0.4 else f"{text}."


def read_frames() -> Iterator[Example]:
    """Examples of the project's frames, alone or next to another sentence."""
    random, lists = Random(1), read_lists("frames.txt")
    for mark, label in (("+", "lasting"), ("-", "not")):
        for at, frame in enumerate(lists[mark]):
            for number in range(PER_FRAME if "{" in frame else 5):
                text = _filled(frame, lists, "", random)
                other = _filled(random.choice(lists["-"]), lists, "", random)
                message, start = random.choice(
                    [(text, 0), (f"{other}\n{text}", len(other) + 1),
                     (f"{text}\n{other}", 0)]
                )  # fmt: skip
                end = start + len(text)
                found = [one for one in cued(message) if _overlaps(one, start, end)]
                if found:
                    at_word, weight = found[0][2], WEIGHT_OF_FRAMES
                    name = f"f{mark}{at}.{number}"
                    yield Example(name, text, label, weight, "own", at_word)


def read_other_languages(more: Sequence[Path]) -> Iterator[Example]:
    """Examples in other languages: frames, single sentences, and rows of ``more``."""
    rows = [*_of_foreign_frames(), *_of_foreign_sentences()]
    for path in more:
        read = map(json.loads, path.read_text("utf-8").splitlines())
        rows += [(bool(row["lasting"]), row["sentence"], 1.0) for row in read]
    for number, (lasts, text, weight) in enumerate(rows):
        if foreign := read_foreign(text):
            at = tuple(sorted(buckets(foreign[1])))
            label = "lasting" if lasts else "not"
            yield Example(f"l{number}", text, label, weight, "own", at)


def _of_foreign_frames() -> Iterator[tuple[bool, str, float]]:
    random, lists = Random(2), read_lists("foreign.txt")
    for name, frames in lists.items():
        language, _, mark = name.partition(" ")
        for frame in frames if mark in ("+", "-") else ():
            for _ in range(8 if "{" in frame else 3):
                text = _filled(frame, lists, f"{language} ", random)
                yield mark == "+", text, WEIGHT_OF_FRAMES


def _of_foreign_sentences() -> Iterator[tuple[bool, str, float]]:
    for path in sorted(OWN.glob("??.txt")):
        if path.stem != "en":
            for line in path.read_text("utf-8").splitlines():
                yield line[0] == "+", line[2:], 1.0


def train(examples: Sequence[Example]) -> Weights:
    weights = Weights([0.0] * BUCKETS)
    squares = [1e-6] * BUCKETS
    bias_square = 1e-6
    order = list(examples)
    random = Random(1)
    for _ in range(EPOCHS):
        random.shuffle(order)
        for one in order:
            score = max(-30.0, min(30.0, weights.score(one.at)))
            error = one.weight * (1 / (1 + exp(-score)) - one.positive)
            for at in one.at:
                slope = error + DECAY * weights.values[at]
                squares[at] += slope * slope
                weights.values[at] -= RATE * slope / sqrt(squares[at])
            bias_square += error * error
            weights.bias -= RATE * error / sqrt(bias_square)
    return weights


_COMMON = frozenset(
    "the and for you with that this your use when all any have has can will please make"
    " never always not from now until unless tell dont are".split()
)


def fold_of(examples: Sequence[Example]) -> dict[str, int]:
    """The fold of each example; lasting ones that share most words are in one."""
    words = {
        one.id: set(re.findall(r"[a-z]{3,}", one.text.lower())) - _COMMON
        for one in examples
        if one.origin == "real" and one.label == "lasting"
    }
    first: dict[str, str] = {}
    for one, said in words.items():
        alike = (
            other
            for other in first
            if said
            and 5 * len(said & words[other])
            >= 3 * min(len(said), len(words[other]) or 99)
        )
        first[one] = first.get(next(alike, ""), one)
    keys = {
        one.id: one.id.partition(":")[0]
        if one.origin == "natural"
        else first.get(one.id, one.text[:40])
        for one in examples
    }
    return {one: _fold(key) for one, key in keys.items()}


Messages = Mapping[str, Sequence[tuple[int, ...]]]
"""Buckets of the sentences of natural messages, by id."""


def best_scores(weights: Weights, messages: Messages, fold: int) -> list[float]:
    """The best score of each message of a fold."""
    return [
        max(map(weights.judged, sentences), default=-99.0)
        for name, sentences in messages.items()
        if _fold(name) == fold
    ]


def _fold(key: str) -> int:
    return crc32(key.encode("utf-8", "replace")) % FOLDS


def cross_validate(
    examples: Sequence[Example], missed: Sequence[str], messages: Messages
) -> float:
    """Print what is found in rows that were not trained on; return the threshold."""
    folds = fold_of(examples)
    scored: list[tuple[float, Example]] = []
    natural: list[float] = []
    for fold in range(FOLDS):
        test = [
            one for one in examples if folds[one.id] == fold and one.origin != "own"
        ]
        tested = {one.id for one in test}
        weights = train([one for one in examples if one.id not in tested])
        scored += ((weights.judged(one.at), one) for one in test)
        natural += best_scores(weights, messages, fold)
    natural.sort(reverse=True)
    print("natural messages noted, lasting found: real, made-up")
    for share in SHARES:
        limit = natural[int(share * len(natural))]
        counts = []
        for origin in ("real", "made-up"):
            rows = [s for s, e in scored if e.origin == origin and e.label == "lasting"]
            total = len(rows) + list(missed).count(origin)
            hits = sum(score >= limit for score in rows)
            counts.append(f"{hits}/{total} = {hits / total:.3f}")
        print(f"  {share:.2f}  {'  '.join(counts)}")
    return natural[int(SHARE * len(natural))]


def write(weights: Weights, threshold: float) -> None:
    """Write the weights, one byte each."""
    scale = max(map(abs, weights.values)) / 127
    values = bytes(round(value / scale) & 0xFF for value in weights.values)
    TARGET.write_bytes(HEADER.pack(scale, weights.bias, threshold) + values)


def main(arguments: list[str]) -> int:
    writes = "--write" in arguments
    folders = [one for one in arguments if not one.startswith("--")]
    more = [Path(one[7:]) for one in arguments if one.startswith("--also=")]
    other = [Path(one[12:]) for one in arguments if one.startswith("--languages=")]
    folder = Path(folders[0]) if folders else DEFAULT
    labelled = list(read_labelled(folder))
    missed = [one for one in labelled if isinstance(one, str)]
    examples = [one for one in labelled if isinstance(one, Example)] + [
        *read_own(),
        *read_frames(),
        *read_typed(),
        *read_natural(folder),
        *read_other_languages(other),
        *(example for path in more for example in read_messages(path)),
    ]
    rows = (folder / "messages.jsonl").read_text("utf-8").splitlines()
    read = map(json.loads, rows)
    messages = {row["id"]: [at for _, _, at in cued(row["text"])] for row in read}
    share = sum(map(bool, messages.values())) / len(messages)
    print(f"{len(examples)} examples; natural messages with a cue: {share:.3f}")
    threshold = cross_validate(examples, missed, messages)
    if writes:
        write(train(examples), threshold)
        print(f"wrote {TARGET}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
