"""Leaving a line for the end of the turn: the only thing that most hooks write."""

from collections.abc import Mapping
from typing import Any

from toolmem.core.agents.event import Event
from toolmem.errors import StorageError
from toolmem.store.journal import journal
from toolmem.store.journal.hook_log import note
from toolmem.store.vault.vault import Vault

SHOWN_SUFFIX = ".told"
"""After a session's name: the journal of what it was told, and need not be again."""
PENDING_SUFFIX = ".unsaid"
"""… and of what the model could not be told when it happened."""


def append_event(
    vault: Vault, event: Event, line: Mapping[str, Any], *, beside: str = ""
) -> None:
    """Add to the session's journal, or to the one ``beside`` it.

    Where that cannot be done, it is in the log.
    """
    try:
        journal.append(
            vault.session_vault.root, journal.name_of(event.session) + beside, line
        )
    except StorageError as error:
        note(event.agent, event.name, error)
