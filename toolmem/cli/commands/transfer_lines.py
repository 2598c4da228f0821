"""Output of an import for people."""

from collections import Counter

from toolmem.cli.output import show, table
from toolmem.core.model import ANY_TOOL
from toolmem.core.shown import counted
from toolmem.ops.transfer.import_files import ImportSummary, Remark
from toolmem.ops.transfer.import_texts import ImportOutcome

_TEXT_CHARS = 60
_DONE = ("created", "updated", "unchanged", "exists", "kept", "retired", "refused")
_KINDS = ("rule", "guidance", "memory", "file")


def imported_table(found: ImportSummary) -> str:
    """One line an item: what is done, with what, about what, and from where."""
    return table(
        (
            one.action,
            f"{one.kind} [{one.priority}]" if one.priority else one.kind,
            "every tool" if one.about == ANY_TOOL else one.about or "-",
            one.source,
            _short(one.text) + (f" ({one.reason})" if one.reason else ""),
        )
        for one in found.outcomes
    )


def imported_summary(found: ImportSummary) -> str:
    """Count items by kind and action: ``created 2 rules``."""
    counts = Counter((one.action, one.kind) for one in found.outcomes)
    lines = []
    for action in _DONE:
        parts = [
            f"{number} {kind}" if kind == "guidance" else counted(number, kind)
            for kind in _KINDS
            if (number := counts[action, kind])
        ]
        if parts:
            lines.append(f"{action} {', '.join(parts)}")
    return "\n".join(lines)


def remark_line(one: Remark) -> str:
    """``path:line: message``."""
    where = f"{one.source}:{one.line}" if one.line else one.source
    return f"{show(where)}: {show(one.message)}"


def refusal_line(one: ImportOutcome) -> str:
    """Return why an item was not imported, with its place."""
    return f"{show(one.source)}: {one.action}: {show(one.reason)}"


def _short(text: str) -> str:
    line = show(text)
    return line if len(line) <= _TEXT_CHARS else line[: _TEXT_CHARS - 1] + "…"
