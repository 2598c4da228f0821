"""What each event of an agent comes to: the vault's part of the conversation."""

from pathlib import Path
from typing import Protocol

from toolmem.core.access.visibility import Audience
from toolmem.core.agents.event import (
    AFTER_TOOL,
    BEFORE_TOOL,
    PROMPT,
    SESSION_END,
    SESSION_START,
    TOOL_FAILED,
    TURN_END,
    Answer,
    Event,
)
from toolmem.errors import InvalidFileError, LostVaultError
from toolmem.ops.hooks import (
    after_tool,
    before_tool,
    prompt_submitted,
    session_start,
    turn_end,
    vaults_line,
)
from toolmem.store.journal.hook_log import note
from toolmem.store.vault.discover import find_in_force
from toolmem.store.vault.vault import Vault, utc_now


class _Op(Protocol):
    def answer(self, vault: Vault, event: Event) -> Answer:
        """What there is to say to an event."""


_OPS: dict[str, _Op] = {
    SESSION_START: session_start,
    PROMPT: prompt_submitted,
    BEFORE_TOOL: before_tool,
    AFTER_TOOL: after_tool,
    TOOL_FAILED: after_tool,
    TURN_END: turn_end,
    SESSION_END: turn_end,
}


def respond(event: Event, vault: str) -> Answer:
    """The answer to one event; empty where there is nothing to say.

    ``vault`` is a folder that was named, or empty. Raises ``ToolmemError`` for a
    missing or a broken vault.
    """
    op = _OPS.get(event.kind)
    if op is None:
        return Answer()
    cwd = Path(event.cwd) if event.cwd else Path.cwd()
    try:
        found = find_in_force({"vault": vault}, cwd)
    except (LostVaultError, InvalidFileError) as error:
        if event.kind != SESSION_START:
            raise
        note(event.agent, event.name, error)
        line = vaults_line.fault_line(error)
        return Answer(context=line, message=line)
    return op.answer(Vault.open(found, utc_now(), Audience.AGENT), event)
