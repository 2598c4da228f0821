"""``toolmem check``: validate a vault."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from typer import Context, Option

from toolmem.api.documents import report_document
from toolmem.cli.check_formats import FORMATS
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit_json, emit_lines, print_notices, show
from toolmem.cli.tree import Exit, run_of
from toolmem.core.model import Problem
from toolmem.errors import UsageError
from toolmem.store.git.repo import Repo


def check_command(
    ctx: Context,
    secrets: Annotated[
        bool, Option("--secrets", help="Also look for credentials.")
    ] = False,
    history: Annotated[
        bool,
        Option("--history", help="With --secrets: also search the git history."),
    ] = False,
    strict: Annotated[
        bool, Option("--strict", help="Exit with 1 for warnings as well.")
    ] = False,
    fix: Annotated[
        bool,
        Option(
            "--fix",
            help="Rewrite what older versions stored: guards, topics and tags.",
        ),
    ] = False,
    format_: Annotated[
        str,
        Option(
            "--format",
            metavar="FORMAT",
            help="Print for a code host: github, gitlab or sarif.",
        ),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Validate the vault; exit 1 if there is an error.

    Expired rules, many critical ones and the like are warnings.
    """
    run = run_of(ctx)
    if format_ and format_ not in FORMATS:
        raise UsageError(f"no format {format_!r}: {', '.join(FORMATS)}")
    vault = run.vault_for()
    report = vault.check(secrets=secrets, history=history, strict=strict, fix=fix)
    print_notices(f"fixed {path}" for path in report.fixed)
    if as_json:
        emit_json(report_document(report))
    elif format_:
        problems = _at_top(report.problems, run.find().root)
        emit_lines(FORMATS[format_](problems), str)
    else:
        emit_lines(_line(problem) for problem in report.problems)
    if not report.ok:
        raise Exit(1)


def _at_top(problems: Sequence[Problem], root: Path) -> list[Problem]:
    """Return the problems with paths as code hosts know them: from the repository."""
    repo = Repo.find(root)
    return [
        one._replace(path=repo.place(one.path)) if repo else one for one in problems
    ]


def _line(problem: Problem) -> str:
    level = "" if problem.severity == "error" else f"{problem.severity}: "
    return show(f"{problem.place}: {level}{problem.code} {problem.message}")
