"""Answer each event of an agent from the vault."""

from pathlib import Path
from typing import Protocol

from toolmem.core.agents.event import (
    AFTER_TOOL,
    BEFORE_TOOL,
    COMPACTED,
    PROMPT,
    SESSION_END,
    SESSION_START,
    SUBAGENT_START,
    TOOL_FAILED,
    TURN_END,
    Answer,
    Event,
)
from toolmem.core.visibility import Audience
from toolmem.errors import InvalidFileError, LostVaultError
from toolmem.ops.hooks import (
    after_tool,
    before_tool,
    compacted,
    once,
    prompt_submitted,
    session_start,
    subagent_start,
    turn_end,
    vaults_line,
)
from toolmem.store.guards import place
from toolmem.store.vault.discover import find_in_force
from toolmem.store.vault.vault import Vault, utc_now


class _Op(Protocol):
    def answer(self, vault: Vault, event: Event) -> Answer:
        """Return the answer to an event."""


_OPS: dict[str, _Op] = {
    SESSION_START: session_start,
    SUBAGENT_START: subagent_start,
    COMPACTED: compacted,
    PROMPT: prompt_submitted,
    BEFORE_TOOL: before_tool,
    AFTER_TOOL: after_tool,
    TOOL_FAILED: after_tool,
    TURN_END: turn_end,
    SESSION_END: turn_end,
}


def respond(event: Event, vault: str) -> Answer:
    """Answer one event; the answer may be empty.

    ``vault`` is a folder that was named, or empty. Raises ``ToolmemError`` for a
    missing or a broken vault; see ``fault_answer``.
    """
    op = _OPS.get(event.kind)
    if op is None:
        return Answer()
    cwd = Path(event.cwd) if event.cwd else Path.cwd()
    found = find_in_force({"vault": vault}, cwd)
    opened = Vault.open(found, utc_now(), Audience.AGENT)
    if event.stamp and not once.is_first(opened.session_vault.root, event):
        return Answer()
    if event.kind in (PROMPT, SESSION_START):
        for one in opened.in_force:
            place.forget_check(one.root)
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
