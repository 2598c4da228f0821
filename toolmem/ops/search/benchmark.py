"""Measure the search on a user's own questions."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from toolmem.errors import MissingExtraError, UsageError
from toolmem.ops.search.search import SearchRequest, search_all
from toolmem.ops.search.semantic import require_meaning
from toolmem.store.vault.vault import Vault

DEPTHS = (1, 3, 5, 10)
WORDS, MEANING = "words", "words and meaning"
"""The settings under which questions are asked."""


class BenchmarkQuestion(NamedTuple):
    """A question and the ids or paths that answer it."""

    query: str
    expect: tuple[str, ...]
    project: str | None = None


class Score(NamedTuple):
    """Over all questions: recall at each depth, mean reciprocal rank, times in ms."""

    questions: int
    recall: dict[int, float]
    mrr: float
    median_ms: float
    p95_ms: float
    missed: tuple[str, ...]


def read_questions(text: str) -> tuple[BenchmarkQuestion, ...]:
    """Questions, a JSON object a line: ``{query, expect: [ids or paths]}``.

    Raises ``UsageError`` with the line of the first invalid one.
    """
    return tuple(_questions(text))


def _questions(text: str) -> Iterator[BenchmarkQuestion]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row: Any = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"line {number} is not JSON: {error}") from error
        expect: Any = row.get("expect") if isinstance(row, dict) else None
        if isinstance(expect, str):
            expect = [expect]
        wrong = not isinstance(expect, list) or not expect
        if wrong or not isinstance(row.get("query"), str):
            raise UsageError(f"line {number} needs query and expect (ids or paths)")
        project = row.get("project")
        yield BenchmarkQuestion(
            row["query"],
            tuple(map(str, expect)),
            project if isinstance(project, str) else None,
        )


def measure_each(
    vault: Vault, questions: Sequence[BenchmarkQuestion]
) -> dict[str, Score]:
    """The scores under each setting that can be had here, the one in force first.

    Raises ``UsageError`` where the list of questions is empty.
    """
    settings = {WORDS: False}
    try:
        require_meaning(vault)
        settings[MEANING] = True
    except MissingExtraError:
        pass  # an extra that was not requested is no setting
    in_force = bool(vault.settings["search.semantic"].value)
    order = sorted(settings.items(), key=lambda pair: pair[1] != in_force)
    return {name: measure(vault, questions, semantic) for name, semantic in order}


def measure(
    vault: Vault, questions: Sequence[BenchmarkQuestion], semantic: bool | None = None
) -> Score:
    """Ask every question and score the answers; ``semantic`` as for a search."""
    if not questions:
        raise UsageError("the list of questions is empty")
    recalls = dict.fromkeys(DEPTHS, 0.0)
    times: list[float] = []
    reciprocal = 0.0
    missed = []
    for question in questions:
        found, took = _asked(vault, question, semantic)
        times.append(took)
        ranks = [
            place
            for place, names in enumerate(found, 1)
            if names & set(question.expect)
        ]
        for depth in DEPTHS:
            hits = sum(rank <= depth for rank in ranks)
            recalls[depth] += min(1.0, hits / len(question.expect))
        reciprocal += 1 / ranks[0] if ranks else 0.0
        if not ranks:
            missed.append(question.query)
    count = len(questions)
    times.sort()
    return Score(
        count,
        {depth: round(total / count, 4) for depth, total in recalls.items()},
        round(reciprocal / count, 4),
        times[count // 2],
        times[min(count - 1, int(count * 0.95))],
        tuple(missed),
    )


def _asked(
    vault: Vault, question: BenchmarkQuestion, semantic: bool | None
) -> tuple[list[set[str]], float]:
    chained = vault.for_project(question.project) if question.project else vault
    request = SearchRequest(question.query, limit=max(DEPTHS), semantic=semantic)
    (answer,) = search_all(chained, [request])
    names = [{hit.doc.id, hit.doc.path} for hit in answer.found.hits]
    return names, answer.took_ms
