"""``toolmem check``: is anything broken?"""

from typing import Annotated

import typer

from toolmem.api.documents import report_document
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit_json, emit_lines, show
from toolmem.cli.tree import run_of
from toolmem.core.model import Problem


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
    """Validate the vault; exit 1 if anything is wrong."""
    report = run_of(ctx).vault_for().check(secrets=secrets, history=history)
    if as_json:
        emit_json(report_document(report))
    else:
        emit_lines(_line(problem) for problem in report.problems)
    if not report.ok:
        raise typer.Exit(1)


def _line(problem: Problem) -> str:
    return show(f"{problem.place}: {problem.code} {problem.message}")
