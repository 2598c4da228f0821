"""Semantic changes of a vault, its commits and its history."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from toolmem.api.access import Access
from toolmem.core.changes import message as messages
from toolmem.core.changes.model import Change, ChangeCount, ChangedItem
from toolmem.core.times import rfc3339
from toolmem.errors import UsageError, exclusive
from toolmem.ops.history import diff as history_diff
from toolmem.ops.history import log as logging
from toolmem.ops.history import uncommitted
from toolmem.ops.history.diff import Diff, diff_vault, revisions
from toolmem.ops.setup import git_setup
from toolmem.store.vault.vault import Vault


def commit(
    access: Access,
    ids: Sequence[str],
    *,
    message: str,
    dry_run: bool,
    allow_secret: bool,
    all: bool,
) -> "uncommitted.CommitResult":
    """See ``Vault.commit``."""
    if all and ids:
        raise exclusive("all", "id")
    vault = access.write(dry_run=dry_run)
    entries = _wanted(entries_of(access, vault), ids)
    own = () if ids else git_setup.uncommitted_files(history_diff.repo_of(vault))
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


def entries_of(
    access: Access, vault: Vault
) -> "tuple[uncommitted.UncommittedEntry, ...]":
    """Return the uncommitted changes that are visible in full; needs git."""
    return tuple(
        entry
        for entry in uncommitted.uncommitted(vault)
        if _seen(access, entry.changes) == entry.changes
    )


def _seen(access: Access, changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return the changes of items that are visible, before and after."""
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
    counts = _seen_counts(access, found.counts)
    return found._replace(changes=_seen(access, found.changes), counts=counts)


def log(
    access: Access, id: str, *, scope: str, limit: int
) -> "Iterator[logging.LogEntry]":
    """See ``Vault.log``."""
    asked = access.scope(scope)
    vault = access.read()
    if id:
        events: Iterable[logging.LogEntry] = logging.life_of(vault, id, asked)
    else:
        events = logging.vault_log(vault, limit)
    if not access.bounds.narrow:
        return iter(events)
    seen = (_seen_part(access, event) for event in events)
    return (event for event in seen if event.changes or event.counts)


def _seen_part(access: Access, event: "logging.LogEntry") -> "logging.LogEntry":
    counts = _seen_counts(access, event.counts)
    return event._replace(changes=_seen(access, event.changes), counts=counts)


def _seen_counts(
    access: Access, counts: Iterable[ChangeCount]
) -> tuple[ChangeCount, ...]:
    return tuple(one for one in counts if access.bounds.allows_all([one.scope]))


_GROUPS = {
    "rule": "rules",
    "fact": "facts",
    "memory": "memories",
    "text": "texts",
    "tool": "tools",
    "settings": "settings",
    "other": "other",
}


def diff_document(diff: "history_diff.Diff") -> dict[str, Any]:
    """Return two states of a vault and the changes between them.

    Of too many changed files there are only ``counts``.
    """
    groups: dict[str, list[Any]] = {name: [] for name in _GROUPS.values()}
    for change in diff.changes:
        groups[_GROUPS[change.item.kind]].append(change_document(change))
    return {
        "before": diff.before or None,
        "after": diff.after,
        **groups,
        "counts": [_count_document(one) for one in diff.counts],
        "prompt": _effect(diff),
    }


def change_document(change: Change) -> dict[str, Any]:
    """Return one change, with the item before and after it."""
    item = change.item
    return {
        "id": item.id,
        "kind": item.kind,
        "actions": list(change.actions),
        "scope": str(item.scope) if item.scope else None,
        "path": item.path,
        "tool": item.tool or None,
        "reason": change.reason or None,
        "before": _item(change.before),
        "after": _item(change.after),
        "fields": [
            {"key": field.key, "before": field.before, "after": field.after}
            for field in change.fields
            if field.key != "bytes"
        ],
        "words": [word._asdict() for word in change.words],
    }


def _item(item: ChangedItem | None) -> dict[str, Any] | None:
    if item is None:
        return None
    return {
        "path": item.path,
        "scope": str(item.scope) if item.scope else None,
        "tool": item.tool or None,
        "title": item.title or None,
        "text": item.text,
        "values": {k: _value(v) for k, v in item.values.items() if k != "bytes"},
        "problem": item.problem or None,
        "archived": item.archived,
    }


def _value(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _value(item) for key, item in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _effect(diff: "history_diff.Diff") -> dict[str, Any] | None:
    effect = diff.effect
    if effect is None:
        return None
    return {
        "chain": effect.chain,
        "tokens": {"before": effect.tokens_before, "after": effect.tokens_after},
        "parts": {
            kind: {"before": sizes[0], "after": sizes[1]}
            for kind, sizes in effect.parts.items()
        },
        "rules_in": [rule._asdict() for rule in effect.rules_in],
        "rules_out": [rule._asdict() for rule in effect.rules_out],
        "rules_changed": [rule._asdict() for rule in effect.rules_changed],
    }


def log_document(events: "Iterable[logging.LogEntry]") -> list[dict[str, Any]]:
    """Return the entries of a log."""
    return [log_entry_document(event) for event in events]


def log_entry_document(event: "logging.LogEntry") -> dict[str, Any]:
    """Return a commit and its changes; without a commit, uncommitted changes.

    A commit of many files has ``counts`` in place of its changes.
    """
    commit = event.commit
    return {
        "commit": commit.id if commit else None,
        "author": commit.author if commit else None,
        "when": rfc3339(commit.when) if commit else None,
        "subject": commit.subject if commit else None,
        "changes": [change_document(change) for change in event.changes],
        "counts": [_count_document(one) for one in event.counts],
    }


def _count_document(one: ChangeCount) -> dict[str, Any]:
    return one._asdict() | {"scope": str(one.scope) if one.scope else None}


def committed_document(done: "uncommitted.CommitResult") -> dict[str, Any]:
    """Return a commit; of a dry run its id is null."""
    return {
        "commit": done.id,
        "message": done.message,
        "paths": list(done.paths),
        "more": list(done.more),
        "left": list(done.left),
    }
