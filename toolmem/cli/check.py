"""``toolmem check``: is anything broken?"""

from typing import Annotated

import typer

from toolmem.cli.documents import problem_document
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit, emit_json, show
from toolmem.cli.tree import run_of
from toolmem.core.model import Problem
from toolmem.errors import UsageError
from toolmem.ops import secret_scan
from toolmem.ops.check import check_vault


def check_command(
    ctx: typer.Context,
    secrets: Annotated[
        bool, typer.Option("--secrets", help="Look for credentials, too.")
    ] = False,
    history: Annotated[
        bool,
        typer.Option("--history", help="With --secrets: in all that git has, too."),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Tell every defect of the vault; exit 1 when there is one."""
    if history and not secrets:
        raise UsageError("--history goes with --secrets")
    vault = run_of(ctx).open()
    report = check_vault(vault)
    if secrets:
        report = report.with_more(secret_scan.scan_files(vault))
    if history:
        report = report.with_more(secret_scan.scan_history(vault))
    if as_json:
        problems = [problem_document(problem) for problem in report.problems]
        emit_json({"problems": problems, "ok": report.ok})
    else:
        emit("\n".join(_line(problem) for problem in report.problems))
    if not report.ok:
        raise typer.Exit(1)


def _line(problem: Problem) -> str:
    return show(f"{problem.path}:{problem.line}: {problem.code} {problem.message}")
