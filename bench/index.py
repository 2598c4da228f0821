"""What the index costs beside named baselines, all in one run on this machine.

    python -m bench.index [MEMORIES]

Builds a vault of so many synthetic memories (100,000), and compares CPU time:
building with a bare loop of read, YAML header and tantivy add; a search with
nothing changed with ``git status``; a search itself with SQLite's FTS5 and
ripgrep. Ratios carry from machine to machine, seconds do not.
"""

import itertools
import random
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import tantivy
import yaml

from toolmem.core.search.corpus import View
from toolmem.core.search.doc import Doc
from toolmem.core.search.find import Found, Request, find
from toolmem.core.search.query import parse_query
from toolmem.store.index.index import Index, Opened
from toolmem.store.index.listing import Listing, walk
from toolmem.store.index.source import Source

WORDS = 20_000
NOW = datetime(2026, 1, 1, tzinfo=UTC)
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


def load(path: str, data: bytes) -> tuple[Doc, ...]:
    """A memory by the plainest reader that there is."""
    header, title, body = split(data)
    return (
        Doc(
            path.rpartition("/")[2],
            path,
            f"project:{path.split('/')[1]}",
            "memory",
            title=title,
            body=body,
            topic=str(header["topic"]),
            tags=tuple(header["tags"]),
        ),
    )


def split(data: bytes) -> tuple[dict[str, Any], str, str]:
    """Header, title and body of a memory."""
    _, header, rest = data.decode().split("---\n", 2)
    title, _, body = rest.partition("\n\n")
    return yaml.load(header, yaml.CSafeLoader), title[2:], body


def is_memory(path: str) -> bool:
    return path.endswith(".md")


def enter(path: str) -> bool:
    return not path.startswith(".")


def source_of(root: Path) -> Source:
    def listing() -> Listing:
        return walk(root, is_memory, enter)

    return Source(listing, lambda path: read(root, path), load)


def read(root: Path, path: str) -> bytes:
    with open(f"{root}/{path}", "rb") as file:  # noqa: PTH123 (half as fast)
        return file.read()


def bare_loop(root: Path, folder: Path) -> None:
    """The baseline of building: read, YAML header, tantivy add."""
    build = tantivy.SchemaBuilder()
    build.add_text_field("path", stored=True, tokenizer_name="raw")
    for name in ("title", "body", "tags"):
        build.add_text_field(name, stored=True, tokenizer_name="en_stem")
    folder.mkdir()
    writer = tantivy.Index(build.build(), str(folder)).writer(100_000_000, 1)
    for path in walk(root, is_memory, enter).paths:
        header, title, body = split(read(root, path))
        writer.add_document(
            tantivy.Document(path=path, title=title, body=body, tags=str(header))
        )
    writer.commit()
    writer.wait_merging_threads()


def ask(index: Index, text: str) -> Found:
    request = Request(parse_query(text), lambda scope: 1.0)

    def question(opened: Opened) -> Found:
        return find(opened.corpus(View(NOW)), request)

    return index.answer(question)


def used(who: int) -> float:
    found = resource.getrusage(who)
    return found.ru_utime + found.ru_stime


def run(command: list[str], folder: Path | None = None, times: int = 1) -> float:
    """CPU seconds of a program, children and system time included; the least."""
    best = float("inf")
    for _ in range(times):
        before = used(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        best = min(best, used(resource.RUSAGE_CHILDREN) - before)
    return best


def part(name: str, root: Path, *more: str) -> list[str]:
    """The command that does one part of the measurement by itself."""
    return [sys.executable, "-m", "bench.index", f"--{name}", str(root), *more]


SEARCH = """
import sys, typer
from pathlib import Path
from typing import Any
from datetime import UTC, datetime
from toolmem.core.search.corpus import View
from toolmem.core.search.find import Request, find
from toolmem.core.search.query import parse_query
from toolmem.store.index.index import Index
from toolmem.store.index.listing import walk
from toolmem.store.index.source import Source
root = Path(sys.argv[1])
listing = lambda: walk(root, lambda p: p.endswith(".md"), lambda p: p[0] != ".")
index = Index(root / ".toolmem", Source(listing, None, None))
request = Request(parse_query(sys.argv[2]), lambda scope: 1.0)
view = View(datetime(2026, 1, 1, tzinfo=UTC))
found = index.answer(lambda opened: find(opened.corpus(view), request))
assert len(found.hits) == 10, found
"""
"""A search as a process of its own; Typer is there as it is in ``toolmem``."""


def measure(root: Path, count: int) -> bool:
    """Print every figure; true if none is missed."""
    known = make_vault(root, count)
    print(f"{count} memories, {sum(1 for _ in root.rglob('*.md'))} files")
    nothing = run([sys.executable, "-c", "pass"], times=5)
    good = True

    bare = run(part("bare", root, str(root / ".bare")))
    shutil.rmtree(root / ".bare")
    time.sleep(2.1)  # so that no file counts as just written
    build = run(part("build", root))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    good &= line("build / bare loop", build, bare, "bare loop", 1.4)
    print(f"  peak memory of the larger of the two: {peak:.0f} MB (at most 300)")
    good &= peak <= 300

    rng = random.Random(3)
    queries = [
        text.format(*(known[int(rng.random() ** 2 * 2000) + 20] for _ in range(4)))
        for text in QUERIES * 10
    ]
    search = [sys.executable, "-c", SEARCH, str(root), queries[0]]
    process = run(search, times=5)
    line("search, whole process / python -c pass", process, nothing, "", None)
    if shutil.which("git"):
        git = ["git", "-c", "user.name=b", "-c", "user.email=b@localhost"]
        # Git tidies up in the background, in a folder that is about to go.
        git += ["-c", "gc.auto=0", "-c", "maintenance.auto=false"]
        (root / ".gitignore").write_text(".toolmem/\n")
        run([*git, "init", "-q"], root)
        run([*git, "add", "-A"], root)
        run([*git, "commit", "-qm", "all"], root)
        status = run(["git", "status", "--porcelain"], root, times=5)
        good &= line("search, nothing changed / git status", process, status, "", 3)

    good &= incremental(root)
    inside(root, queries)
    return good


def incremental(root: Path) -> bool:
    """Seconds until a changed file is found; true if below one."""
    index = Index(root / ".toolmem", source_of(root))
    path = next(root.rglob("*.md"))
    path.write_text(path.read_text() + "\nThe zyzzyva is a weevil.\n")
    start = time.perf_counter()
    found = ask(index, "zyzzyva")
    seconds = time.perf_counter() - start
    assert [hit.doc.path for hit in found.hits] == [str(path.relative_to(root))]
    print(f"one changed file, until it is found: {seconds:.2f} s (below 1)")
    return seconds < 1


def inside(root: Path, queries: list[str]) -> None:
    """A query by itself, the index being open, beside FTS5 and ripgrep."""
    index = Index(root / ".toolmem", source_of(root))
    each: list[float] = []

    def question(opened: Opened) -> None:
        for text in queries:
            request = Request(parse_query(text), lambda scope: 1.0)
            start = time.perf_counter()
            find(opened.corpus(View(NOW)), request)
            each.append(time.perf_counter() - start)

    index.answer(question)
    own = statistics.median(each)
    worst = sorted(each)[int(len(each) * 0.95)]
    print(f"a query: median {own * 1e3:.1f} ms, 95 % below {worst * 1e3:.1f} ms")
    line("  / SQLite FTS5", own, fts5(root, queries), "bm25, OR", None)
    if shutil.which("rg"):
        word = ["rg", "-c", "--", queries[0].split()[-1], str(root)]
        line("  / ripgrep, one word", own, run(word, times=3), "", None)


def fts5(root: Path, queries: list[str]) -> float:
    """Median seconds of the same queries in SQLite, with a porter stemmer."""
    database = sqlite3.connect(":memory:")
    database.execute("create virtual table m using fts5(t, b, tokenize='porter')")
    for path in walk(root, is_memory, enter).paths:
        _, title, body = split(read(root, path))
        database.execute("insert into m values (?, ?)", (title, body))
    each = []
    for text in queries:
        words = " OR ".join(f'"{word}"' for word, _ in parse_query(text).words)
        start = time.perf_counter()
        database.execute(
            "select t, bm25(m), snippet(m, 1, '', '', '', 16) from m"
            " where m match ? order by bm25(m) limit 10",
            (words,),
        ).fetchall()
        each.append(time.perf_counter() - start)
    return statistics.median(each)


def line(
    name: str, seconds: float, baseline: float, what: str, most: float | None
) -> bool:
    """Print one ratio; false if it is above ``most``."""
    bound = f"(at most {most:g})" if most is not None else ""
    print(
        f"{name}: {seconds * 1e3:.1f} / {baseline * 1e3:.1f} ms"
        f" = {seconds / baseline:.2f} x {what} {bound}".rstrip(),
        flush=True,
    )
    return most is None or seconds <= most * baseline


def main(argv: list[str]) -> int:
    if argv[:1] == ["--bare"]:
        bare_loop(Path(argv[1]), Path(argv[2]))
    elif argv[:1] == ["--build"]:
        state = Path(argv[1]) / ".toolmem"
        Index(state, source_of(Path(argv[1]))).rebuild()
    else:
        with tempfile.TemporaryDirectory() as folder:
            good = measure(Path(folder), int(argv[0]) if argv else 100_000)
        return 0 if good else 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
