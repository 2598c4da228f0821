"""Answer the events before and after a tool call, from the vaults in force."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from toolmem.core.agents.event import (
    AFTER_TOOL,
    BEFORE_TOOL,
    TOOL_FAILED,
    Answer,
    Event,
)
from toolmem.core.visibility import Audience
from toolmem.ops.hooks import after_tool, before_tool, once
from toolmem.store.vault.discover import find_in_force
from toolmem.store.vault.vault import Vault, utc_now


class EventOp(Protocol):
    """Operation for events of a kind."""

    def answer(self, vault: Vault, event: Event) -> Answer:
        """Return the answer to an event."""


OPS: Mapping[str, EventOp] = {
    BEFORE_TOOL: before_tool,
    AFTER_TOOL: after_tool,
    TOOL_FAILED: after_tool,
}


def open_vaults(event: Event, folder: str) -> Vault | None:
    """Open the vaults in force for an event; None if another hook answers it.

    ``folder`` is a vault that was named, or empty. Raises ``ToolmemError`` for a
    missing or a broken vault.
    """
    cwd = Path(event.cwd) if event.cwd else Path.cwd()
    location = find_in_force({"vault": folder}, cwd)
    opened = Vault.open(location, utc_now(), Audience.AGENT)
    is_first = not event.stamp or once.is_first(opened.session_vault.root, event)
    return opened if is_first else None


def answer_call(event: Event, folder: str) -> Answer:
    """Answer the event of a call; the answer may be empty."""
    opened = open_vaults(event, folder)
    return OPS[event.kind].answer(opened, event) if opened else Answer()
