"""Measure a judge of capture's candidates: write the notes, take answers, score them.

    python bench/capture_judge.py write FOLDER [DATA_FOLDER]
    python bench/capture_judge.py score FOLDER [DATA_FOLDER]
    python bench/capture_judge.py oracle [DATA_FOLDER]

``write`` makes ``FOLDER/NAME.notes.jsonl`` for each set of labelled rows: an id and
the note about a candidate. A judge answers in ``FOLDER/NAME.answers.jsonl`` with
``{"id": …, "keep": true}`` a line; what has no answer is not kept. ``score`` prints
what would be in the vault: lasting rules kept, with the right text, and wrong ones.
``oracle`` scores answers that are taken from the labels.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.capture import DEFAULT, Scored, label_of, score, text_is_right

SETS = ("real", "real-2", "made-up")
NOTE = (
    'toolmem: this may be a standing rule: "{sentence}". If the user wants it kept in '
    "later sessions, run: toolmem rule keep {id} --tool <tool>. Not for this task "
    "only, not what the product should do, not a quotation. Otherwise ignore this."
)


def rows_of(folder: Path, name: str) -> Iterator[tuple[str, Scored]]:
    for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        yield str(row["id"]), score(row)


def write(target: Path, folder: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for name in SETS:
        with (target / f"{name}.notes.jsonl").open("w", encoding="utf-8") as file:
            for row_id, one in rows_of(folder, name):
                for decree in one.decrees[:1]:
                    if not decree.sure:
                        note = NOTE.format(sentence=decree.sentence, id=decree.id)
                        shown = {"id": row_id, "before": decree.before, "note": note}
                        file.write(json.dumps(shown, ensure_ascii=False) + "\n")


def read_answers(path: Path) -> set[str]:
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return {str(row["id"]) for row in rows if row.get("keep")}


def report(folder: Path, kept_of: dict[str, set[str]]) -> None:
    print(f"{'set':<8} {'lasting in the vault':>22} {'right text':>12} {'wrong':>12}")
    for name in SETS:
        rows = list(rows_of(folder, name))
        lasting = [(i, one) for i, one in rows if label_of(one.row) == "lasting"]
        wrong = [(i, one) for i, one in rows if label_of(one.row) in ("not", "once")]
        inside = [one for i, one in lasting if in_vault(i, one, kept_of[name])]
        worded = [
            one for one in inside if "expect_text" not in one.row or text_is_right(one)
        ]
        bad = sum(in_vault(i, one, kept_of[name]) for i, one in wrong)
        found = f"{len(inside)}/{len(lasting)}"
        print(f"{name:<8} {found:>22} {len(worded):>12} {f'{bad}/{len(wrong)}':>12}")


def in_vault(row_id: str, one: Scored, kept: set[str]) -> bool:
    return one.is_sure() or (bool(one.decrees) and row_id in kept)


def main(arguments: list[str]) -> int:
    command, *rest = arguments or ["help"]
    if command == "oracle":
        folder = Path(rest[0]) if rest else DEFAULT
        kept = {
            name: {
                i for i, one in rows_of(folder, name) if label_of(one.row) == "lasting"
            }
            for name in SETS
        }
        report(folder, kept)
    elif command in ("write", "score") and rest:
        folder = Path(rest[1]) if len(rest) > 1 else DEFAULT
        if command == "write":
            write(Path(rest[0]), folder)
        else:
            paths = {name: Path(rest[0]) / f"{name}.answers.jsonl" for name in SETS}
            report(folder, {name: read_answers(path) for name, path in paths.items()})
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
