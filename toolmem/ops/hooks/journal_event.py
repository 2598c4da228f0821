"""Leaving a line for the end of the turn: the only thing that most hooks write."""

from collections.abc import Mapping
from typing import Any
from zlib import crc32

from toolmem.core.agents.event import Event
from toolmem.errors import StorageError
from toolmem.store.journal import hook_log, journal
from toolmem.store.vault.vault import Vault

SHOWN_SUFFIX = ".told"
"""After a reader's name: the journal of what it has seen, and need not see again."""
PENDING_SUFFIX = ".unsaid"
"""Suffix of the journal of texts that the model has not been given yet."""


def reader_journal(event: Event, suffix: str) -> str:
    """The name of a journal of the model that an event comes from.

    A sub-agent has a separate context: it has not seen what the main agent was
    shown, nor the other way round.
    """
    reader = f"{event.session}/{event.subagent}" if event.subagent else event.session
    return journal.name_of(reader) + suffix


def rule_version(rule_id: str, priority: str, text: str) -> str:
    """Return what identifies a rule as it was seen: an edited one is another."""
    return f"{rule_id} {crc32(f'{priority} {text}'.encode('utf-8', 'replace')):08x}"


def append_event(
    vault: Vault, event: Event, line: Mapping[str, Any], *, suffix: str = ""
) -> None:
    """Add to the session's journal, or to the one of its reader (by its ``suffix``).

    Where that cannot be done, it is in the log.
    """
    try:
        name = (
            reader_journal(event, suffix) if suffix else journal.name_of(event.session)
        )
        journal.append(vault.session_vault.root, name, line)
    except StorageError as error:
        hook_log.note(event.agent, event.name, error)
