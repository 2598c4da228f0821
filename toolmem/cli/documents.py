"""The JSON documents of rules, facts and problems; keys are only ever added."""

from typing import Any

from toolmem.core.model import Fact, Problem, Rule

_ALWAYS = (
    "id",
    "tool",
    "rule",
    "priority",
    "source",
    "tags",
    "created_at",
    "updated_at",
    "scope",
    "path",
)


def rule_document(rule: Rule) -> dict[str, Any]:
    """A rule: the fixed keys, then the optional ones that are set."""
    document: dict[str, Any] = {
        "id": rule.id,
        "tool": rule.tool,
        "rule": rule.rule,
        "priority": rule.priority.value,
        "source": rule.source.value,
        "tags": list(rule.tags),
        "created_at": rule.created_at,
        "updated_at": rule.updated_at,
        "scope": str(rule.scope),
        "path": rule.path,
        "expires_at": rule.expires_at,
        "evidence": rule.evidence,
        "reason": rule.reason,
        "agent": rule.agent,
        "enabled": None if rule.enabled else False,
        "guard": [dict(guard) for guard in rule.guards] or None,
    }
    return {k: v for k, v in document.items() if v is not None or k in _ALWAYS}


def fact_document(fact: Fact) -> dict[str, Any]:
    """A fact that was found."""
    return {
        "key": fact.key,
        "value": fact.value,
        "namespace": fact.namespace,
        "scope": str(fact.scope),
        "path": fact.path,
        "line": fact.line,
        "found": True,
    }


def missing_fact(key: str, namespace: str | None) -> dict[str, Any]:
    """The same keys for a fact that is not there."""
    return {
        "key": key,
        "value": None,
        "namespace": namespace,
        "scope": None,
        "path": None,
        "line": None,
        "found": False,
    }


def problem_document(problem: Problem) -> dict[str, Any]:
    """A defect of the vault."""
    return {
        "path": problem.path,
        "line": problem.line,
        "code": problem.code,
        "severity": problem.severity,
        "message": problem.message,
    }
