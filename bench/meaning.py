"""Measure the search with questions that share no word with their answer.

    python -m bench.meaning [-v]

Writes the memories of ``meaning_pairs.toml`` as a vault, asks each question as
``toolmem search`` does and counts the answers among the first five results. Then the
same among many other memories: openings of docstrings in Python's standard library.
"""

import ast
import sys
import sysconfig
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from bench.measure import Line, report
from toolmem.ops.search.search import SearchRequest, search_all
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault, utc_now

FIRST = 5
_FILE = Path(__file__).with_name("meaning_pairs.toml")
_WANTED = 24
_OTHERS = 1_200
_CHARS = range(40, 400)


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


def openings() -> list[str]:
    """Return as many openings of docstrings, the same for one version of Python."""
    found = set(filter(lambda text: len(text) in _CHARS, _openings()))
    return sorted(found, key=lambda text: blake2b(text.encode()).digest())[:_OTHERS]


def _openings() -> Iterator[str]:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    for path in Path(sysconfig.get_path("stdlib")).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, documented) and (text := ast.get_docstring(node)):
                yield " ".join(text.partition("\n\n")[0].split())


def ranks(data: Pairs, others: Sequence[str] = ()) -> list[int]:
    """Return the rank of each question's answer; 0 if it is not in the first ten."""
    memories = [pair.memory for pair in data.pairs] + data.distractors + list(others)
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        (root / "toolmem.toml").write_text("schema = 1\n")
        folder = root / "system" / "memory"
        folder.mkdir(parents=True)
        for number, memory in enumerate(memories):
            (folder / f"m{number:04d}.md").write_text(f"{memory}\n", "utf-8")
        vault = Vault.open(find_vault({"vault": str(root)}, root), utc_now())
        requests = [SearchRequest(pair.question, limit=10) for pair in data.pairs]
        found = [
            [hit.doc.path for hit in answer.found.hits]
            for answer in search_all(vault, requests)
        ]
    wanted = [f"system/memory/m{number:04d}.md" for number in range(len(found))]
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
    others = openings()
    lines = list(_lines(found, "the questions", _WANTED))
    lines += _lines(ranks(data, others), f"those among {len(others):,} others", None)
    return report(lines)


def _lines(found: Sequence[int], what: str, wanted: int | None) -> Iterator[Line]:
    for first in (1, FIRST, 10):
        count = sum(0 < rank <= first for rank in found)
        least = wanted if first == FIRST else None
        target = "-" if least is None else f">= {least}"
        name = f"{what}: answered in the first {first}"
        yield Line(name, str(count), target, least is None or count >= least)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
