"""Measure a reflection over many memories, and its growth.

    python -m bench.reflect [MEMORIES]

Vaults of a quarter, a half and all of so many synthetic memories (10,000), one in
ten a reworded copy of another. CPU time is compared with reading and parsing the
same files, and with itself at half the size: n log n grows a little over twofold.
"""

import itertools
import math
import random
import sys
import tempfile
from pathlib import Path

from bench.index import make_vault
from bench.measure import Line, Program, report, times

_SECONDS = 60
_MEGABYTES = 500
_BASE = """
import sys
from pathlib import Path
from toolmem.core.memories.memory_text import parse_memory
for path in sorted(Path(sys.argv[1]).rglob("memory/**/*.md")):
    parse_memory(path.read_text(), path=str(path))
"""
_SLACK = 1.25
"""Tolerance of growth above n log n, as measurements vary."""


def make(root: Path, count: int) -> None:
    """A vault of so many memories, one in ten a copy with a word or two changed."""
    rng = random.Random(5)
    make_vault(root, count * 9 // 10)
    paths = sorted(root.rglob("memory/**/*.md"))
    for number in range(count - len(paths)):
        original = paths[number * 7 % len(paths)]
        head, _, body = original.read_text().rpartition("---\n")
        words = body.split(" ")
        words[rng.randrange(20, len(words))] = "quickly"
        name = f"{original.stem[:-6]}c{number:05x}.md"
        original.with_name(name).write_text(f"{head}---\n{' '.join(words)}")


def main() -> int:
    """Measure; 1 where a figure was missed."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    sizes = [count // 4, count // 2, count]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = Program(folder / "program")
        costs = {}
        for size in sizes:
            vault = folder / f"vault-{size}"
            make(vault, size)
            words = ("--vault", str(vault), "reflect", "--json")
            costs[size] = program.cost(program.command(*words))
        base = program.cost((sys.executable, "-c", _BASE, str(vault)))
    lines = [_seconds(costs[count].cpu, count), _peak(costs[count].peak, count)]
    lines.append(times("beside reading and parsing", costs[count].cpu / base.cpu))
    for small, large in itertools.pairwise(sizes):
        target = large * math.log(large) / (small * math.log(small)) * _SLACK
        grown = costs[large].cpu / costs[small].cpu
        lines.append(times(f"{large} beside {small} memories", grown, round(target, 2)))
    return report(lines)


def _seconds(found: float, count: int) -> Line:
    name = f"reflect on {count} memories (CPU)"
    return Line(name, f"{found:.1f} s", f"<= {_SECONDS} s", found <= _SECONDS)


def _peak(found: float, count: int) -> Line:
    name = f"reflect on {count} memories (peak)"
    return Line(name, f"{found:.0f} MB", f"<= {_MEGABYTES} MB", found <= _MEGABYTES)


if __name__ == "__main__":
    sys.exit(main())
