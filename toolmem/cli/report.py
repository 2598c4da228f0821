"""``toolmem report``: the vault as a page to look at."""

from typing import Annotated

import typer

from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit, emit_json, remark
from toolmem.cli.tree import run_of
from toolmem.ops import report
from toolmem.store import outside


def report_command(
    ctx: typer.Context,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="Where to; else printed."),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Show rules, prompts, growth, failures and use of memories as one HTML page."""
    run = run_of(ctx)
    vault = run.open()
    found = report.figures(vault)
    for text in found.remarks:
        remark(text)
    if output:
        outside.write_text(run.cwd / output, report.report_page(vault, found))
    if as_json:
        emit_json(report.document(found))
    elif output:
        emit(output)
    else:
        emit(report.report_page(vault, found))
