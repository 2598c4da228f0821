"""The JSON documents of changes; keys are only ever added."""

from collections.abc import Mapping, Sequence
from typing import Any

from toolmem.core.changes.model import Change, ChangedItem
from toolmem.core.times import rfc3339
from toolmem.ops.history import diff as history_diff
from toolmem.ops.history import log, uncommitted

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
    """Two states of a vault and what changed between them."""
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
    """One change, with the thing before and after it."""
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


def log_document(events: "Sequence[log.LogEntry]") -> list[dict[str, Any]]:
    """Commits and what each changed; without a commit, what is not committed."""
    return [_event(event) for event in events]


def _event(event: "log.LogEntry") -> dict[str, Any]:
    commit = event.commit
    return {
        "commit": commit.id if commit else None,
        "author": commit.author if commit else None,
        "when": rfc3339(commit.when) if commit else None,
        "subject": commit.subject if commit else None,
        "changes": [change_document(change) for change in event.changes],
    }


def committed_document(done: "uncommitted.CommitResult") -> dict[str, Any]:
    """A commit that was made, or would be: then its id is null."""
    return {"commit": done.id, "message": done.message, "paths": list(done.paths)}
