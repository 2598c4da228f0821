"""The account of a rule as JSON; keys are only ever added."""

from typing import Any

from toolmem.api.documents import guard_line, rule_document
from toolmem.ops.reports.explain_rule import Account, RuleExplanation


def why_document(answer: RuleExplanation) -> dict[str, Any]:
    """A rule's account as JSON."""
    document = rule_document(answer.rule) if answer.rule else {}
    return {
        **document,
        "id": answer.id,
        "in_prompt": answer.in_prompt,
        "why": answer.reason,
        "checks": guard_line(answer.rule) if answer.rule else None,
        "chain": [str(scope) for scope in answer.chain],
        "record": dict(answer.record),
        "layers": [_account_document(account) for account in answer.accounts],
    }


def _account_document(account: Account) -> dict[str, Any]:
    layer = account.layer
    return {
        "scope": str(layer.scope),
        "path": layer.path,
        "changed": list(layer.changed),
        "refused": layer.refused or None,
        "reason": layer.reason,
        "applies": account.applies,
        "committed": account.committed,
        "commits": [
            {
                "commit": commit.id,
                "author": commit.author,
                "email": commit.email,
                "when": commit.when,
                "subject": commit.subject,
            }
            for commit in account.commits
        ],
    }
