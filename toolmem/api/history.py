"""Semantic changes of a vault, its commits and its history."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from toolmem.api.access import Access
from toolmem.core.changes import message as messages
from toolmem.core.changes.model import Change, ChangedItem
from toolmem.core.times import rfc3339
from toolmem.errors import UsageError
from toolmem.ops.history import diff as history_diff
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
        uncommitted.require_finished(vault)
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
    return found._replace(changes=_seen(access, found.changes))


def log(
    access: Access, id: str, *, scope: str, limit: int
) -> "tuple[logging.LogEntry, ...]":
    """See ``Vault.log``."""
    if limit < 1:
        raise UsageError("--limit must be above 0")
    asked = access.scope(scope)
    vault = access.read()
    events = (
        logging.life_of(vault, id, asked) if id else logging.vault_log(vault, limit)
    )
    if not access.bounds.narrow:
        return tuple(events)
    seen = (event._replace(changes=_seen(access, event.changes)) for event in events)
    return tuple(event for event in seen if event.changes)


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
    """Return two states of a vault and the changes between them."""
    groups: dict[str, list[Any]] = {name: [] for name in _GROUPS.values()}
    for change in diff.changes:
        groups[_GROUPS[change.item.kind]].append(change_document(change))
    return {
        "before": diff.before or None,
        "after": diff.after,
        **groups,
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


def log_document(events: "Sequence[logging.LogEntry]") -> list[dict[str, Any]]:
    """Return commits and their changes; without a commit, uncommitted changes."""
    return [_event(event) for event in events]


def _event(event: "logging.LogEntry") -> dict[str, Any]:
    commit = event.commit
    return {
        "commit": commit.id if commit else None,
        "author": commit.author if commit else None,
        "when": rfc3339(commit.when) if commit else None,
        "subject": commit.subject if commit else None,
        "changes": [change_document(change) for change in event.changes],
    }


def committed_document(done: "uncommitted.CommitResult") -> dict[str, Any]:
    """Return a commit; of a dry run its id is null."""
    return {"commit": done.id, "message": done.message, "paths": list(done.paths)}
