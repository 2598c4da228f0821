"""Measure a judge of capture's candidates: write the notes, take answers, score them.

    python bench/capture_judge.py write FOLDER [DATA_FOLDER]
    python bench/capture_judge.py score FOLDER [DATA_FOLDER]
    python bench/capture_judge.py oracle [DATA_FOLDER]

``write`` makes ``FOLDER/NAME.notes.jsonl`` for each set of labelled rows: a line has
the row's ``id``, the user's ``message`` and the ``note`` below it, which is that of the
hooks. A judge answers in ``FOLDER/NAME.answers.jsonl`` with ``{"id": …,
"keep": ["k1a2b", …]}`` a line: the candidates of the note for which it would run
``toolmem rule keep`` or ``retract``. What has no answer is not kept. ``score`` prints
what would be in the vault: lasting rules, those of them with the right text, and wrong
ones. ``oracle`` scores answers that are taken from the labels.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from bench.capture import DEFAULT, Row, Scored, label_of, message_of, score
from bench.capture import text_is_right as text_of_decree_is_right
from toolmem.core.candidates.note import ID_CHARS, NotedCandidate, render_note
from toolmem.core.capture.decree import Decree
from toolmem.core.capture.find import Context, find_decrees
from toolmem.core.capture.relate.rules import KnownRule

SETS = ("real", "real-2", "made-up")
Kept = Mapping[str, frozenset[str]]
"""Ids of the candidates that a judge kept, by row."""


class NotedRow(NamedTuple):
    """A labelled row: its message, the note, and the decrees of its sentence.

    ``noted`` are the ids of the candidates that the note shows.
    """

    row: Row
    message: str
    note: str
    noted: frozenset[str]
    decrees: tuple[Decree, ...]

    @property
    def id(self) -> str:
        """The id of the row."""
        return str(self.row["id"])


def noted_row(row: Row) -> NotedRow:
    """Return a row as an agent would see it."""
    message = message_of(row)[0]
    prior = row.get("prior")
    rules = (KnownRule("prior", "", prior),) if prior else ()
    found = find_decrees(message, Context(rules=rules))
    order = sorted((one for one in found if not one.sure), key=lambda one: -one.score)
    note = render_note([NotedCandidate(o.id, o.sentence, o.rules) for o in order])
    noted = frozenset(o.id[:ID_CHARS] for o in order if o.id[:ID_CHARS] in note)
    return NotedRow(row, message, note, noted, score(row).decrees)


def rows_of(folder: Path, name: str) -> Iterator[NotedRow]:
    """Yield the rows of one set."""
    for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines():
        if line.strip():
            yield noted_row(json.loads(line))


def write(target: Path, folder: Path) -> None:
    """Write a file of notes for each set."""
    target.mkdir(parents=True, exist_ok=True)
    for name in SETS:
        with (target / f"{name}.notes.jsonl").open("w", encoding="utf-8") as file:
            for one in rows_of(folder, name):
                if one.note:
                    shown = {"id": one.id, "message": one.message, "note": one.note}
                    file.write(json.dumps(shown, ensure_ascii=False) + "\n")


def read_answers(path: Path) -> Kept:
    """Read a judge's answers; ``keep`` is a list of ids."""
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return {
        str(row["id"]): frozenset(str(one)[:ID_CHARS] for one in row.get("keep") or ())
        for row in rows
    }


def oracle(rows: list[NotedRow]) -> Kept:
    """Return the answers that follow from the labels."""
    return {
        one.id: frozenset(d.id[:ID_CHARS] for d in one.decrees) & one.noted
        for one in rows
        if label_of(one.row) == "lasting"
    }


def kept_of(one: NotedRow, kept: Kept) -> tuple[Decree, ...]:
    """Return the decrees of a row's sentence that would be in the vault."""
    ids = kept.get(one.id, frozenset())
    return tuple(
        decree for decree in one.decrees if decree.sure or decree.id[:ID_CHARS] in ids
    )


def _has_right_text(one: NotedRow, kept: Kept) -> bool:
    inside = kept_of(one, kept)
    if "expect_text" not in one.row:
        sentence = " ".join(one.row["sentence"].split())
        return any(" ".join(d.sentence.split()) in sentence for d in inside) or any(
            sentence in " ".join(d.sentence.split()) for d in inside
        )
    return text_of_decree_is_right(Scored(one.row, inside))


class SetScore(NamedTuple):
    """Counts of one set of rows."""

    lasting: int
    inside: int
    worded: int
    wrong: int
    others: int


def score_set(rows: list[NotedRow], kept: Kept) -> SetScore:
    """Score the answers about one set."""
    lasting = [one for one in rows if label_of(one.row) == "lasting"]
    others = [one for one in rows if label_of(one.row) in ("not", "once")]
    inside = [one for one in lasting if kept_of(one, kept)]
    return SetScore(
        len(lasting),
        len(inside),
        sum(_has_right_text(one, kept) for one in inside),
        sum(bool(kept_of(one, kept)) for one in others),
        len(others),
    )


def report(scores: Mapping[str, SetScore]) -> bool:
    """Print the scores; return whether 95 in 100 lasting rules have their text."""
    print(f"{'set':<8} {'lasting in the vault':>21} {'right text':>11} {'wrong':>9}")
    for name, one in scores.items():
        inside, wrong = f"{one.inside}/{one.lasting}", f"{one.wrong}/{one.others}"
        print(f"{name:<8} {inside:>21} {one.worded:>11} {wrong:>9}")
    lasting = sum(one.lasting for one in scores.values())
    worded = sum(one.worded for one in scores.values())
    share = worded / lasting if lasting else 1.0
    print(f"lasting in the vault with the right text: {share:.3f} (to reach: 0.950)")
    return share >= 0.95


def main(arguments: list[str]) -> int:
    """Write notes, or score answers; 1 when the figure is missed."""
    command, *rest = arguments or ["help"]
    if command == "oracle":
        folder = Path(rest[0]) if rest else DEFAULT
        sets = {name: list(rows_of(folder, name)) for name in SETS}
        found = {name: score_set(rows, oracle(rows)) for name, rows in sets.items()}
        return 0 if report(found) else 1
    if command not in ("write", "score") or not rest:
        print(__doc__, file=sys.stderr)
        return 2
    target, folder = Path(rest[0]), Path(rest[1]) if len(rest) > 1 else DEFAULT
    if command == "write":
        write(target, folder)
        return 0
    kept = {name: read_answers(target / f"{name}.answers.jsonl") for name in SETS}
    scores = {name: score_set(list(rows_of(folder, name)), kept[name]) for name in SETS}
    return 0 if report(scores) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
