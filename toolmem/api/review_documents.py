"""The JSON documents of review; keys are only ever added."""

from typing import Any

from toolmem.ops.review import Agenda, Reviewed, Waiting


def proposal_document(waiting: Waiting) -> dict[str, Any]:
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
        "lasting": proposal.lasting,
        "created_at": proposal.created_at,
        "rules": [{"id": rule.id, "rule": rule.rule} for rule in waiting.rules],
        "path": proposal.path,
    }


def reviewed_document(done: Reviewed) -> dict[str, Any]:
    """What became of a proposal."""
    return {
        "id": done.id,
        "action": done.action,
        "rules": list(done.rules),
        "paths": list(done.paths),
    }


def review_document(answer: Agenda | Reviewed) -> list[dict[str, Any]] | dict[str, Any]:
    """The proposals that wait, or what became of one."""
    if isinstance(answer, Reviewed):
        return reviewed_document(answer)
    return [proposal_document(one) for one in answer.waiting]
