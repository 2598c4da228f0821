"""Output of capture, turns and statistics: as JSON, and as lines for people."""

from toolmem.ops.capture.capture import CaptureResult
from toolmem.ops.capture.summary_lines import decree_line, failure_line


def captured_lines(result: CaptureResult) -> str:
    """A line for each decree and failure."""
    lines = [decree_line(decree) for decree in result.decrees]
    return "\n".join([*lines, *map(failure_line, result.failures)])


def undo_hint(result: CaptureResult) -> str:
    """Return how to undo or review the changes; empty without any."""
    actions = {decree.action for decree in result.decrees}
    actions |= {note.action for note in result.failures}
    hints = []
    if "created" in actions:
        hints.append("undo with `toolmem rule archive ID --reason …`")
    if "retired" in actions:
        hints.append("undo with `toolmem restore ID`")
    if actions & {"proposed", "amended", "contested"}:
        hints.append("`toolmem review` shows the proposals")
    return "; ".join(hints)
