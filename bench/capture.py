"""How well decrees are captured, on folders of labelled sentences.

    python bench/capture.py [DATA_FOLDER] [--show CLASS]

The folder holds ``real.jsonl`` and ``made-up.jsonl`` as its README.md describes
them; without one it is looked for beside the repository. ``--show`` lists what
went wrong of a class: missed, false, one-off, tools, texts, effects. Ends with 1
when a figure is missed, with 2 when there is no data.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolmem.core import limits
from toolmem.core.capture.decree import Find, find_decrees
from toolmem.core.capture.relate import KnownRule, relate
from toolmem.core.capture.tools import ToolWords, choose_tools

DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "capture-dev"
Row = dict[str, Any]


@dataclass(frozen=True)
class Judged:
    """A labelled sentence and the finds that overlap it in its message."""

    row: Row
    finds: tuple[Find, ...]

    @property
    def adds(self) -> list[Find]:
        return [find for find in self.finds if find.effect == "add"]

    def applied(self) -> bool:
        """A rule would be made at once, for good."""
        return any(
            find.lasting and find.confidence >= limits.CAPTURE_APPLY
            for find in self.adds
        )

    def touched(self) -> bool:
        """Something was found, sure or plausible, for good."""
        return any(find.lasting for find in self.adds)

    def is_a(self, label: str, lasting: bool | None = None) -> bool:
        same = self.row["label"] == label
        return same and (label == "not" or self.row["lasting"] is lasting)


def judge(row: Row) -> Judged:
    message = row.get("message") or row["prompt_excerpt"]
    start, end = _place(message, row["sentence"])
    if start < 0:
        message, start, end = row["sentence"], 0, len(row["sentence"])
    finds = tuple(find for find in find_decrees(message) if _overlaps(find, start, end))
    return Judged(row, finds)


def _place(message: str, sentence: str) -> tuple[int, int]:
    """Where the sentence stands in the message, whatever its blanks are."""
    at = message.find(sentence)
    if at >= 0:
        return at, at + len(sentence)
    shown = [n for n, char in enumerate(message) if not char.isspace()]
    squeezed = "".join(message[n] for n in shown)
    wanted = "".join(sentence.split())
    at = squeezed.find(wanted)
    return (shown[at], shown[at + len(wanted) - 1] + 1) if at >= 0 else (-1, -1)


def _overlaps(find: Find, start: int, end: int) -> bool:
    shared = min(end, find.end) - max(start, find.start)
    return shared > 0 and 2 * shared >= min(end - start, find.end - find.start)


def tools_right(one: Judged) -> bool:
    """All expected tools and no wrong one; ``*`` stands for no tool at all."""
    row = one.row
    text = one.adds[0].text if one.adds else row["sentence"]
    chosen = choose_tools(text, [ToolWords(name) for name in row["tools"]], ())
    got = set(chosen) or {"*"}
    wanted, also = set(row["expect_tools"]) - {"*"}, set(row["also_ok_tools"])
    if not got <= set(row["expect_tools"]) | also:
        return False
    return wanted <= got or got == {"*"}


def _plain(text: str) -> str:
    text = " ".join(text.split()).rstrip(".!?").rstrip()
    return text[:1].lower() + text[1:]


def text_right(one: Judged) -> bool:
    good = [one.row["expect_text"], *one.row["accept_text"]]
    return any(_plain(find.text) in map(_plain, good) for find in one.adds)


def effect_of(one: Judged) -> str:
    """What the sentence does to the rule that was given before."""
    rules = [KnownRule("prior", "", one.row["prior"])]
    for find in one.finds:
        kind = relate(find, rules).kind
        if kind in ("revokes", "amends"):
            return {"revokes": "revoke", "amends": "exception"}[kind]
        if find.effect == "add":
            return "add"
    return "none"


def effect_right(one: Judged) -> bool:
    return effect_of(one) == str(one.row["expect_effect"])


@dataclass(frozen=True)
class Figure:
    """One line of the table: a share of some sentences, and what it must reach."""

    title: str
    show: str
    rows: list[Judged]
    holds: Callable[[Judged], bool]
    least: float = 0.0
    most: float = 1.0

    @property
    def hits(self) -> int:
        return sum(map(self.holds, self.rows))

    @property
    def share(self) -> float:
        return self.hits / len(self.rows) if self.rows else self.least

    @property
    def reached(self) -> bool:
        return self.least <= self.share <= self.most

    def line(self) -> str:
        goal = f">= {self.least:.2f}" if self.least else f"<= {self.most:.2f}"
        mark = "yes" if self.reached else "NO"
        count = f"{self.hits}/{len(self.rows)}"
        return f"{self.title:<46} {goal:>8} {self.share:>7.3f} {count:>9}  {mark}"

    def wrong(self) -> Iterator[Judged]:
        wanted = bool(self.least)
        return (one for one in self.rows if self.holds(one) is not wanted)


def figures(real: list[Judged], made: list[Judged]) -> list[Figure]:
    lasting = [one for one in real if one.is_a("decree", True)]
    nots = [one for one in real if one.is_a("not")]
    once = [one for one in real if one.is_a("decree", False)]
    standing = [one for one in made if one.is_a("decree", True)]
    made_nots = [one for one in made if one.is_a("not")]
    routed = [one for one in made if one.row["label"] == "decree"]
    worded = [one for one in routed if one.row["expect_text"] and one.adds]
    wanted = ("revoke", "exception")
    effects = [one for one in made if one.row["expect_effect"] in wanted]
    applied, touched = Judged.applied, Judged.touched
    some, both = "lasting decrees applied", "lasting decrees applied or proposed"
    return [
        Figure(f"real: {some}", "missed", lasting, applied, 0.55),
        Figure(f"real: {both}", "missed", lasting, touched, 0.80),
        Figure('real: "not" applied', "false", nots, applied, most=0.01),
        Figure('real: "not" applied or proposed', "false", nots, touched, most=0.05),
        Figure("real: one-off applied as lasting", "one-off", once, applied, most=0.15),
        Figure(f"made-up: {some}", "missed", standing, applied, 0.90),
        Figure(f"made-up: {both}", "missed", standing, touched, 0.95),
        Figure('made-up: "not" applied', "false", made_nots, applied, most=0.03),
        Figure("made-up: right tools", "tools", routed, tools_right, 0.92),
        Figure("made-up: text as accepted", "texts", worded, text_right, 0.95),
        Figure("made-up: taken back", "effects", effects, effect_right, 0.85),
    ]


def load(path: Path) -> Iterable[Judged]:
    with path.open(encoding="utf-8") as lines:
        return [judge(json.loads(line)) for line in lines if line.strip()]


def show(kind: str, table: list[Figure]) -> None:
    for figure in table:
        if figure.show == kind:
            print(f"\n{figure.title}")
            for one in figure.wrong():
                found = [
                    (find.confidence, find.lasting, find.why, find.text)
                    for find in one.finds
                ]
                print(f"  {one.row['id']} {one.row['sentence']!r}\n      {found}")


def main(arguments: list[str]) -> int:
    kind = ""
    if "--show" in arguments:
        at = arguments.index("--show")
        kind = "".join(arguments[at + 1 : at + 2])
        del arguments[at : at + 2]
    folder = Path(arguments[0]) if arguments else DEFAULT
    missing = [n for n in ("real.jsonl", "made-up.jsonl") if not (folder / n).is_file()]
    if missing:
        print(
            f"{folder}: no {' and no '.join(missing)}; give the folder", file=sys.stderr
        )
        return 2
    table = figures(
        list(load(folder / "real.jsonl")), list(load(folder / "made-up.jsonl"))
    )
    print(f"{'figure':<46} {'to reach':>8} {'got':>7} {'count':>9}  reached")
    for figure in table:
        print(figure.line())
    if kind:
        show(kind, table)
    return 0 if all(figure.reached for figure in table) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
