"""Measure how well capture finds decrees, on folders of labelled sentences.

    python bench/capture.py [DATA_FOLDER] [--show FIGURE]

The folder has ``real.jsonl``, ``real-2.jsonl``, ``made-up.jsonl`` and
``messages.jsonl`` as its README.md describes them; by default it is next to the
repository. Pasted texts are the project's own. ``--show`` lists the sentences that
count against a figure, by its number. Exits with 1 if a figure is missed, with 2
without data.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolmem.core.capture.decree import Decree
from toolmem.core.capture.find import Context, find_decrees
from toolmem.core.capture.relate.rules import KnownRule
from toolmem.core.transcript.harness import typed_part

DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "capture-dev"
PASTED = Path(__file__).with_name("capture_sentences") / "pasted.txt"
FILES = ("real.jsonl", "real-2.jsonl", "made-up.jsonl", "messages.jsonl")
Row = dict[str, Any]


@dataclass(frozen=True)
class Scored:
    """A labelled sentence, or a whole message, and the decrees found in it."""

    row: Row
    decrees: tuple[Decree, ...]

    def is_found(self) -> bool:
        return bool(self.decrees)

    def is_sure(self) -> bool:
        return any(one.sure for one in self.decrees)


def label_of(row: Row) -> str:
    """The label in the terms of ``real-2.jsonl``: lasting, once, not, unsure, back."""
    if row["label"] != "decree":
        return str(row["label"])
    return {True: "lasting", False: "once", None: "unsure"}[row["lasting"]]


def message_of(row: Row) -> tuple[str, int, int]:
    """The message of a row, and the place of its sentence in it."""
    sentence = row["sentence"]
    if "before" in row:
        text = row["before"] + sentence + row["after"]
        return text, len(row["before"]), len(row["before"]) + len(sentence)
    text = row.get("message") or row["prompt_excerpt"]
    start, end = _place(text, sentence)
    return (text, start, end) if start >= 0 else (sentence, 0, len(sentence))


def _place(message: str, sentence: str) -> tuple[int, int]:
    """Return the place of the sentence in the message, ignoring blanks."""
    at = message.find(sentence)
    if at >= 0:
        return at, at + len(sentence)
    shown = [n for n, char in enumerate(message) if not char.isspace()]
    squeezed = "".join(message[n] for n in shown)
    wanted = "".join(sentence.split())
    at = squeezed.find(wanted)
    return (shown[at], shown[at + len(wanted) - 1] + 1) if at >= 0 else (-1, -1)


def score(row: Row) -> Scored:
    text, start, end = message_of(row)
    prior = row.get("prior")
    context = Context(rules=(KnownRule("prior", "", prior),) if prior else ())
    found = (one for one in find_decrees(text, context) if _overlaps(one, start, end))
    return Scored(row, tuple(found))


def _overlaps(decree: Decree, start: int, end: int) -> bool:
    first, last = decree.span
    shared = min(end, last) - max(start, first)
    return shared > 0 and 2 * shared >= min(end - start, last - first)


def text_is_right(one: Scored) -> bool:
    good = [_plain(text) for text in (one.row["expect_text"], *one.row["accept_text"])]
    return any(_plain(decree.text) in good for decree in one.decrees)


def _plain(text: str) -> str:
    text = " ".join(text.split()).rstrip(".!?").rstrip()
    return text[:1].lower() + text[1:]


@dataclass(frozen=True)
class Figure:
    """One line of the table: a share of some rows, and what it must reach."""

    title: str
    rows: Sequence[Scored]
    counts: Callable[[Scored], bool]
    least: float = 0.0
    most: float = 1.0

    @property
    def hits(self) -> int:
        return sum(map(self.counts, self.rows))

    @property
    def share(self) -> float:
        return self.hits / len(self.rows) if self.rows else self.least

    @property
    def reached(self) -> bool:
        return self.least <= self.share <= self.most

    def line(self) -> str:
        goal = f">= {self.least:.3f}" if self.least else f"<= {self.most:.3f}"
        mark = "yes" if self.reached else "NO"
        count = f"{self.hits}/{len(self.rows)}"
        return f"{self.title:<52} {goal:>9} {self.share:>7.3f} {count:>9}  {mark}"

    def wrong(self) -> Iterator[Scored]:
        wanted = bool(self.least)
        return (one for one in self.rows if self.counts(one) is not wanted)


def figures(folder: Path) -> list[Figure]:
    real = [*_scored(folder / "real.jsonl"), *_scored(folder / "real-2.jsonl")]
    made = _scored(folder / "made-up.jsonl")
    messages = [
        Scored(row, find_decrees(row["text"]))
        for row in _rows(folder / "messages.jsonl")
    ]
    lasting = [one for one in real if label_of(one.row) == "lasting"]
    standing = [one for one in made if label_of(one.row) == "lasting"]
    sure = [one for one in real if one.is_sure()]
    worded = [one for one in standing if one.row["expect_text"]]
    back = [o for o in made if o.row["expect_effect"] in ("revoke", "exception")]
    pasted = [
        Scored({"id": str(number), "text": text}, find_decrees(typed_part(text)))
        for number, text in enumerate(PASTED.read_text("utf-8").split("\n=====\n"), 1)
    ]
    found, is_sure = Scored.is_found, Scored.is_sure
    return [
        Figure("real: lasting found", lasting, found, 0.94),
        Figure("made-up: lasting found", standing, found, 0.97),
        Figure("natural messages with a note", messages, found, most=0.15),
        Figure("real: written at once, lasting or unsure", sure, _is_right, 0.90),
        Figure("natural messages with a rule at once", messages, is_sure, most=0.002),
        Figure("made-up: lasting written at once", standing, is_sure, 0.35),
        Figure(
            "made-up: lasting found with the right text", worded, text_is_right, 0.95
        ),
        Figure("made-up: taken back, found", back, found, 0.85),
        Figure("pasted texts with a rule at once", pasted, is_sure, most=0.0),
        Figure("pasted texts with a candidate", pasted, found, most=0.1),
    ]


def _is_right(one: Scored) -> bool:
    return label_of(one.row) in ("lasting", "unsure")


def _rows(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def _scored(path: Path) -> list[Scored]:
    return [score(row) for row in _rows(path)]


def show(figure: Figure) -> None:
    print(f"\n{figure.title}")
    for one in figure.wrong():
        text = one.row.get("sentence") or one.row["text"]
        found = [
            (decree.tier, round(decree.score, 2), decree.text) for decree in one.decrees
        ]
        print(f"  {one.row['id']} {text[:300]!r}\n      {found}")


def main(arguments: list[str]) -> int:
    shown = 0
    if "--show" in arguments:
        at = arguments.index("--show")
        shown = int(arguments[at + 1])
        del arguments[at : at + 2]
    folder = Path(arguments[0]) if arguments else DEFAULT
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        print(f"{folder}: no {' and no '.join(missing)}", file=sys.stderr)
        return 2
    table = figures(folder)
    print(f"   {'figure':<52} {'to reach':>9} {'got':>7} {'count':>9}  reached")
    for number, figure in enumerate(table, 1):
        print(f"{number:>2} {figure.line()}")
    if shown:
        show(table[shown - 1])
    return 0 if all(figure.reached for figure in table) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
