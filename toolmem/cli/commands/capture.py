"""``toolmem capture``: learn from transcripts and repeated failures."""

import sys
from pathlib import Path

from toolmem.api.documents import plain
from toolmem.cli.inputs import Invocation
from toolmem.cli.operation import operation
from toolmem.cli.output import emit_json, emit_lines, print_notice
from toolmem.core import limits
from toolmem.core.candidates.judging import candidate_lines
from toolmem.errors import UsageError
from toolmem.ops.capture.capture import CaptureResult
from toolmem.ops.capture.summary_lines import decree_line, failure_line
from toolmem.store.vault.transcripts import open_transcript


def _captured(call: Invocation) -> CaptureResult:
    """Capture; answers are in a file."""
    call.values["dry_run"] |= call.more["candidates"]
    if call.values["answers"]:
        call.values["answers"] = _answers(call)
    captured: CaptureResult = call.perform()
    return captured


def _code(result: CaptureResult) -> int:
    return int(bool(result.failure))


@operation("capture", perform=_captured, code=_code)
def capture(
    result: CaptureResult, dry_run: bool, as_json: bool, candidates: bool = False
) -> None:
    """Find rules, failures and turns in transcripts."""
    if candidates:
        emit_lines(candidate_lines(candidate.line for candidate in result.candidates))
    elif as_json:
        emit_json(plain(result))
    else:
        emit_lines(map(decree_line, result.decrees))
        emit_lines(map(failure_line, result.failures))
        hint = _undo_hint(result)
        if hint and not dry_run:
            print_notice(hint)


def _answers(call: Invocation) -> str:
    """Return the text of the answers. Raises ``UsageError`` and ``StorageError``."""
    name = call.values["answers"]
    if name != "-":
        with open_transcript(call.run.cwd / Path(name).expanduser()) as file:
            data = file.read(limits.TEXT_FILE_BYTES)
    elif call.values.get("text"):
        raise UsageError("--answers - needs the transcript files as arguments")
    else:
        data = sys.stdin.buffer.read(limits.TEXT_FILE_BYTES)
    if not data.strip():
        raise UsageError("--answers: the input is empty")
    return data.decode("utf-8", "replace")


def _undo_hint(result: CaptureResult) -> str:
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
