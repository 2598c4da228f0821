"""Train the weights that decide which words near a credential noun are its value.

    python -m bench.train_secrets [FOLDER_OF_TEXTS ...] [--write]

Reads the labelled sentences of ``bench/credential_sentences``, those of the tests and
those that ``forms.tmpl`` describes: forms of sentences with the names of lists in
braces, of which one entry is taken at random. The words of further texts count as
harmless, except those that the sentences alone make certain.
Prints how many sentences are found and how many harmless ones are flagged when the
file that they are in was not trained on. ``--write`` trains on all of them.

Logistic regression by FTRL-proximal (McMahan et al., 2013), which leaves most weights
at zero, with a fixed order of rows.
"""

import json
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from pathlib import Path
from random import Random

import toolmem.core
from toolmem.core.secrets.candidates import candidates
from toolmem.core.secrets.detect import nouns_of, sure_secrets
from toolmem.core.secrets.features import features
from toolmem.core.secrets.prose import BIAS, FILE, LEAST_SCORE

OWN = Path(__file__).with_name("credential_sentences")
TESTS = OWN.parents[1] / "tests" / "core" / "secrets" / "credential_sentences"
FORMS = OWN / "forms.tmpl"
EPOCHS = 12
SENTENCES_OF_FORM = 7
RATE = 0.15
L1, L2 = 6.0, 1.0
LEAST_ROWS = 3
"""A feature of fewer candidates has no weight."""
VARIANTS = 4
"""Copies of a sentence with the value of another one, so that links are learnt."""
WEIGHT_OF_TESTS, WEIGHT_OF_TEXTS, WEIGHT_OF_FORMS = 1.0, 0.5, 0.4
CERTAIN = 3.0
"""Score of a word of a text that is not taken for harmless."""
_FIRST, _INSIDE, _HARMLESS, _PERHAPS = 1, 2, 0, 3
"""Labels of a candidate: the value's first word, another one of it, no part of it, and
one of a sentence whose value is not marked."""

Labelled = tuple[list[str], int]
Labels = tuple[list[Labelled], float]
"""The candidates of a sentence, and its weight."""
Weights = dict[str, float]


@dataclass(frozen=True)
class Row:
    """A sentence, the value in it ("" if it has none), and where it is from."""

    text: str
    is_credential: bool
    value: str
    source: str
    weight: float = 1.0


def read_rows() -> Iterator[Row]:
    """Yield the sentences of this folder and of the tests."""
    for path in sorted(OWN.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            value = row.get("value") or ""
            yield Row(row["text"], row["credential"], value, path.stem)
    for path in sorted(OWN.glob("*.txt")):
        for line in path.read_text("utf-8").splitlines():
            text, _, value = line[2:].replace("\\n", "\n").partition("\t")
            yield Row(text, line[0] == "+", value, path.stem)
    for path in sorted(TESTS.glob("*.txt")):
        is_credential = path.stem.startswith("credentials")
        for line in path.read_text("utf-8").splitlines():
            text = line.replace("\\n", "\n")
            if not is_credential or not any(sure_secrets(text)):
                yield Row(text, is_credential, "", path.stem, WEIGHT_OF_TESTS)


_SLOT = re.compile(r"\{(\w+)\}")
_VALUES = frozenset(
    "any odd key word tailed leet strong hyph phrase hexish token dotted digits".split()
)
"""Lists of ``forms.tmpl`` whose entries are credentials."""


def sentences_of_forms() -> Iterator[Row]:
    """Yield sentences of the forms, the same ones each time."""
    lists: dict[str, list[str]] = {}
    forms: list[str] = []
    for line in FORMS.read_text("utf-8").splitlines():
        if line.startswith("= "):
            entries = lists.setdefault(line[2:], [])
        elif line.startswith(("+ ", "- ")):
            forms.append(line)
        else:
            entries.append(line)
    random = Random(5)
    for form in forms:
        rows = (_row_of_form(form, lists, random) for _ in range(SENTENCES_OF_FORM))
        yield from dict.fromkeys(rows)


def _row_of_form(form: str, lists: dict[str, list[str]], random: Random) -> Row:
    is_credential, text, value = form[0] == "+", form[2:].replace("\\n", "\n"), ""
    while slot := next((one for one in _SLOT.finditer(text) if one[1] in lists), None):
        entry = random.choice(lists[slot[1]])
        while entry.startswith("@"):
            entry = random.choice(lists[entry[1:]])
        if is_credential and slot[1] in _VALUES:
            value = entry
        text = text[: slot.start()] + entry + text[slot.end() :]
    return Row(text, is_credential, value, FORMS.stem, WEIGHT_OF_FORMS)


def read_texts(folders: Iterable[str]) -> Iterator[Row]:
    """Yield the different strings of files, which are taken for harmless."""
    texts: dict[str, None] = {}
    for folder in map(Path, folders):
        for path in sorted(folder.rglob("*")) if folder.is_dir() else [folder]:
            if path.is_file():
                texts.update(dict.fromkeys(_strings_of(path)))
    for text in texts:
        if nouns_of(text):
            yield Row(text, False, "", "texts", WEIGHT_OF_TEXTS)


def _strings_of(path: Path) -> Iterator[str]:
    text = path.read_text("utf-8", "replace")
    if path.suffix != ".jsonl":
        yield text
        return
    for line in text.splitlines():
        try:
            yield from _strings(json.loads(line))
        except ValueError:
            continue


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def with_other_values(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield each sentence, and the ones with a value with those of others instead."""
    values: dict[str, list[str]] = {}
    for row in rows:
        if row.value:
            values.setdefault(_class(row.value), []).append(row.value)
    random = Random(3)
    for row in rows:
        yield row
        for _ in range(VARIANTS if _has_variants(row) else 0):
            value = random.choice(values[_class(row.value)])
            text = row.text.replace(row.value, value)
            yield Row(text, True, value, row.source, row.weight)


def _class(value: str) -> str:
    if " " in value:
        return "phrase"
    if value.replace("-", "").isdigit():
        return "number"
    return "word" if value.isalpha() else "mixed"


def labelled(row: Row) -> list[Labelled]:
    """Return the features and the label of each candidate of a sentence."""
    spans = [
        match.span()
        for match in re.finditer(re.escape(row.value), row.text)
        if row.value
    ]
    labels: list[Labelled] = []
    for candidate in candidates(row.text, nouns_of(row.text)):
        names = sorted(set(features(row.text, candidate)))
        if not names:
            continue
        label = _PERHAPS if row.is_credential and not row.value else _HARMLESS
        for start, end in spans:
            if candidate.start < end and candidate.end > start:
                label = _FIRST if candidate.start <= start + 2 else _INSIDE
        labels.append((names, label))
    return labels


@dataclass
class Trainer:
    """Weights and the sums of FTRL-proximal that they follow from."""

    weights: Weights
    sums: Weights
    squares: Weights

    def learn(self, names: list[str], weight: float, *, is_value: bool) -> None:
        score = max(-30.0, min(30.0, score_of(self.weights, names)))
        slope = weight * (1 / (1 + exp(-score)) - is_value)
        for name in (*names, BIAS):
            if name not in self.weights:
                continue
            before = self.squares[name]
            after = self.squares[name] = before + slope * slope
            step = (sqrt(after) - sqrt(before)) / RATE
            total = self.sums[name] = (
                self.sums[name] + slope - step * self.weights[name]
            )
            l1, l2 = (0.0, 0.0) if name == BIAS else (L1, L2)
            beyond = max(0.0, abs(total) - l1) * (-1 if total > 0 else 1)
            self.weights[name] = beyond / ((1 + sqrt(after)) / RATE + l2)


def train(rows: Sequence[Labels]) -> Weights:
    """Return the weights that fit the labelled candidates of sentences."""
    counts = Counter(
        name for labels, _ in rows for names, _ in labels for name in names
    )
    kept = [name for name, count in counts.items() if count >= LEAST_ROWS] + [BIAS]
    trainer = Trainer(*(dict.fromkeys(kept, 0.0) for _ in range(3)))
    order = [row for row in rows if row[0]]
    random = Random(1)
    for _ in range(EPOCHS):
        random.shuffle(order)
        for labels, weight in order:
            best = max(labels, key=lambda one: score_of(trainer.weights, one[0]))
            for names, label in labels:
                is_value = label == _FIRST or (label == _PERHAPS and names is best[0])
                if label != _INSIDE:
                    trainer.learn(names, weight, is_value=is_value)
    return {name: weight for name, weight in trainer.weights.items() if weight}


def train_with(rows: Sequence[Row], texts: Sequence[Labels]) -> Weights:
    """Train on sentences, then on them and the words of texts that are not certain."""
    sentences = prepared(rows)
    if not texts:
        return train(sentences)
    first = train(sentences)
    harmless = (
        ([one for one in labels if score_of(first, one[0]) < CERTAIN], weight)
        for labels, weight in texts
    )
    return train([*sentences, *harmless])


def prepared(rows: Sequence[Row]) -> list[Labels]:
    scale = 1 / sqrt(1 + VARIANTS)
    return [
        (labelled(row), row.weight * (scale if _has_variants(row) else 1.0))
        for row in with_other_values(rows)
    ]


def _has_variants(row: Row) -> bool:
    return bool(row.value) and row.source != FORMS.stem


def score_of(weights: Weights, names: Iterable[str]) -> float:
    return sum(weights.get(name, 0.0) for name in (*names, BIAS))


def show(weights: Weights, rows: Sequence[Row], source: str) -> None:
    """Print how many sentences of a file are found, and how many flagged."""
    counts = Counter[tuple[bool, bool]]()
    for row in rows:
        scores = (score_of(weights, names) for names, _ in labelled(row))
        is_found = any(sure_secrets(row.text)) or any(
            score > LEAST_SCORE for score in scores
        )
        counts[row.is_credential, is_found] += 1
    found, missed = counts[True, True], counts[True, False]
    flagged, clean = counts[False, True], counts[False, False]
    print(
        f"{source}: found {found}/{found + missed}, false {flagged}/{flagged + clean}"
    )


def write(weights: Weights) -> None:
    rounded = {name: round(100 * weight) for name, weight in sorted(weights.items())}
    pairs = [f"{name} {weight}" for name, weight in rounded.items() if weight]
    text = textwrap.fill(
        " ".join(pairs), 88, break_on_hyphens=False, break_long_words=False
    )
    path = Path(toolmem.core.__path__[0], FILE)
    path.write_text(f"{text}\n", "utf-8")
    print(f"{len(pairs)} weights, {path.stat().st_size:,} bytes")


def main(arguments: list[str]) -> None:
    folders = [one for one in arguments if not one.startswith("-")]
    rows = [*read_rows(), *sentences_of_forms()]
    texts = prepared(list(read_texts(folders)))
    if "--write" in arguments:
        write(train_with(rows, texts))
        return
    sources = {row.source for row in rows if row.value} - {FORMS.stem}
    for source in sorted(sources):
        others = [row for row in rows if row.source != source]
        weights = train_with(others, texts)
        show(weights, [row for row in rows if row.source == source], source)


if __name__ == "__main__":
    main(sys.argv[1:])
