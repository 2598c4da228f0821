"""Review of what is not committed: kept, changed before it is kept, or taken back."""

from typing import Any, NamedTuple

from toolmem.core.changes.message import message
from toolmem.core.model import Priority, Scope
from toolmem.errors import NextStep, UsageError
from toolmem.ops.history import uncommitted
from toolmem.ops.history.uncommitted import UncommittedEntry
from toolmem.ops.memories import change as memory_change
from toolmem.ops.rules.change import Edits, edit_rule
from toolmem.ops.rules.move import move_rule
from toolmem.store.vault.vault import Vault


class RequestedEdits(NamedTuple):
    """Changes to make to an accepted item."""

    text: str = ""
    rule: str = ""
    priority: Priority | None = None
    scope: Scope | None = None

    def given(self) -> dict[str, Any]:
        """Return the given values by name; missing ones are None."""
        return {name: value or None for name, value in self._asdict().items()}


class ReviewedEntry(NamedTuple):
    """An entry that was ``accepted``, with its commit, ``rejected`` or ``restored``.

    ``kept`` are the backups of what was taken back.
    """

    entry: UncommittedEntry
    action: str
    commit: str | None = None
    kept: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def entries_of(vault: Vault) -> tuple[UncommittedEntry, ...]:
    """Return the uncommitted changes; none without a repository."""
    return uncommitted.uncommitted(vault) if uncommitted.has_history(vault) else ()


def accept_entry(
    vault: Vault, entry: UncommittedEntry, wanted: RequestedEdits
) -> ReviewedEntry:
    """Commit an entry, changed first where that is wished; ``UsageError``."""
    entry = change_entry(vault, entry, wanted)
    text = message(entry.changes)
    done = uncommitted.commit_entries(vault.fresh(), [entry], text)
    return ReviewedEntry(entry, "accepted", done.id)


def reject_entry(vault: Vault, entry: UncommittedEntry) -> ReviewedEntry:
    """Take an entry back to what the last commit says; ``UsageError``."""
    copies = uncommitted.undo_entry(vault, entry)
    is_new = all(change.before is None for change in entry.changes)
    return ReviewedEntry(entry, "rejected" if is_new else "restored", None, copies)


def change_entry(
    vault: Vault, entry: UncommittedEntry, wanted: RequestedEdits
) -> UncommittedEntry:
    """The entry with another text, priority or scope.

    Rules can have all, memories a scope; ``UsageError`` for anything else.
    """
    if wanted == RequestedEdits():
        return entry
    item = entry.changes[0].item
    if item.archived or entry.kind not in ("rule", "memory") or wanted.rule:
        raise UsageError(f"{item.path} can only be accepted or rejected as it is")
    path = item.path
    if entry.kind == "rule" and (wanted.text or wanted.priority):
        edits = Edits(wanted.text or None, wanted.priority)
        path = edit_rule(vault, item.id, edits, item.scope).path
    elif wanted.text or wanted.priority:
        raise UsageError(
            "a memory has no priority: edit its text with ", NextStep("memory.edit")
        )
    if wanted.scope is not None:
        path = _moved(vault.fresh(), entry, wanted.scope)
    return uncommitted.required_entry(entries_of(vault.fresh()), path)


def _moved(vault: Vault, entry: UncommittedEntry, scope: Scope) -> str:
    item = entry.changes[0].item
    if entry.kind == "rule":
        return move_rule(vault, item.id, scope, item.scope).path
    return memory_change.change_scope(vault, item.id, scope).path
