"""Measure a search by the model of the extra: results and costs.

    python -m bench.semantic [FOLDER]

Data and method are those of ``bench.retrieval``; the figures to reach are those
with the extra ``semantic``, without which nothing is measured. Costs are printed
with those of the other modes, and are not targets. Exits 1 on a miss.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.measure import NOTHING, Command, Cost, Line, Program, report, times
from bench.retrieval import Row, rows_of, score, write_vault
from toolmem.errors import MissingExtraError
from toolmem.ops.search.search import SearchRequest, search
from toolmem.ops.search.semantic import MODES, require_model
from toolmem.store.files.settings import SettingValue
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault, utc_now

_DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "retrieval-dev"
# Set → recall@5 and recall@10 to reach; whether its projects are asked for. The
# last two have no figure of their own: they must not fall below that by words.
_SETS = {
    "observations": (0.71, 0.785, True),
    "commands": (0.45, 0.535, True),
    "tools": (0.785, 0.835, True),
    "sessions": (0.90, 0.95, False),
    "developer-notes": (0.95, 0.97, True),
}
_LARGEST = "commands"
_ASKED = 100
"""Questions that are timed."""
_RUNS = 5
_WATCH = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
unit = 1 if sys.platform == "darwin" else 1024
print(used.ru_utime + used.ru_stime, used.ru_maxrss * unit / 1e6)
"""
_LOAD = """
import time
start = time.process_time()
import numpy, onnxruntime
packages = time.process_time()
from toolmem.store.semantic.embedder import load
from toolmem.store.semantic.model_files import model_files
from toolmem.store.files.settings import resolve
embedder = load(model_files(resolve([])))
model = time.process_time()
list(embedder.embed(["how do I renew an expired login token"]))
end = time.process_time()
parts = (packages - start, model - packages, end - model)
print(" + ".join(f"{1e3 * part:.0f}" for part in parts), "ms of CPU")
"""


def open_semantic(root: Path) -> Vault:
    """The vault with its setting on."""
    vault = Vault.open(find_vault({"vault": str(root)}, root), utc_now())
    setting = SettingValue("search.semantic", "model", "bench")
    return vault._replace(settings={**vault.settings, setting.name: setting})


def measure_set(folder: Path, name: str) -> Iterator[Line]:
    """The lines of one set."""
    want5, want10, by_project = _SETS[name]
    queries = rows_of(folder / name / "queries.jsonl")
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        paths = write_vault(root, rows_of(folder / name / "corpus.jsonl"))
        vault = open_semantic(root)
        first = seconds(vault, queries[0], semantic="model")
        found = score(vault, queries, paths, by_project)
        yield _line(f"{name}: recall@5", found.recall5, want5)
        yield _line(f"{name}: recall@10", found.recall10, want10)
        yield _told(f"{name}: reading {len(paths)} memories", f"{first:.1f} s of CPU")
        if name == _LARGEST:
            yield from measure_costs(vault, queries[:_ASKED])


def measure_costs(vault: Vault, queries: Sequence[Row]) -> Iterator[Line]:
    """Compare time and memory of a search in each mode, in the same vault."""
    for mode in MODES:
        each = [seconds(vault, row, semantic=mode) for row in queries]
        text = f"{statistics.median(each) * 1e3:.1f} ms of CPU"
        yield _told(f"a search with {mode}, in a running process", text)
    kept = sum(p.stat().st_size for p in vault.root.glob(".toolmem/index/vectors/*"))
    yield _told("vectors on disk", f"{kept / 1e6:.1f} MB")
    with tempfile.TemporaryDirectory() as place:
        program = Program(Path(place))
        nothing = min(cost(program, NOTHING).cpu for _ in range(_RUNS))
        for mode in MODES:
            command = program.command(
                *("search", "--vault", str(vault.root), "--semantic", mode),
                queries[0]["query"],
            )
            found = [cost(program, command) for _ in range(_RUNS + 1)][1:]
            cpu = statistics.median(one.cpu for one in found)
            yield times(f"a search with {mode}, whole process", cpu / nothing)
            peak = max(one.peak for one in found)
            yield _told(f"a search with {mode}, peak memory", f"{peak:.0f} MB")
    load = subprocess.run(
        [sys.executable, "-c", _LOAD], check=True, capture_output=True, text=True
    )
    yield _told("packages, model and first question", load.stdout.strip())


def cost(program: Program, command: Command) -> Cost:
    """Measure a process started by a small one.

    At first a child counts all memory of its parent as its own.
    """
    words = (sys.executable, "-c", _WATCH, *command)
    cpu, peak = map(float, program.output(words).split())
    return Cost(cpu, peak)


def seconds(vault: Vault, row: Row, *, semantic: str) -> float:
    """Measure one search, in seconds of CPU: other processes do not count."""
    start = time.process_time()
    search(vault, SearchRequest(row["query"], semantic=semantic))
    return time.process_time() - start


def _line(name: str, value: float, target: float) -> Line:
    return Line(name, f"{value:.3f}", f">= {target}", value >= target)


def _told(name: str, text: str) -> Line:
    return Line(name, text, "-", ok=True)


def main(argv: Sequence[str]) -> int:
    """Print the table; 1 when a figure is missed."""
    folder = Path(argv[0]) if argv else _DEFAULT
    if not folder.is_dir():
        print(f"no data: {folder} does not exist")
        return 0
    with tempfile.TemporaryDirectory() as place:
        Path(place, "toolmem.toml").write_text("schema = 1\n")
        try:
            require_model(open_semantic(Path(place)))
        except MissingExtraError as error:
            print(f"left out: {error}")
            return 0
    return report([line for name in _SETS for line in measure_set(folder, name)])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
