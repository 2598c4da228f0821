"""Measure the search with questions that share no word with their answer.

    python -m bench.meaning

Writes the memories of ``meaning_pairs.toml`` as a vault, asks each question as
``toolmem search`` does and counts the answers among the first five results.
"""

import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.measure import Line, report
from toolmem.ops.search.search import SearchRequest, search_all
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault, utc_now

FIRST = 5
_FILE = Path(__file__).with_name("meaning_pairs.toml")
_WANTED = 24


class Pair(NamedTuple):
    """A question and the memory that answers it."""

    question: str
    memory: str


class Pairs(NamedTuple):
    """All pairs, and other memories of the same vault."""

    pairs: list[Pair]
    distractors: list[str]


def read_pairs() -> Pairs:
    """Return the content of the data file."""
    data = tomllib.loads(_FILE.read_text("utf-8"))
    return Pairs([Pair(**pair) for pair in data["pair"]], data["distractors"]["texts"])


def ranks(data: Pairs) -> list[int]:
    """Return the rank of each question's answer; 0 if it is not in the first ten."""
    memories = [pair.memory for pair in data.pairs] + data.distractors
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        (root / "toolmem.toml").write_text("schema = 1\n")
        folder = root / "system" / "memory"
        folder.mkdir(parents=True)
        for number, memory in enumerate(memories):
            (folder / f"m{number:03d}.md").write_text(f"{memory}\n", "utf-8")
        vault = Vault.open(find_vault({"vault": str(root)}, root), utc_now())
        requests = [SearchRequest(pair.question, limit=10) for pair in data.pairs]
        found = [
            [hit.doc.path for hit in answer.found.hits]
            for answer in search_all(vault, requests)
        ]
    wanted = [f"system/memory/m{number:03d}.md" for number in range(len(found))]
    return [
        paths.index(path) + 1 if path in paths else 0
        for path, paths in zip(wanted, found, strict=True)
    ]


def main(argv: Sequence[str]) -> int:
    """Print the figures; 1 if too few answers are found."""
    data = read_pairs()
    found = ranks(data)
    if "-v" in argv:
        for rank, pair in zip(found, data.pairs, strict=True):
            print(f"{rank or '-':>3}  {pair.question}")
    counts = {
        first: sum(0 < rank <= first for rank in found) for first in (1, FIRST, 10)
    }
    name = "questions answered in the first"
    return report(
        [
            Line(f"{name} 1", str(counts[1]), "-", ok=True),
            Line(
                f"{name} {FIRST}",
                str(counts[FIRST]),
                f">= {_WANTED}",
                counts[FIRST] >= _WANTED,
            ),
            Line(f"{name} 10", str(counts[10]), "-", ok=True),
        ]
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
