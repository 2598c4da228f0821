"""``toolmem export``: what the vault says, in the files that other programs read."""

from toolmem.api.documents import plain
from toolmem.api.transfer import ExportResult
from toolmem.cli.operation import operation
from toolmem.cli.output import emit, emit_json, emit_lines, print_notice, show
from toolmem.core import limits


@operation("export", code=lambda done: int(done.is_stale))
def export(done: ExportResult) -> None:
    """Export the vault for other agents or as JSON."""
    if done.document is not None:
        emit_json(plain(done))
    elif not done.changes:
        emit(done.text)
    else:
        _show(done)


def _show(done: ExportResult) -> None:
    emit_lines(f"{change.action} {show(change.path)}" for change in done.changes)
    for rule in done.unsupported:
        who = rule.id[: limits.ID_SHOWN]
        print_notice(f"no permission for {who} “{show(rule.rule)}”: {rule.reason}")
