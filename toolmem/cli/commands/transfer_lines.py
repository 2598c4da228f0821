"""Output of an import for people."""

import re
from collections import Counter

from toolmem.cli.output import show, table
from toolmem.core.model import ANY_TOOL
from toolmem.core.shown import counted
from toolmem.ops.transfer.import_files import ImportSummary, Remark
from toolmem.ops.transfer.import_texts import ImportOutcome

_TEXT_CHARS = 60
_DIGEST = re.compile(r"^standard input [0-9a-f]+(?=:|$)")
_DONE = ("created", "updated", "unchanged", "exists", "kept", "retired", "refused")
_KINDS = ("rule", "guidance", "memory", "file")


def imported_table(summary: ImportSummary) -> str:
    """One line an item: what is done, with what, about what, and from where."""
    return table(
        (
            outcome.action,
            f"{outcome.kind} [{outcome.priority}]"
            if outcome.priority
            else outcome.kind,
            "every tool" if outcome.about == ANY_TOOL else outcome.about or "-",
            shown_source(outcome.source),
            _short(outcome.text) + (f" ({outcome.reason})" if outcome.reason else ""),
        )
        for outcome in summary.outcomes
    )


def imported_summary(summary: ImportSummary) -> str:
    """Count items by kind and action: ``created 2 rules``."""
    counts = Counter((outcome.action, outcome.kind) for outcome in summary.outcomes)
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


def shown_source(source: str) -> str:
    """Return where a text is from, without the digest of standard input."""
    return _DIGEST.sub("standard input", source)


def remark_line(remark: Remark) -> str:
    """``path:line: message``."""
    source = shown_source(remark.source)
    where = f"{source}:{remark.line}" if remark.line else source
    return f"{show(where)}: {show(remark.message)}"


def refusal_line(outcome: ImportOutcome) -> str:
    """Return why an item was not imported, with its place."""
    source = show(shown_source(outcome.source))
    return f"{source}: {outcome.action}: {show(outcome.reason)}"


def _short(text: str) -> str:
    line = show(text)
    return line if len(line) <= _TEXT_CHARS else line[: _TEXT_CHARS - 1] + "…"
