"""Compare the index with named baselines, all in one run on this machine.

    python -m bench.index [MEMORIES]

Builds a vault of so many synthetic memories (100,000), and compares CPU time of
whole processes: ``toolmem index rebuild`` with a bare loop of read, YAML header
and tantivy add (``bench.bare``); ``toolmem search`` with nothing changed with
``git status``, and among 1,000 memories with ``python -c pass``. Then it compares
a search itself with SQLite's FTS5 and ripgrep. Ratios carry from machine to
machine, seconds do not.
"""

import itertools
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import repeat
from pathlib import Path

from bench.bare import paths, read, split
from bench.measure import Line, Program, report, times
from toolmem.core.search.query import parse_query
from toolmem.ops.search.search import SearchRequest, search, search_all
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault, utc_now

WORDS = 20_000
_FEW = 1_000
_MANY = 100_000
"""From here on the work on the files outweighs the start of the program."""
_BUILDS = 3
_ROUNDS = 5
"""Repetitions of a query; the fastest one counts, as other processes are running."""
_YOUNG = 2.1
"""Seconds for which a file counts as just written, and is read again."""
QUERIES = (
    "how do I refresh the {0} {1}",
    "{0} {1} {2} fails after {3}",
    "{0}",
    "{1} {2}",
    "why does {2} need {3} before {0}",
)


def vocabulary(rng: random.Random) -> list[str]:
    """Words of one to four syllables; the first are the most frequent."""
    syllables = [a + b for a in "bcdfghklmnprstvz" for b in ("a", "e", "i", "o", "u")]
    endings = ("", "", "s", "ed", "ing", "er", "tion", "ly")
    found: dict[str, None] = {}
    while len(found) < WORDS:
        stem = "".join(rng.choices(syllables, k=rng.randint(1, 4)))
        found[stem + rng.choice(endings)] = None
    return list(found)


def make_vault(root: Path, count: int) -> list[str]:
    """Write the memories, about 700 characters each; returns the vocabulary."""
    root.mkdir()
    (root / "toolmem.toml").write_text("schema = 1\n")
    rng = random.Random(7)
    known = vocabulary(rng)
    weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(WORDS)))
    for number in range(count):
        picked = rng.choices(known, cum_weights=weights, k=115)
        lines = (" ".join(picked[a : a + 12]).capitalize() for a in range(7, 115, 12))
        folder = root / f"projects/p{number % 20:02}/memory/t{number // 10_000:02}"
        if number % 10_000 < 20:
            folder.mkdir(parents=True, exist_ok=True)
        slug = "-".join(picked[:4])
        (folder / f"{slug}-{number:06x}.md").write_text(
            f"---\ntags: [insight, auto-generated]\ntopic: {known[number % 28]}\n"
            f"source_task: task-{number}\ncreated: 2026-04-07\n---\n"
            f"# {' '.join(picked[:7]).capitalize()}\n\n{'. '.join(lines)}.\n"
        )
    return known


def make_queries(known: Sequence[str]) -> list[str]:
    """Questions of one to seven words that some of the memories contain."""
    rng = random.Random(3)
    return [
        text.format(*(known[int(rng.random() ** 2 * 2000) + 20] for _ in range(4)))
        for text in QUERIES * 10
    ]


def make_repository(program: Program, root: Path) -> tuple[str, ...]:
    """Commit everything; return the command that lists the changes."""
    git: tuple[str, ...] = (
        "git",
        "-C",
        str(root),
        "-c",
        "user.name=b",
        "-c",
        "user.email=b@localhost",
    )
    # Git tidies up in the background, in a folder that is about to go.
    git += ("-c", "gc.auto=0", "-c", "maintenance.auto=false")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "all")):
        program.output((*git, *words))
    return (*git, "status", "--porcelain")


def open_vault(root: Path) -> Vault:
    """The vault as a command has it."""
    return Vault.open(find_vault({"vault": str(root)}, root), utc_now())


def measure(count: int, folder: Path) -> Iterator[Line]:
    """Every figure about so many memories."""
    (folder / "program").mkdir()
    program = Program(folder / "program")
    root = folder / "vault"
    queries = make_queries(make_vault(root, count))
    time.sleep(_YOUNG)
    yield from measure_build(program, root, folder, count)
    command = program.command("search", "--vault", str(root), queries[0])
    if shutil.which("git"):
        status = make_repository(program, root)
        ratio, peak = program.ratio(repeat(command), status, pairs=5)
        most = 3 if count >= _MANY else None
        yield times("search, nothing changed / git status", ratio, most)
        yield told("search, peak memory", f"{peak:.0f} MB")
    yield measure_within_age(program, root, command, count)
    few = folder / "few"
    make_vault(few, _FEW)
    time.sleep(_YOUNG)
    command = program.command("search", "--vault", str(few), queries[0])
    ratio, _ = program.ratio(repeat(command), pairs=9)
    yield times(f"search among {_FEW} memories / python -c pass", ratio, 14)
    yield measure_change(root)
    yield from measure_queries(root, queries)


def measure_within_age(
    program: Program, root: Path, command: Sequence[str], count: int
) -> Line:
    """Measure a search that relies on the last check of every file."""
    settings = root / "toolmem.toml"
    before = settings.read_text()
    settings.write_text(f"{before}[index]\nmax_age = 3600\n")
    ratio, _ = program.ratio(repeat(command), pairs=5)
    settings.write_text(before)
    most = 25 if count >= _MANY else None
    return times("search within index.max_age / python -c pass", ratio, most)


def measure_build(
    program: Program, root: Path, folder: Path, count: int
) -> Iterator[Line]:
    """Measure building from nothing, and the bare loop next to it each time."""
    build = program.command("index", "rebuild", "--vault", str(root))
    bare = (sys.executable, "-m", "bench.bare", str(root))
    ratios, seconds, peaks = [], [], []
    for number in range(_BUILDS):
        other = program.cost((*bare, str(folder / f"bare{number}")))
        own = program.cost(build)
        ratios.append(own.cpu / other.cpu)
        seconds.append((own.cpu, other.cpu))
        peaks.append(own.peak)
    text = ", ".join(f"{own:.1f} / {other:.1f}" for own, other in seconds)
    yield told("building / bare loop, s of CPU", text)
    most = 1.4 if count >= _MANY else None
    yield times("building / bare loop", statistics.median(ratios), most)
    peak = max(peaks)
    yield Line("building, peak memory", f"{peak:.0f} MB", "<= 300 MB", peak <= 300)


def measure_change(root: Path) -> Line:
    """Measure the time until a changed file is found."""
    path = next(root.rglob("*.md"))
    path.write_text(path.read_text() + "\nThe zyzzyva is a weevil.\n")
    start = time.process_time()
    answer = search(open_vault(root), SearchRequest("zyzzyva"))
    seconds = time.process_time() - start
    assert [hit.doc.path for hit in answer.found.hits] == [str(path.relative_to(root))]
    name = "one changed file, until it is found"
    return Line(name, f"{seconds:.2f} s of CPU", "< 1 s", seconds < 1)


def measure_queries(root: Path, queries: list[str]) -> Iterator[Line]:
    """Compare a search in an open index with FTS5 and ripgrep."""
    requests = [SearchRequest(text) for text in queries]
    rounds = [search_all(open_vault(root), requests) for _ in range(_ROUNDS)]
    each = sorted(
        min(answer.took_ms for answer in one) for one in zip(*rounds, strict=True)
    )
    own, most = statistics.median(each), each[int(len(each) * 0.95)]
    yield Line("a query, median", f"{own:.1f} ms", "< 5 ms", own < 5)
    yield told("a query, 95 % are below", f"{most:.1f} ms")
    yield told("SQLite FTS5, OR, bm25, median", f"{fts5(root, queries):.1f} ms")
    if shutil.which("rg"):
        word = ["rg", "-c", "--", queries[0].split()[-1], str(root)]
        taken = least(lambda: subprocess.run(word, check=True, capture_output=True))
        yield told("ripgrep, one word", f"{taken:.0f} ms")
    else:
        yield told("ripgrep", "is not installed")


def fts5(root: Path, queries: list[str]) -> float:
    """Median milliseconds of the same queries in SQLite, with a porter stemmer."""
    database = sqlite3.connect(":memory:")
    database.execute("create virtual table m using fts5(t, b, tokenize='porter')")
    for path in paths(str(root)):
        _, title, body = split(read(path))
        database.execute("insert into m values (?, ?)", (title, body))
    question = (
        "select t, bm25(m), snippet(m, 1, '', '', '', 16) from m"
        " where m match ? order by bm25(m) limit 10"
    )

    def ask(text: str) -> None:
        words = " OR ".join(f'"{word}"' for word, _ in parse_query(text).words)
        database.execute(question, (words,)).fetchall()

    return statistics.median(least(partial(ask, text)) for text in queries)


def least(action: Callable[[], object]) -> float:
    """Milliseconds of the quickest of several runs."""
    taken = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        action()
        taken.append(time.perf_counter() - start)
    return min(taken) * 1e3


def told(name: str, text: str) -> Line:
    """A row that only informs."""
    return Line(name, text, "-", ok=True)


def main(argv: Sequence[str]) -> int:
    """Print the table; 1 when a figure is missed."""
    with tempfile.TemporaryDirectory() as folder:
        return report(list(measure(int(argv[0]) if argv else _MANY, Path(folder))))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
