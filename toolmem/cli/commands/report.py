"""``toolmem report``: the vault as a page to look at."""

from toolmem.api.reports import VaultReport
from toolmem.cli.operation import operation
from toolmem.cli.output import emit


@operation("report")
def report(written: VaultReport, output: str) -> None:
    """Write an HTML report about the vault."""
    emit(written.page if output in ("", "-") else output)
