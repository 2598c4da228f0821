"""``toolmem check``: validate a vault."""

from typing import Annotated

from typer import Context, Option

from toolmem.api.documents import report_document
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit_json, emit_lines, print_notices, show
from toolmem.cli.tree import Exit, run_of
from toolmem.core.model import Problem


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
    as_json: JsonFlag = False,
) -> None:
    """Validate the vault; exit 1 if there is an error.

    Expired rules, many critical ones and the like are warnings.
    """
    vault = run_of(ctx).vault_for()
    report = vault.check(secrets=secrets, history=history, strict=strict, fix=fix)
    print_notices(f"fixed {path}" for path in report.fixed)
    if as_json:
        emit_json(report_document(report))
    else:
        emit_lines(_line(problem) for problem in report.problems)
    if not report.ok:
        raise Exit(1)


def _line(problem: Problem) -> str:
    level = "" if problem.severity == "error" else f"{problem.severity}: "
    return show(f"{problem.place}: {level}{problem.code} {problem.message}")
