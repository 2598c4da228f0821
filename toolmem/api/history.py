"""Semantic changes of a vault, its commits and its history."""

from collections.abc import Iterable, Iterator, Sequence

from toolmem.api.access import Access, Operations, bounded
from toolmem.core.changes import message as messages
from toolmem.core.changes import model as changes_model
from toolmem.errors import UsageError, exclusive
from toolmem.ops.history import diff as history_diff
from toolmem.ops.history import log as history_log
from toolmem.ops.history import uncommitted
from toolmem.ops.setup import git_setup
from toolmem.store.vault.vault import Vault


@bounded()
class VaultHistory(Operations):
    """Changes of a vault since its last commit, and before."""

    def commit(
        self,
        id: Sequence[str] = (),
        *,
        message: str = "",
        dry_run: bool = False,
        allow_secret: bool = False,
        all: bool = False,
    ) -> "uncommitted.CommitResult":
        """Commit all changes, or those with these ids or paths.

        ``all`` adds the files outside the vault that set toolmem up; without it
        ``.left`` names those that git does not have yet. The default message says what
        was learned. ``.id`` is None if everything is already committed, or with
        ``dry_run``. Raises ``NotFoundError``, ``UsageError`` and ``SecretError``.
        """
        if all and id:
            raise exclusive("all", "id")
        vault = self._access.write(dry_run=dry_run)
        entries = _wanted(entries_of(self._access, vault), id)
        own = () if id else git_setup.uncommitted_files(history_diff.repo_of(vault))
        more, left = (own, ()) if all else ((), own)
        if not entries and not more:
            uncommitted.require_finished(vault)
            return uncommitted.CommitResult(None, "", (), left=left)
        changes = [change for entry in entries for change in entry.changes]
        text = message or messages.message(changes, more)
        remarks = tuple(
            f"{change.item.path}: {change.item.problem}"
            for change in changes
            if change.item.problem
        )
        if dry_run:
            paths = tuple(path for entry in entries for path in entry.paths)
            return uncommitted.CommitResult(None, text, paths, remarks, more, left)
        done = uncommitted.commit_entries(
            vault, entries, text, more=more, allow_secret=allow_secret
        )
        return done._replace(remarks=(*remarks, *done.remarks), left=left)

    def diff(self, before: str = "", after: str = "") -> "history_diff.Diff":
        """Return semantic changes, and their effect on the prompt.

        From a revision or date (default HEAD) to another (default: the files as they
        are); ``before`` may be ``A..B`` or ``A...B``. Raises ``NotFoundError``.
        """
        vault = self._access.read()
        if ".." in before and not after:
            before, after = history_diff.revisions(vault, before)
        changes = history_diff.diff_vault(vault, before or "HEAD", after or None)
        counts = _seen_counts(self._access, changes.counts)
        return changes._replace(
            changes=_seen(self._access, changes.changes), counts=counts
        )

    def log(
        self, id: str = "", *, scope: str = "", limit: int = 20
    ) -> "Iterator[history_log.LogEntry]":
        """Yield the history of a rule, memory or fact (its key), or the vault's,
        newest first.

        ``limit`` bounds the commits of the vault that are read; one of more than 100
        files has ``counts`` in place of changes. Raises ``NotFoundError`` and
        ``UsageError``.
        """
        asked = self._access.scope(scope)
        vault = self._access.read()
        if id:
            events: Iterable[history_log.LogEntry] = history_log.life_of(
                vault, id, asked
            )
        else:
            events = history_log.vault_log(vault, limit)
        if not self._access.bounds.narrow:
            return iter(events)
        seen = (_seen_part(self._access, event) for event in events)
        return (event for event in seen if event.changes or event.counts)


def entries_of(
    access: Access, vault: Vault
) -> "tuple[uncommitted.UncommittedEntry, ...]":
    """Return the uncommitted changes that are visible in full; needs git."""
    return tuple(
        entry
        for entry in uncommitted.uncommitted(vault)
        if _seen(access, entry.changes) == entry.changes
    )


def _seen(
    access: Access, changes: "Iterable[changes_model.Change]"
) -> "tuple[changes_model.Change, ...]":
    """Return the changes of items that are visible, before and after."""
    return tuple(
        change
        for change in changes
        if access.bounds.allows_all(
            item.scope for item in (change.before, change.after) if item
        )
    )


def _wanted(
    entries: "tuple[uncommitted.UncommittedEntry, ...]", names: Sequence[str]
) -> "tuple[uncommitted.UncommittedEntry, ...]":
    if not names:
        return entries
    wanted = [uncommitted.required_entry(entries, name) for name in names]
    if len({entry.paths for entry in wanted}) < len(wanted):
        raise UsageError("the same thing twice")
    return tuple(wanted)


def _seen_part(access: Access, event: "history_log.LogEntry") -> "history_log.LogEntry":
    counts = _seen_counts(access, event.counts)
    return event._replace(changes=_seen(access, event.changes), counts=counts)


def _seen_counts(
    access: Access, counts: "Iterable[changes_model.ChangeCount]"
) -> "tuple[changes_model.ChangeCount, ...]":
    return tuple(count for count in counts if access.bounds.allows_all([count.scope]))
