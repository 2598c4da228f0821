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
    found = done.imported
    failed = any(one.action in _FAILED for one in found.outcomes)
    unreadable = any(one.code == "unreadable" for one in found.remarks)
    return int(failed or unreadable or done.is_nothing)


@operation("import", code=_code)
def import_(done: ImportResult) -> None:
    """Import rules from CLAUDE.md, AGENTS.md and others."""
    found = done.imported
    emit(imported_table(found) if done.dry_run else imported_summary(found))
    for one in found.outcomes:
        if one.action in _FAILED and one.kind != "file" and not done.dry_run:
            print_notice(refusal_line(one))
    for note in found.remarks:
        print_notice(remark_line(note))
