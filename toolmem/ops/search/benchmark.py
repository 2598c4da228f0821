"""Measure the search on a user's own questions."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from toolmem.errors import MissingExtraError, UsageError
from toolmem.ops.search.search import SearchRequest, search_all
from toolmem.ops.search.semantic import MODEL, MODES, mode_of, require_model
from toolmem.store.vault.vault import Vault

DEPTHS = (1, 3, 5, 10)


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
    """The scores with each value of ``search.semantic``, the one in force first.

    Without the extra there are none of the model. Raises ``UsageError`` where the list
    of questions is empty.
    """
    modes = list(MODES)
    try:
        require_model(vault)
    except MissingExtraError:
        modes.remove(MODEL)
    in_force = mode_of(vault, None)
    order = sorted(modes, key=lambda mode: mode != in_force)
    return {mode: measure(vault, questions, mode) for mode in order}


def measure(
    vault: Vault, questions: Sequence[BenchmarkQuestion], semantic: str | None = None
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
    vault: Vault, question: BenchmarkQuestion, semantic: str | None
) -> tuple[list[set[str]], float]:
    chained = vault.for_project(question.project) if question.project else vault
    request = SearchRequest(question.query, limit=max(DEPTHS), semantic=semantic)
    (answer,) = search_all(chained, [request])
    names = [{hit.doc.id, hit.doc.path} for hit in answer.found.hits]
    return names, answer.took_ms
