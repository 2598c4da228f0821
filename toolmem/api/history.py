"""What changed in a vault, and how it becomes history."""

from collections.abc import Iterable, Sequence

from toolmem.api.access import Access
from toolmem.core.changes import message as messages
from toolmem.core.changes.model import Change
from toolmem.errors import UsageError
from toolmem.ops.history import log as logging
from toolmem.ops.history import uncommitted
from toolmem.ops.history.diff import Diff, diff_vault, revisions
from toolmem.store.vault.vault import Vault


def commit(
    access: Access,
    ids: Sequence[str],
    *,
    message: str,
    dry_run: bool,
    allow_secret: bool,
) -> "uncommitted.CommitResult":
    """See ``Vault.commit``."""
    vault = access.read() if dry_run else access.write()
    entries = _wanted(entries_of(access, vault), ids)
    if not entries:
        return uncommitted.CommitResult(None, "", ())
    changes = [change for entry in entries for change in entry.changes]
    text = message or messages.message(changes)
    remarks = tuple(
        f"{change.item.path}: {change.item.problem}"
        for change in changes
        if change.item.problem
    )
    if dry_run:
        paths = tuple(path for entry in entries for path in entry.paths)
        return uncommitted.CommitResult(None, text, paths, remarks)
    done = uncommitted.commit_entries(vault, entries, text, allow_secret=allow_secret)
    return done._replace(remarks=remarks)


def entries_of(
    access: Access, vault: Vault
) -> "tuple[uncommitted.UncommittedEntry, ...]":
    """What is not committed, as far as all of it may be seen; needs git."""
    return tuple(
        entry
        for entry in uncommitted.uncommitted(vault)
        if _seen(access, entry.changes) == entry.changes
    )


def _seen(access: Access, changes: Iterable[Change]) -> tuple[Change, ...]:
    """The changes of things that may be seen, before and after."""
    return tuple(
        change
        for change in changes
        if access.bounds.allows_all(
            one.scope for one in (change.before, change.after) if one
        )
    )


def _wanted(
    entries: "tuple[uncommitted.UncommittedEntry, ...]", names: Sequence[str]
) -> "tuple[uncommitted.UncommittedEntry, ...]":
    if not names:
        return entries
    found = [uncommitted.required_entry(entries, name) for name in names]
    if len({entry.paths for entry in found}) < len(found):
        raise UsageError("the same thing twice")
    return tuple(found)


def diff(access: Access, before: str, after: str) -> Diff:
    """See ``Vault.diff``."""
    vault = access.read()
    if ".." in before and not after:
        before, after = revisions(vault, before)
    found = diff_vault(vault, before or "HEAD", after or None)
    return found._replace(changes=_seen(access, found.changes))


def log(
    access: Access, id: str, *, scope: str, limit: int
) -> "tuple[logging.LogEntry, ...]":
    """See ``Vault.log``."""
    if limit < 1:
        raise UsageError("--limit wants a number above 0")
    asked = access.scope(scope)
    vault = access.read()
    events = (
        logging.life_of(vault, id, asked) if id else logging.vault_log(vault, limit)
    )
    if not access.bounds.narrow:
        return tuple(events)
    seen = (event._replace(changes=_seen(access, event.changes)) for event in events)
    return tuple(event for event in seen if event.changes)
