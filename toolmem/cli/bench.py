"""``toolmem bench``: how well the search answers your own questions."""

from pathlib import Path
from typing import Annotated

import typer

from toolmem.cli.options import AgentOption, AgentTypeOption, JsonFlag, ProjectOption
from toolmem.cli.output import aside, emit, emit_json
from toolmem.cli.run import text_or_stdin
from toolmem.cli.tree import run_of
from toolmem.errors import StorageError
from toolmem.ops.search_bench import measure, read_questions


def bench_command(
    ctx: typer.Context,
    questions: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A JSON object a line: query, expect (ids or paths); - reads stdin.",
        ),
    ],
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Measure recall, mean reciprocal rank and time on your own questions."""
    vault = run_of(ctx).open(project, agent_type, agent)
    text = text_or_stdin("-", "question") if questions == "-" else _read(questions)
    score = measure(vault, read_questions(text))
    if as_json:
        recall = {str(depth): value for depth, value in score.recall.items()}
        emit_json({**score._asdict(), "recall": recall})
        return
    if score.missed:
        aside("\n".join(f"missed: {query}" for query in score.missed))
    depths = "  ".join(
        f"recall@{depth} {value:.3f}" for depth, value in score.recall.items()
    )
    emit(
        f"{score.questions} questions  {depths}  MRR {score.mrr:.3f}  "
        f"median {score.median_ms:.1f} ms  p95 {score.p95_ms:.1f} ms"
    )


def _read(name: str) -> str:
    try:
        return Path(name).read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise StorageError(f"{name}: {error.strerror}") from error
