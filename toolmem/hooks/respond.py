"""Answer each event of an agent from the vault."""

from pathlib import Path

from toolmem.core.agents.event import (
    COMPACTED,
    PROMPT,
    SESSION_END,
    SESSION_START,
    SUBAGENT_START,
    TURN_END,
    Answer,
    Event,
)
from toolmem.errors import InvalidFileError, LostVaultError
from toolmem.hooks import calls
from toolmem.ops.hooks import (
    compacted,
    once,
    prompt_submitted,
    session_start,
    subagent_start,
    turn_end,
    vaults_line,
)

_OPS: dict[str, calls.EventOp] = {
    **calls.OPS,
    SESSION_START: session_start,
    SUBAGENT_START: subagent_start,
    COMPACTED: compacted,
    PROMPT: prompt_submitted,
    TURN_END: turn_end,
    SESSION_END: turn_end,
}


def respond(event: Event, vault: str) -> Answer:
    """Answer one event; the answer may be empty.

    ``vault`` is a folder that was named, or empty. Raises ``ToolmemError`` for a
    missing or a broken vault; see ``fault_answer``.
    """
    op = _OPS.get(event.kind)
    opened = calls.open_vaults(event, vault) if op else None
    if op is None or opened is None:
        return Answer()
    return op.answer(opened, event)


def fault_answer(event: Event, error: BaseException) -> Answer:
    """Return the answer without a usable vault: it says so, once a session.

    The user reads it at the session's start or with the next message, the model with
    the event that would give it the block.
    """
    told = event.kind in (SESSION_START, PROMPT)
    if not told or not isinstance(error, LostVaultError | InvalidFileError):
        return Answer()
    line = vaults_line.fault_line(error)
    folder = Path(event.cwd or ".").absolute()
    is_new = once.is_new(folder, event, line) or event.kind == SESSION_START
    if not event.delivers:
        return Answer(line, message=line) if is_new else Answer()
    shown = once.is_new(folder, event, f"to the model: {line}")
    return Answer(line if shown else "", message=line if is_new else "")
