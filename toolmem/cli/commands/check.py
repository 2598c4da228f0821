"""``toolmem check``: validate a vault."""

from toolmem.cli.operation import operation
from toolmem.cli.output import emit_lines, show
from toolmem.core.model import Problem
from toolmem.ops.doctor.check import Report


@operation("check", code=lambda report: int(not report.ok))
def check(report: Report) -> None:
    """Validate the vault; exit 1 if there is an error.

    Expired rules, many critical ones and the like are warnings.
    """
    emit_lines(_line(problem) for problem in report.problems)


def _line(problem: Problem) -> str:
    level = "" if problem.severity == "error" else f"{problem.severity}: "
    return show(f"{problem.place}: {level}{problem.code} {problem.message}")
