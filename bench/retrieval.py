"""Measure search and deduplication on labelled data, against targets.

    python -m bench.retrieval [FOLDER]

The folder (``../shared/retrieval-dev``) holds ``SET/corpus.jsonl`` (one memory a
line), ``SET/queries.jsonl`` (query, expect) and ``pairs/edits.jsonl``. Each set is
written as a vault and searched as ``toolmem search`` does. Exits 1 on a miss.
"""

import json
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.measure import Line, report
from toolmem.core.comparison.verdict import SaveAction, compare
from toolmem.core.comparison.verdict import TermStatistics as Words
from toolmem.core.language.language import ENGLISH
from toolmem.core.names import encode_name
from toolmem.core.scope import chain_for
from toolmem.core.text.terms import words
from toolmem.ops.search.search import SearchRequest, search_all
from toolmem.store.index.dictionary import dictionary
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault, utc_now

Row = dict[str, Any]
DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "retrieval-dev"
# Set → recall@5, recall@10 and MRR to reach; whether its projects are asked for.
_SETS: dict[str, tuple[float, float, float, bool]] = {
    "observations": (0.675, 0.755, 0.0, True),
    "sessions": (0.90, 0.95, 0.815, False),
    "commands": (0.435, 0.515, 0.0, True),
    "tools": (0.735, 0.782, 0.0, True),
    "developer-notes": (0.95, 0.97, 0.0, True),
}
_TYPO_LOSS = 0.02
_LEAST_LETTERS = 3
"""Letters of a word whose misspelling counts, more than."""


class Figures(NamedTuple):
    """Over all questions of a set."""

    recall5: float
    recall10: float
    mrr: float


def rows_of(path: Path) -> list[Row]:
    """The rows of a JSONL file."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line.strip()]


def write_vault(root: Path, corpus: Iterable[Row]) -> dict[str, str]:
    """Write each row as a memory; path by id."""
    (root / "toolmem.toml").write_text("schema = 1\n")
    paths: dict[str, str] = {}
    for number, row in enumerate(corpus):
        project = row.get("project")
        scope = f"projects/{encode_name(project)}" if project else "system"
        path = root / scope / "memory" / f"m{number:06d}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(memory_text(row), encoding="utf-8")
        paths[str(row["id"])] = path.relative_to(root).as_posix()
    return paths


def memory_text(row: Row) -> str:
    """A row as a memory file: tags, title, description, text."""
    tags = json.dumps(row["tags"], ensure_ascii=False) if row.get("tags") else ""
    header = f"---\ntags: {tags}\n---\n" if tags else ""
    title = f"# {row['title']}\n\n" if row.get("title") else ""
    desc = f"{row['desc']}\n\n" if row.get("desc") else ""
    date = f"{row['date']}\n\n" if row.get("date") else ""
    return f"{header}{title}{desc}{date}{row['text']}\n"


def score(
    vault: Vault, queries: Sequence[Row], paths: dict[str, str], by_project: bool
) -> Figures:
    """Ask every question of a set."""
    recall5 = recall10 = mrr = 0.0
    for row, found in answers(vault, queries, by_project):
        wanted = {paths[str(name)] for name in row["expect"]}
        ranks = [n for n, path in enumerate(found, 1) if path in wanted]
        recall5 += sum(rank <= 5 for rank in ranks) / len(wanted)
        recall10 += len(ranks) / len(wanted)
        mrr += 1 / ranks[0] if ranks else 0.0
    count = len(queries)
    return Figures(recall5 / count, recall10 / count, mrr / count)


def answers(
    vault: Vault, queries: Sequence[Row], by_project: bool
) -> Iterator[tuple[Row, list[str]]]:
    """Each question with the paths of its first ten hits."""
    groups: dict[str, list[Row]] = {}
    for row in queries:
        project = str(row.get("project") or "") if by_project else ""
        groups.setdefault(project, []).append(row)
    for project, rows in groups.items():
        chain = chain_for(project, None, None)
        asked = vault.with_chain(chain) if project else vault
        requests = [SearchRequest(row["query"], limit=10) for row in rows]
        for row, answer in zip(rows, search_all(asked, requests), strict=True):
            yield row, [hit.doc.path for hit in answer.found.hits]


def with_typo(query: str, rng: random.Random) -> str:
    """The question with one letter of a content word wrong."""
    long = list(re.finditer(r"[A-Za-z]{5,}", query))
    if not long:
        return query
    word = rng.choice(long)
    at = rng.randrange(word.start() + 1, word.end() - 1)
    kind = rng.choice(("delete", "double", "swap", "replace"))
    letter = query[at]
    if kind == "delete":
        return query[:at] + query[at + 1 :]
    if kind == "double":
        return query[:at] + letter + query[at:]
    if kind == "swap":
        return query[:at] + query[at + 1] + letter + query[at + 2 :]
    return query[:at] + rng.choice("aeiorstln") + query[at + 1 :]


def measure_set(folder: Path, name: str) -> Iterator[Line]:
    """The lines of one set."""
    want5, want10, want_mrr, by_project = _SETS[name]
    queries = rows_of(folder / name / "queries.jsonl")
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        paths = write_vault(root, rows_of(folder / name / "corpus.jsonl"))
        vault = Vault.open(find_vault({"vault": str(root)}, root), utc_now())
        found = score(vault, queries, paths, by_project)
        yield _line(f"{name}: recall@5", found.recall5, want5)
        yield _line(f"{name}: recall@10", found.recall10, want10)
        if want_mrr:
            yield _line(f"{name}: MRR", found.mrr, want_mrr)
        if name == "observations":
            rng = random.Random(1)
            wrong = [{**row, "query": with_typo(row["query"], rng)} for row in queries]
            typos = score(vault, wrong, paths, by_project)
            loss = found.recall5 - typos.recall5
            text = f"{loss:.3f}"
            target = f"<= {_TYPO_LOSS}"
            label = "observations: recall@5 lost by one typo"
            yield Line(label, text, target, loss <= _TYPO_LOSS)


def _line(name: str, value: float, target: float) -> Line:
    return Line(name, f"{value:.3f}", f">= {target}", value >= target)


def measure_pairs(folder: Path) -> Iterator[Line]:
    """The lines of the labelled pairs of notes."""
    rows = rows_of(folder / "pairs" / "edits.jsonl")
    known = words_of([text for row in rows for text in (row["a"], row["b"])])
    verdicts = [(row, compare(row["b"], row["a"], known)) for row in rows]
    same = [row for row, one in verdicts if one.action is SaveAction.DEDUPLICATED]
    right = sum(row["label"] == "same" for row in same)
    precision = right / len(same) if same else 0.0
    yield _line('pairs: precision of "same"', precision, 1.0)
    listed = [
        one
        for row, one in verdicts
        if row["label"] == "same" and _is_listed(row, known)
    ]
    found = sum(one.action is SaveAction.DEDUPLICATED for one in listed)
    yield _line('pairs: recall of "same" by a listed edit', found / len(listed), 0.95)
    others = [
        one
        for row, one in verdicts
        if row["label"] == "same" and not _is_listed(row, known)
    ]
    linked = sum(one.action is not SaveAction.CONTESTED for one in others)
    yield _line("pairs: other edits not called contested", linked / len(others), 0.95)
    wrong = sum(row["label"] == "contradict" for row in same)
    label = 'pairs: number and negation edits called "same"'
    yield Line(label, str(wrong), "0", wrong == 0)
    distinct = [one for row, one in verdicts if row["label"] == "distinct"]
    taken = (SaveAction.DEDUPLICATED, SaveAction.MERGED)
    related = (one.action in taken or one.is_similar for one in distinct)
    share = sum(related) / max(1, len(distinct))
    label = "pairs: distinct ones called related or same"
    yield Line(label, f"{share:.4f}", "<= 0.005", share <= 0.005)


def _is_listed(row: Row, known: Words) -> bool:
    """Return True for an edit of the closed list: one misspelt word that is no name.

    The other edits of the set change marks of lists and headings, order or words.
    """
    one, other = row["a"].split(), row["b"].split()
    changed = [pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]]
    wrapped = row["a"].count("\n") != row["b"].count("\n")
    if row["src"] != "typos" or wrapped or len(one) != len(other) or len(changed) != 1:
        return False
    words = [word.strip(".,;:!?\"'()") for word in changed[0]]
    plain = all(word.isalpha() and word.islower() for word in words)
    if not plain or min(map(len, words)) <= _LEAST_LETTERS:
        return False
    return known.spelling.knows(words[0]) and not known.spelling.knows(words[1])


def words_of(texts: Sequence[str]) -> Words:
    """Number of texts that contain each term."""
    counts = Counter(
        term for text in texts for term in set(map(ENGLISH.stem_of, words(text)))
    )
    return Words(len(texts), counts.__getitem__, dictionary("en"))


def main(argv: Sequence[str]) -> int:
    """Print the table; 1 when a figure is missed."""
    folder = Path(argv[0]) if argv else DEFAULT
    if not folder.is_dir():
        print(f"no data: {folder} does not exist")
        return 0
    lines = [line for name in _SETS for line in measure_set(folder, name)]
    lines += measure_pairs(folder)
    return report(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
