"""Measure capture on sentences by writers who have not seen the code.

    python -m bench.capture_fresh wordings|languages|messages FILE [--show]

Rows of ``wordings`` have ``sentence``, ``before``, ``wording`` and ``honest``; of
``languages`` ``lang``, ``sentence``, ``lasting`` and ``commands`` (those that a guard
must match); of ``messages`` ``message`` and ``lasting`` (its lasting sentences).
``--show`` lists the rows that count against a figure. Exits with 1 if one is missed.
"""

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from toolmem.core.candidates.wording_check import check_wording
from toolmem.core.capture.find import find_decrees
from toolmem.core.guard.derivation.stated import derived_guards

Row = dict[str, Any]
_SHELL = "shell"


class Figure(NamedTuple):
    """A share of rows, with the bar and the rows against it."""

    title: str
    hits: int
    rows: int
    bar: float
    is_least: bool
    against: Sequence[str] = ()

    @property
    def reached(self) -> bool:
        share = self.hits / max(1, self.rows)
        return share >= self.bar if self.is_least else share <= self.bar

    @property
    def line(self) -> str:
        goal = f"{'>=' if self.is_least else '<='} {self.bar:.2f}"
        share = self.hits / max(1, self.rows)
        mark = "yes" if self.reached else "NO"
        return f"{self.title:<34} {goal}  {share:.3f}  {self.hits}/{self.rows}  {mark}"


def _figure(
    title: str, judged: Iterable[tuple[bool, str]], bar: float, *, is_least: bool
) -> Figure:
    rows = list(judged)
    against = [text for hit, text in rows if hit is not is_least]
    return Figure(title, sum(hit for hit, _ in rows), len(rows), bar, is_least, against)


def wordings(rows: Sequence[Row]) -> list[Figure]:
    judged = []
    for row in rows:
        reason = check_wording(row["wording"], row["sentence"], row["before"], _SHELL)
        shown = f"{row['sentence']!r} as {row['wording']!r}: {reason or 'accepted'}"
        judged.append((row["honest"], not reason, shown))
    honest = [(passed, shown) for is_honest, passed, shown in judged if is_honest]
    widening = [(passed, shown) for is_honest, passed, shown in judged if not is_honest]
    return [
        _figure("honest wordings accepted", honest, 0.85, is_least=True),
        _figure("widening wordings accepted", widening, 0.01, is_least=False),
    ]


def languages(rows: Sequence[Row]) -> list[Figure]:
    figures = []
    for name in (*sorted({row["lang"] for row in rows}), ""):
        own = [row for row in rows if name in ("", row["lang"])]
        judged = [(row, bool(find_decrees(row["sentence"]))) for row in own]
        lasting = [(hit, row["sentence"]) for row, hit in judged if row["lasting"]]
        other = [(hit, row["sentence"]) for row, hit in judged if not row["lasting"]]
        title = name or "all"
        figures += [
            _figure(f"{title}: lasting found", lasting, 0.85, is_least=True),
            _figure(f"{title}: others found", other, 0.25, is_least=False),
        ]
    guarded = [row for row in rows if row["lasting"] and row["commands"]]
    checked = [
        (bool(derived_guards(row["sentence"], _SHELL)), row["sentence"])
        for row in guarded
    ]
    return [
        *figures,
        _figure("with a command: guarded", checked, 0.85, is_least=True),
    ]


def messages(rows: Sequence[Row]) -> list[Figure]:
    noted, found = [], []
    for row in rows:
        text = row["message"]
        spans = [one.span for one in find_decrees(text)]
        if not row["lasting"]:
            noted.append((bool(spans), text))
        for sentence in row["lasting"]:
            start = max(0, text.find(sentence))
            end = start + len(sentence)
            hit = any(first < end and start < last for first, last in spans)
            found.append((hit, sentence))
    return [
        _figure("lasting sentences found", found, 0.94, is_least=True),
        _figure("other messages with a note", noted, 0.15, is_least=False),
    ]


KINDS = {"wordings": wordings, "languages": languages, "messages": messages}


def main(arguments: list[str]) -> int:
    shows = "--show" in arguments
    words = [one for one in arguments if one != "--show"]
    if len(words) != 2 or words[0] not in KINDS:
        print(__doc__, file=sys.stderr)
        return 2
    lines = Path(words[1]).read_text("utf-8").splitlines()
    figures = KINDS[words[0]]([json.loads(line) for line in lines])
    for figure in figures:
        print(figure.line)
        if shows and not figure.title.startswith("all"):
            for text in figure.against:
                print(f"    {text!r:.300}")
    return 0 if all(one.reached for one in figures) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
