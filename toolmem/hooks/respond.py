"""What each event of an agent comes to: the vault's part of the conversation."""

from pathlib import Path
from typing import Any, Protocol

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
from toolmem.store.vault.discover import find_vault
from toolmem.store.vault.vault import Vault, utc_now


class _Op(Protocol):
    def answer(self, vault: Vault, event: Event) -> Answer:
        """What there is to say to an event."""


_OPS: dict[str, Any] = {
    # An event loads what belongs to it: an agent waits at each call.
    SESSION_START: OnDemand("toolmem.ops.hooks.session_start"),
    PROMPT: OnDemand("toolmem.ops.hooks.prompt_submitted"),
    BEFORE_TOOL: OnDemand("toolmem.ops.hooks.before_tool"),
    AFTER_TOOL: OnDemand("toolmem.ops.hooks.after_tool"),
    TOOL_FAILED: OnDemand("toolmem.ops.hooks.after_tool"),
    TURN_END: OnDemand("toolmem.ops.hooks.turn_end"),
    SESSION_END: OnDemand("toolmem.ops.hooks.turn_end"),
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
    opened = Vault.open(find_vault({"vault": vault}, cwd), utc_now())
    return op.answer(opened, event)
