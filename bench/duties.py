"""Measure duties and contents that follow from labelled sentences.

    python -m bench.duties FOLDER [--show]

The folder has ``duties-demands.jsonl`` (``text``, ``checkable``, ``run``, ``change``,
``after``, ``before``), ``duties-contents.jsonl`` (``text``, ``possible``, ``deny``,
``pass``), ``duties-content-rules.json`` and ``duties-edits.jsonl`` (``tool``,
``input``). ``--show`` lists the wrong rows. Exits with 1 if a figure is missed.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.measure import Line, report
from toolmem.core.guard.call_analysis import CallAnalysis
from toolmem.core.guard.calls import ToolCall
from toolmem.core.guard.commands import read_shell
from toolmem.core.guard.derivation.duties import derive_duties
from toolmem.core.guard.derivation.stated import derived_guards
from toolmem.core.guard.verdict import match_guard
from toolmem.core.rules.guard_table import Guard, parse_guards

FACTS = {
    "test_command": "pytest -q",
    "lint_command": "ruff check",
    "build_command": "make build",
}
_TARGET = 0.8
Row = Mapping[str, Any]


def demands(rows: Sequence[Row]) -> Iterator[Line]:
    """Sentences that demand something, and those that yield no duty."""
    checkable = [row for row in rows if row["checkable"]]
    missed = [row["text"] for row in checkable if not is_derived(row)]
    others = [row["text"] for row in rows if not row["checkable"]]
    wrong = [text for text in others if resolved(text)]
    yield _share("demands derived with trigger and command", missed, len(checkable))
    yield _none("duties from other sentences", wrong, len(others))


def is_derived(row: Row) -> bool:
    """Return True if a sentence yields the duty of its row, and none besides."""
    before = None if row["before"] == "end" else row["before"]
    wanted = {"run": row["run"], "change": row["change"], "after": row["after"]}
    return any(
        all(_same(table.get(key), value) for key, value in wanted.items())
        and (before in _list(table.get("before")) if before else not table["before"])
        for table in resolved(row["text"])
    )


def resolved(text: str) -> list[dict[str, Any]]:
    """Return the duties of a sentence whose facts are known."""
    tables = []
    for table in derive_duties(text):
        command = FACTS.get(table.get("fact", ""))
        if command or "fact" not in table:
            run = {"run": command} if command else {}
            tables.append({"before": [], **table, **run})
    return tables


def contents(rows: Sequence[Row]) -> Iterator[Line]:
    """Bans on a literal, with calls that break them and calls that do not."""
    possible = [row for row in rows if row["possible"]]
    missed, wrong = [], []
    for row in rows:
        guards = _guards(row["text"])
        if row["possible"] and not all(_stops(guards, call) for call in row["deny"]):
            missed.append(row["text"])
        if any(_stops(guards, call) for call in row["pass"]):
            wrong.append(row["text"])
        if guards and not row["possible"]:
            wrong.append(row["text"])
    yield _share("bans on contents that stop what breaks them", missed, len(possible))
    yield _none("bans on contents that stop more", wrong, len(rows))


def edits(rules: Sequence[str], rows: Sequence[Row]) -> Iterator[Line]:
    """Everyday edits, under rules that none of them breaks."""
    guards = [guard for rule in rules for guard in _guards(rule)]
    calls = [(row["tool"], row["input"]) for row in rows]
    wrong = [str(call) for call in calls if _stops(guards, call)]
    yield _none("everyday edits stopped", wrong, len(calls))


def _guards(text: str) -> tuple[Guard, ...]:
    return parse_guards(derived_guards(text, "_any"), path="rule")[0]


def _stops(guards: Sequence[Guard], call: Sequence[Any]) -> bool:
    made = ToolCall(call[0], call[1], "/home/dev/repo", "/home/dev")
    reading = CallAnalysis(made, read_shell)
    return any(match_guard(guard, reading) is not None for guard in guards)


def _same(value: object, wanted: str | None) -> bool:
    texts = [text.rstrip("*/") for text in _list(value)]
    return wanted.rstrip("*/") in texts if wanted else not texts


def _list(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value or ())


def _share(title: str, missed: Sequence[str], rows: int) -> Line:
    share = 1 - len(missed) / rows
    _show(title, missed)
    return Line(title, f"{share:.1%}", f">= {_TARGET:.0%}", share >= _TARGET)


def _none(title: str, wrong: Sequence[str], rows: int) -> Line:
    _show(title, wrong)
    return Line(title, f"{len(wrong)} of {rows}", "0", not wrong)


def _show(title: str, texts: Sequence[str]) -> None:
    if "--show" in sys.argv:
        for text in texts:
            print(f"{title}: {text}")


def _rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text().splitlines() if line]


def main() -> None:
    """Print the figures of a folder."""
    folder = Path(sys.argv[1])
    rules = json.loads((folder / "duties-content-rules.json").read_text())
    lines = [
        *demands(_rows(folder / "duties-demands.jsonl")),
        *contents(_rows(folder / "duties-contents.jsonl")),
        *edits(rules, _rows(folder / "duties-edits.jsonl")),
    ]
    sys.exit(report(lines))


if __name__ == "__main__":
    main()
