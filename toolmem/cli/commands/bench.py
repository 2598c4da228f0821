"""``toolmem bench``: how well the search answers your own questions."""

from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Context

from toolmem.cli.options import AgentOption, AgentTypeOption, JsonFlag, ProjectOption
from toolmem.cli.output import aside_lines, emit, emit_json, emit_lines
from toolmem.cli.run import text_or_stdin
from toolmem.cli.tree import run_of
from toolmem.core.shown import counted
from toolmem.errors import unopened
from toolmem.ops.search.benchmark import Score, measure_each, read_questions


def bench_command(
    ctx: Context,
    questions: Annotated[
        str,
        Argument(
            metavar="FILE",
            help="JSON lines with query and expect (ids or paths); - reads stdin.",
        ),
    ],
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    agent: AgentOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Measure search on your own questions.

    Prints recall, mean reciprocal rank and time, one line for each value of the setting
    search.semantic.
    """
    vault = run_of(ctx).open_reader(project, agent_type, agent)
    text = text_or_stdin("-", "question") if questions == "-" else _read(questions)
    scores = measure_each(vault, read_questions(text))
    (setting, score), *_ = scores.items()
    if as_json:
        each = [_document(name, found) for name, found in scores.items()]
        emit_json({**_document(setting, score), "settings": each})
        return
    if score.missed:
        aside_lines(f"missed: {query}" for query in score.missed)
    emit(counted(score.questions, "question"))
    emit_lines(_line(name, found) for name, found in scores.items())


def _document(setting: str, score: Score) -> dict[str, Any]:
    recall = {str(depth): value for depth, value in score.recall.items()}
    return {"setting": setting, **score._asdict(), "recall": recall}


def _line(setting: str, score: Score) -> str:
    depths = "  ".join(
        f"recall@{depth} {value:.3f}" for depth, value in score.recall.items()
    )
    return (
        f"{setting}:  {depths}  MRR {score.mrr:.3f}  "
        f"median {score.median_ms:.1f} ms  p95 {score.p95_ms:.1f} ms"
    )


def _read(name: str) -> str:
    try:
        return Path(name).read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise unopened(name, error) from error
