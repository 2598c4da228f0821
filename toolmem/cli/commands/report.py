"""``toolmem report``: the vault as a page to look at."""

from typing import Annotated

import typer

from toolmem.api import notices
from toolmem.api.reports import reported_document
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit, emit_json, print_notices
from toolmem.cli.run import file_of
from toolmem.cli.tree import run_of


def report_command(
    ctx: typer.Context,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Output file; - (the default) prints the report.",
        ),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Write an HTML report about the vault."""
    output = file_of(output)
    found = run_of(ctx).vault_for().report(output=output)
    print_notices(notices.report_notices(found))
    if as_json:
        emit_json(reported_document(found))
    else:
        emit(output or found.page)
