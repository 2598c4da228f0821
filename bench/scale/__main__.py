"""Measure what each command costs by the size of the vault.

    python -m bench.scale [--sizes 1000,10000,100000,300000] [--save FILE]
    python -m bench.scale --million [--save FILE]
    python -m bench.scale --page FILE > docs/scale.md

Costs are CPU of whole processes as multiples of ``python -c pass``. The figures are
saved as JSON; one file collects the parts of a run.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.measure import NOTHING, Program
from bench.scale import costs, vaults
from bench.scale.costs import Bench, Cost
from bench.scale.page import page

SIZES = "1000,10000,100000,300000"
RULES = (100, 1_000, 10_000)
PROJECTS = (50, 1_000, 5_000)
MILLION = 1_000_000
_COMMANDS = ("prompt", "rule list", "rule why", "diff", "check")
_ID = "00000001-0000-4000-8000-000000000000"

Figures = dict[str, dict[str, list[float]]]


def main() -> int:
    """Measure the parts that were asked for, or print the page."""
    arguments = _arguments()
    if arguments.page:
        sys.stdout.write(page(json.loads(arguments.page.read_text())))
        return 0
    run = _start(arguments.save)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        program = Program(Path(folder))
        if arguments.million:
            run["million"] = _million(Bench(program, Path(folder) / "million"))
        else:
            _sizes(run, program, Path(folder), map(int, arguments.sizes.split(",")))
    if arguments.save:
        arguments.save.write_text(json.dumps(run, indent=1) + "\n")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.scale")
    parser.add_argument("--sizes", default=SIZES, metavar="N,N")
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--save", type=Path, metavar="FILE")
    parser.add_argument("--page", type=Path, metavar="FILE")
    return parser.parse_args()


def _start(file: Path | None) -> dict[str, Any]:
    if file is not None and file.exists():
        found: dict[str, Any] = json.loads(file.read_text())
        return found
    python = platform.python_version()
    machine = f"{platform.system()}, {os.cpu_count()} CPUs, Python {python}"
    return {"machine": machine, "date": datetime.now(UTC).date().isoformat()}


def _sizes(
    run: dict[str, Any], program: Program, folder: Path, sizes: Iterable[int]
) -> None:
    memories: Figures = run.setdefault("memories", {})
    disk = run.setdefault("disk", {})
    for size in sizes:
        bench = Bench(program, folder / f"memories-{size}")
        vaults.memories(bench.vault, size)
        _measure(memories, size, bench, _MEMORIES)
        disk[str(size)] = costs.disk(bench.vault)
    for size in RULES:
        bench = Bench(program, folder / f"rules-{size}")
        vaults.rules(bench.vault, size)
        _measure(run.setdefault("rules", {}), size, bench, (_of_rules,))
    for size in PROJECTS:
        bench = Bench(program, folder / f"projects-{size}")
        vaults.projects(bench.vault, size)
        _measure(run.setdefault("projects", {}), size, bench, (_of_projects,))


_Part = Callable[[Bench], Iterator[tuple[str, Cost]]]
_MEMORIES: tuple[_Part, ...] = (
    costs.reading,
    costs.changed,
    costs.writing,
    costs.serving,
)


def _measure(found: Figures, size: int, bench: Bench, parts: Iterable[_Part]) -> None:
    costs.settle()
    for part in parts:
        for name, cost in part(bench):
            found.setdefault(name, {})[str(size)] = [round(one, 2) for one in cost]
            print(f"{size:>9,}  {name:32} {cost.times:8.1f} x  {cost.peak:7.0f} MB")


def _of_rules(bench: Bench) -> Iterator[tuple[str, Cost]]:
    from bench.hooks import settle  # waits for compiled guards

    settle(bench.program, bench.vault)
    for name in _COMMANDS:
        words = name.split() + ([_ID] if name == "rule why" else [])
        yield name, bench.cost(*words)
    for name in ("PreToolUse", "UserPromptSubmit"):
        yield f"hook {name}", costs.hook(bench, name)


def _of_projects(bench: Bench) -> Iterator[tuple[str, Cost]]:
    output = str(bench.vault.parent / "report.html")
    yield "report", bench.cost("report", "-o", output)
    yield "prompt --project", bench.cost("prompt", "--project", "p00007")


def _million(bench: Bench) -> dict[str, Any]:
    """Measure a million memories once, with seconds of CPU."""
    vaults.memories(bench.vault, MILLION)
    found: Figures = {}
    empty = bench.program.cost(NOTHING).cpu
    _measure(found, MILLION, bench, (costs.reading, costs.writing))
    table = {
        name: {"times": times, "cpu": times * empty, "peak": peak}
        for name, by_size in found.items()
        for times, peak in by_size.values()
    }
    return {"costs": table, "disk": costs.disk(bench.vault)}


if __name__ == "__main__":
    sys.exit(main())
