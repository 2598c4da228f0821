"""``toolmem check``: validate a vault."""

from collections.abc import Sequence
from pathlib import Path

from toolmem.cli.check_formats import FORMATS
from toolmem.cli.inputs import Invocation
from toolmem.cli.operation import operation
from toolmem.cli.output import emit_lines, show
from toolmem.core.model import Problem
from toolmem.ops.doctor.check import Report
from toolmem.store.git import repo as repositories


@operation("check", code=lambda report: int(not report.ok))
def check(report: Report, call: Invocation, format: str = "") -> None:
    """Validate the vault; exit 1 if there is an error.

    Expired rules, many critical ones and the like are warnings.
    """
    if format:
        problems = _at_top(report.problems, call.access.find().root)
        emit_lines(FORMATS[format](problems), str)
    else:
        emit_lines(_line(problem) for problem in report.problems)


def _at_top(problems: Sequence[Problem], root: Path) -> list[Problem]:
    """Return the problems with paths as code hosts know them: from the repository."""
    repo = repositories.Repo.find(root)
    return [
        problem._replace(path=repo.place(problem.path)) if repo else problem
        for problem in problems
    ]


def _line(problem: Problem) -> str:
    level = "" if problem.severity == "error" else f"{problem.severity}: "
    return show(f"{problem.place}: {level}{problem.code} {problem.message}")
