"""``toolmem report``: the vault as a page to look at."""

from typing import Annotated

from typer import Context, Option

from toolmem.api import notices
from toolmem.api.reports import reported_document
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit, emit_json, print_notices
from toolmem.cli.run import file_of
from toolmem.cli.tree import run_of


def report_command(
    ctx: Context,
    output: Annotated[
        str,
        Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Output file; - (the default) prints the report.",
        ),
    ] = "",
    base_url: Annotated[
        str,
        Option(
            "--base-url",
            metavar="URL",
            help="The repository's web address: files and commits become links.",
        ),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Write an HTML report about the vault."""
    output = file_of(output)
    found = run_of(ctx).vault_for().report(output=output, base_url=base_url)
    print_notices(notices.report_notices(found))
    if as_json:
        emit_json(reported_document(found))
    else:
        emit(output or found.page)
