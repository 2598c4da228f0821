"""The JSON documents of review; keys are only ever added."""

from typing import Any

from toolmem.api.change_documents import change_document
from toolmem.api.reviewing import ReviewQueue
from toolmem.ops.history.review import PendingProposal, ReviewResult
from toolmem.ops.history.review_change import ReviewedEntry
from toolmem.ops.history.uncommitted import UncommittedEntry


def proposal_document(waiting: PendingProposal) -> dict[str, Any]:
    """A proposal that waits for a person."""
    proposal = waiting.proposal
    return {
        "id": proposal.id,
        "state": "pending",
        "kind": proposal.kind,
        "tools": list(proposal.tools),
        "text": proposal.rule,
        "priority": proposal.priority.value,
        "scope": str(proposal.scope),
        "why": proposal.why,
        "sentence": proposal.sentence,
        "evidence": proposal.evidence,
        "confidence": proposal.confidence,
        "created_at": proposal.created_at,
        "rules": [{"id": rule.id, "rule": rule.rule} for rule in waiting.rules],
        "path": proposal.path,
    }


def reviewed_document(done: ReviewResult) -> dict[str, Any]:
    """What became of a proposal."""
    return {
        "id": done.id,
        "action": done.action,
        "rules": list(done.rules),
        "paths": list(done.paths),
    }


def entry_document(entry: UncommittedEntry) -> dict[str, Any]:
    """Something that is not committed."""
    return {
        "id": entry.id,
        "state": "uncommitted",
        "kind": entry.kind,
        "paths": list(entry.paths),
        "changes": [change_document(one) for one in entry.changes],
    }


def judged_document(done: ReviewedEntry) -> dict[str, Any]:
    """What became of something that was not committed."""
    return {
        "id": done.entry.id,
        "action": done.action,
        "paths": list(done.entry.paths),
        "commit": done.commit,
    }


def review_document(
    answer: ReviewQueue | ReviewResult | ReviewedEntry,
) -> list[dict[str, Any]] | dict[str, Any]:
    """The proposals that wait, then what is not committed; or what became of one."""
    if isinstance(answer, ReviewResult):
        return reviewed_document(answer)
    if isinstance(answer, ReviewedEntry):
        return judged_document(answer)
    proposed = [proposal_document(one) for one in answer.waiting]
    return [*proposed, *map(entry_document, answer.entries)]
