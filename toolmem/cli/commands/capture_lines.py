"""Output of capture, turns and statistics: as JSON, and as lines for people."""

from toolmem.ops.capture.capture import CaptureResult
from toolmem.ops.capture.summary_lines import decree_line, failure_line


def captured_lines(found: CaptureResult) -> str:
    """A line for each decree and failure."""
    lines = [decree_line(decree) for decree in found.decrees]
    return "\n".join([*lines, *map(failure_line, found.failures)])


def undo_hint(found: CaptureResult) -> str:
    """Return how to undo or review the changes; empty without any."""
    actions = {decree.action for decree in found.decrees}
    actions |= {note.action for note in found.failures}
    hints = []
    if "created" in actions:
        hints.append("undo with `toolmem rule archive ID --reason …`")
    if "retired" in actions:
        hints.append("undo with `toolmem restore ID`")
    if actions & {"proposed", "amended", "contested"}:
        hints.append("`toolmem review` shows the proposals")
    return "; ".join(hints)
