"""The scratch page of an agent: entries put on it, shown, moved on and cleared.

An agent sees and changes its own page; a person, every page.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from toolmem.core.access.scratch_page import (
    ARCHIVED,
    TYPES,
    EntryFilter,
    ScratchEntry,
    edited,
    matches,
    read_entry,
)
from toolmem.core.ulid import ulid
from toolmem.errors import ScratchFullError
from toolmem.store.state import scratch, trace
from toolmem.store.state.rows import project_of
from toolmem.store.state.trace import TraceLine
from toolmem.store.vault.vault import Vault

_PERSON = "user"


def entry_types(vault: Vault) -> tuple[str, ...]:
    """The types of entries: those that toolmem knows and the settings name."""
    more = vault.settings["scratch.types"].value or ()
    return tuple(dict.fromkeys((*TYPES, *more)))


def add_entry(
    vault: Vault, document: Mapping[str, Any], unique_id: str
) -> tuple[ScratchEntry, tuple[str, ...]]:
    """Put an entry on the page; the entry, and warnings about what it was made of.

    ``unique_id`` is a UUID. Raises ``UsageError`` for what is no entry and
    ``ScratchFullError``.
    """
    agent = vault.setting("agent") or ""
    new, warnings = read_entry(
        document, vault.now, source=agent or _PERSON, types=entry_types(vault)
    )
    try:
        entry = scratch.add(
            vault,
            new,
            agent=agent,
            project=project_of(vault),
            entry_id=ulid(vault.now, unique_id),
        )
    except ScratchFullError as error:
        _traced(vault, agent, "denied", error.code, "")
        raise
    _traced(vault, agent, "write", "created", entry.id)
    return entry, warnings


def list_entries(
    vault: Vault, wanted: EntryFilter, *, everything: bool = False
) -> tuple[ScratchEntry, ...]:
    """Return the entries that match a filter, newest first.

    What is archived is among them when its status is asked for, or ``everything``.
    """
    entries = scratch.entries(vault, agent=vault.setting("agent"))
    archived = everything or wanted.status == ARCHIVED
    return tuple(
        entry
        for entry in entries
        if (archived or entry.status != ARCHIVED) and matches(entry, wanted)
    )


def show_entry(vault: Vault, entry_id: str) -> ScratchEntry | None:
    """One entry, or None."""
    return scratch.find(vault, entry_id, agent=vault.setting("agent"))


def edit_entry(
    vault: Vault, entry_id: str, document: Mapping[str, Any]
) -> tuple[ScratchEntry, tuple[str, ...]]:
    """Change an entry; the entry as it is then, and warnings.

    Raises ``NotFoundError``, and ``UsageError`` for what does not change, for a way
    back and for what cannot be kept.
    """
    warnings: list[str] = []

    def edit(entry: ScratchEntry) -> ScratchEntry:
        after, remarks = edited(entry, document, vault.now, types=entry_types(vault))
        warnings.extend(remarks)
        return after

    entry = scratch.change(vault, entry_id, edit, agent=vault.setting("agent"))
    _traced(vault, entry.agent, "write", entry.status, entry.id)
    return entry, tuple(warnings)


def set_status(vault: Vault, entry_id: str, status: str) -> ScratchEntry:
    """Move an entry on. Raises ``NotFoundError``, and ``UsageError`` for a way back."""
    return edit_entry(vault, entry_id, {"status": status})[0]


def clear_entries(vault: Vault, entry_ids: Sequence[str]) -> tuple[ScratchEntry, ...]:
    """Remove entries that are resolved or archived, all that are without ids.

    All or none. Raises ``NotFoundError``, and ``UsageError`` for one that is open.
    """
    gone = scratch.clear(vault, entry_ids, agent=vault.setting("agent"))
    for entry in gone:
        _traced(vault, entry.agent, "write", "cleared", entry.id)
    return gone


def _traced(vault: Vault, agent: str, event: str, status: str, entry_id: str) -> None:
    line = TraceLine(
        trace.moment(),
        agent=agent,
        event=event,
        memory_type="scratch_page",
        status=status,
        reason=entry_id,
        project=project_of(vault),
    )
    trace.add(vault, line)
