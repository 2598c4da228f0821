"""Documents of changes, reviews and syncs; keys are only ever added."""

from __future__ import annotations

from typing import Any

from toolmem.api import review, sync
from toolmem.api.forms.form import form, given
from toolmem.core.changes import model as changes
from toolmem.ops.history import diff as history_diff
from toolmem.ops.history import log as history_log
from toolmem.ops.history import review as proposals
from toolmem.ops.history import review_change, uncommitted
from toolmem.ops.prompt import impact
from toolmem.ops.sync import resolve
from toolmem.ops.sync import sync as syncing
from toolmem.store.git import repo

Document = dict[str, Any]
_GROUPS = {
    "rule": "rules",
    "fact": "facts",
    "memory": "memories",
    "text": "texts",
    "tool": "tools",
    "settings": "settings",
    "other": "other",
}


@form
def change(change: changes.Change) -> Document:
    """Return one change, with the item before and after it."""
    item = change.item
    return {
        "id": item.id,
        "kind": item.kind,
        "actions": change.actions,
        "scope": item.scope,
        "path": item.path,
        "tool": item.tool or None,
        "reason": change.reason or None,
        "before": change.before,
        "after": change.after,
        "fields": [field for field in change.fields if field.key != "bytes"],
        "words": change.words,
    }


@form
def changed_item(item: changes.ChangedItem) -> Document:
    """Return an item before or after a change."""
    return {
        "path": item.path,
        "scope": item.scope,
        "tool": item.tool or None,
        "title": item.title or None,
        "text": item.text,
        "values": {k: value for k, value in item.values.items() if k != "bytes"},
        "problem": item.problem or None,
        "archived": item.archived,
    }


@form
def diff(diff: history_diff.Diff) -> Document:
    """Return two states of a vault and the changes between them.

    Of too many changed files there are only ``counts``.
    """
    groups: dict[str, list[changes.Change]] = {name: [] for name in _GROUPS.values()}
    for change in diff.changes:
        groups[_GROUPS[change.item.kind]].append(change)
    ends = {"before": diff.before or None, "after": diff.after}
    return {**ends, **groups, "counts": diff.counts, "prompt": diff.effect}


@form
def effect(effect: impact.PromptImpact) -> Document:
    """Return the effect of changes on the block."""
    sizes = {"before": effect.tokens_before, "after": effect.tokens_after}
    return {
        "chain": effect.chain,
        "tokens": sizes,
        "parts": {
            kind: {"before": before, "after": after}
            for kind, (before, after) in effect.parts.items()
        },
        "rules_in": effect.rules_in,
        "rules_out": effect.rules_out,
        "rules_changed": effect.rules_changed,
    }


@form
def commit(commit: repo.Commit) -> Document:
    """Return a commit."""
    return {
        "commit": commit.id,
        "author": commit.author,
        "email": commit.email,
        "when": commit.when,
        "subject": commit.subject,
    }


@form
def log_entry(event: history_log.LogEntry) -> Document:
    """Return a commit and its changes; without a commit, uncommitted changes.

    A commit of many files has ``counts`` in place of its changes.
    """
    made = event.commit
    return {
        "commit": made.id if made else None,
        "author": made.author if made else None,
        "when": made.when if made else None,
        "subject": made.subject if made else None,
        "changes": event.changes,
        "counts": event.counts,
    }


@form
def committed(done: uncommitted.CommitResult) -> Document:
    """Return a commit; of a dry run its id is null."""
    return {
        "commit": done.id,
        "message": done.message,
        "paths": done.paths,
        "more": done.more,
        "left": done.left,
    }


@form
def queue(queue: review.ReviewQueue) -> list[Any]:
    """Return the waiting proposals, then uncommitted changes."""
    return [*queue.waiting, *queue.entries]


@form
def proposal(waiting: proposals.PendingProposal) -> Document:
    """Return a waiting proposal."""
    proposal = waiting.proposal
    return {
        "id": proposal.id,
        "state": "pending",
        "kind": proposal.kind,
        "tools": proposal.tools,
        "text": proposal.rule,
        "priority": proposal.priority.value,
        "scope": proposal.scope,
        "why": proposal.why,
        "sentence": proposal.sentence,
        "evidence": proposal.evidence,
        "confidence": proposal.confidence,
        "created_at": proposal.created_at,
        "rules": [{"id": rule.id, "rule": rule.rule} for rule in waiting.rules],
        "path": proposal.path,
        "session": proposal.session or None,
        "candidate": proposal.candidate or None,
        "tier": proposal.tier or None,
        "before": proposal.before,
        "after": proposal.after,
        "guards": waiting.preview.guards,
        "block": waiting.preview.block,
    }


@form
def entry(entry: uncommitted.UncommittedEntry) -> Document:
    """Return an uncommitted change, with the origin of a captured rule."""
    values = entry.changes[0].item.values
    return {
        "id": entry.id,
        "state": "uncommitted",
        "kind": entry.kind,
        "paths": entry.paths,
        "changes": entry.changes,
        **given(evidence=values.get("evidence"), kept_by=values.get("kept_by")),
    }


@form
def judged(done: review_change.ReviewedEntry) -> Document:
    """Return the outcome of an uncommitted change."""
    entry = done.entry
    head = {"id": entry.id, "action": done.action}
    return {**head, "paths": entry.paths, "commit": done.commit}


@form
def conflict(conflict: resolve.OpenConflict) -> Document:
    """Return an open conflict."""
    head = {"path": conflict.path, "kind": conflict.kind}
    return {**head, **conflict.conflict._asdict()}


@form
def resolved(done: sync.ResolveResult) -> Document:
    """Return settled and open conflicts, and problems."""
    return {"settled": done.settled, "open": done.open, "problems": done.problems}


@form
def synced(done: syncing.SyncResult) -> Document:
    """Return the outcome of a sync."""
    conflicts = [
        {"path": path, **conflict._asdict()} for path, conflict in done.conflicts
    ]
    return {**done._asdict(), "conflicts": conflicts}
