"""Measure the word vectors: opening the table, one passage, one question.

    python -m bench.word_vectors [FOLDER]

Passages are memories of the sets of `bench.retrieval` in that folder; of
``meaning_pairs.toml`` if it is missing.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

from bench.meaning import read_pairs
from bench.measure import Line, report
from bench.retrieval import DEFAULT, memory_text, rows_of
from toolmem.core.text.terms import spaced
from toolmem.store.index.word_table import FILE, open_table, read_table

_PASSAGE_MS = 0.35
_OPEN_MS = 2.0
_COUNT = 2_000


def main(argv: Sequence[str]) -> int:
    """Print the figures; 1 if one is missed."""
    folder = Path(argv[0]) if argv else DEFAULT
    texts = [spaced(text).text.split() for text in _texts(folder)[:_COUNT]]
    table = open_table()
    opened = min(_ms(lambda _: read_table(FILE), [0]) for _ in range(5))
    passage = _ms(table.passage, texts)
    again = _ms(table.passage, texts)
    question = _ms(table.question, [words[:8] for words in texts])
    words = sum(map(len, texts)) / len(texts)
    return report(
        [
            _line("opening the table", opened, _OPEN_MS),
            _line(f"a passage of {words:.0f} words", passage, _PASSAGE_MS),
            _line("a passage, rows known", again, _PASSAGE_MS),
            _line("a question of 8 words", question, _PASSAGE_MS),
        ]
    )


def _texts(folder: Path) -> list[str]:
    corpus = folder / "commands" / "corpus.jsonl"
    if corpus.exists():
        return [memory_text(row) for row in rows_of(corpus)]
    return [pair.memory for pair in read_pairs().pairs] + read_pairs().distractors


def _ms(work: Callable[[Any], object], given: Iterable[Any]) -> float:
    """CPU of one piece of work in milliseconds."""
    start, count = process_time(), 0
    for each in given:
        work(each)
        count += 1
    return 1e3 * (process_time() - start) / count


def _line(name: str, measured: float, target: float) -> Line:
    return Line(name, f"{measured:.3f} ms", f"<= {target} ms", measured <= target)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
