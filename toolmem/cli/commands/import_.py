"""``toolmem import``: what people have written for agents, as rules and memories."""

from toolmem.api.transfer import ImportResult
from toolmem.cli.commands.transfer_lines import (
    imported_summary,
    imported_table,
    refusal_line,
    remark_line,
)
from toolmem.cli.operation import operation
from toolmem.cli.output import emit, print_notice

_FAILED = ("refused", "kept")


def _code(done: ImportResult) -> int:
    """Return 1 if something was refused or unreadable, or nothing was there."""
    summary = done.imported
    failed = any(outcome.action in _FAILED for outcome in summary.outcomes)
    unreadable = any(remark.code == "unreadable" for remark in summary.remarks)
    return int(failed or unreadable or done.is_nothing)


@operation("import", code=_code)
def import_(done: ImportResult) -> None:
    """Import rules from CLAUDE.md, AGENTS.md and others."""
    summary = done.imported
    emit(imported_table(summary) if done.dry_run else imported_summary(summary))
    for outcome in summary.outcomes:
        if outcome.action in _FAILED and outcome.kind != "file" and not done.dry_run:
            print_notice(refusal_line(outcome))
    for note in summary.remarks:
        print_notice(remark_line(note))
