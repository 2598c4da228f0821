"""What each event of an agent comes to: the vault's part of the conversation."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

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
from toolmem.core.on_demand import OnDemand
from toolmem.errors import InvalidFileError, LostVaultError
from toolmem.store.discover import find_in_force
from toolmem.store.hook_log import note
from toolmem.store.vault import Vault, utc_now

if TYPE_CHECKING:
    from toolmem.ops import vaults_line
else:
    # Only a session's start has to say that no vault can be used.
    vaults_line = OnDemand("toolmem.ops.vaults_line")


class _Op(Protocol):
    def answer(self, vault: Vault, event: Event) -> Answer:
        """What there is to say to an event."""


_OPS: dict[str, Any] = {
    # An event loads what belongs to it: an agent waits at each call.
    SESSION_START: OnDemand("toolmem.ops.session_start"),
    PROMPT: OnDemand("toolmem.ops.prompt_typed"),
    BEFORE_TOOL: OnDemand("toolmem.ops.before_tool"),
    AFTER_TOOL: OnDemand("toolmem.ops.after_tool"),
    TOOL_FAILED: OnDemand("toolmem.ops.after_tool"),
    TURN_END: OnDemand("toolmem.ops.turn_end"),
    SESSION_END: OnDemand("toolmem.ops.turn_end"),
}


def respond(event: Event, vault: str) -> Answer:
    """The answer to one event; empty where there is nothing to say.

    ``vault`` is a folder that was named, or empty. Raises ``ToolmemError`` for a
    missing or a broken vault.
    """
    op: _Op | None = _OPS.get(event.kind)
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
    return op.answer(Vault.open(found, utc_now()), event)
