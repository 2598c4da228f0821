"""JSON documents of results; keys are only ever added."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolmem.api import facts
from toolmem.core.guard.derivation.stated import guard_line
from toolmem.core.model import Fact, Rule, Scope
from toolmem.ops.doctor import check
from toolmem.ops.memories import fact_listing, restore
from toolmem.ops.reports import due, explain_rule, statistics
from toolmem.ops.rules import change, examples, listing, put
from toolmem.store.files import setting_table
from toolmem.store.files import settings as files_settings
from toolmem.store.index import index

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
    """Return a rule: the fixed keys, then the optional ones that are set."""
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
        "vault": rule.vault or None,
        "expires_at": rule.expires_at,
        "evidence": rule.evidence,
        "why": rule.stated.get("why"),
        "reason": rule.reason,
        "agent": rule.agent,
        "kept_by": rule.stated.get("kept_by"),
        "enabled": None if rule.enabled else False,
        "guard": [dict(guard) for guard in rule.guards] or None,
        "duty": [dict(duty) for duty in rule.stated.get("duty", ())] or None,
        "guards": False if rule.stated.get("guard") == [] else None,
    }
    return {k: v for k, v in document.items() if v is not None or k in _ALWAYS}


def plain(value: Any) -> Any:
    """Return a result for JSON: a value with named fields becomes an object of them.

    A type with another form has it as ``document``.
    """
    if isinstance(value, Rule):
        return rule_document(value)
    if isinstance(value, Scope):
        return str(value)
    if isinstance(value, Fact):
        return {**_fields(value), "found": True}
    if (document := getattr(value, "document", None)) is not None:
        return document() if callable(document) else document
    if hasattr(value, "_asdict"):
        return _fields(value)
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return list(map(plain, value)) if isinstance(value, _LISTS) else value


_LISTS = (list, tuple, Iterator)


def _fields(value: Any) -> dict[str, Any]:
    """Return the fields of a value; remarks on it are given apart."""
    items = value._asdict().items()
    return {key: plain(item) for key, item in items if key != "remarks"}


def fact_document(
    answer: "fact_listing.FactAnswer | facts.FactResult",
) -> dict[str, Any]:
    """Return the requested fact, or the same keys without it."""
    if answer.fact is not None:
        document: dict[str, Any] = plain(answer.fact)
        return document
    named = {"key": answer.key, "namespace": answer.namespace or None}
    return {**dict.fromkeys(Fact._fields), **named, "found": False}


def fact_change_document(changed: "facts.FactResult") -> dict[str, Any]:
    """Return a fact that was set or deleted; ``found`` is false for a missing one."""
    document = fact_document(changed)
    return {**document, "scope": changed.scope, "action": changed.action}


def put_document(result: "put.PutResult") -> dict[str, Any]:
    """Return an added rule: ``action``, and ``clamped`` if it was lowered."""
    document = {**rule_document(result.rule), "action": result.action}
    document["checks"] = guard_line(result.rule)
    if result.differs:
        document["differs"] = list(result.differs)
    limited = {"clamped": result.clamped, "lowered": result.lowered}
    return {**document, **{key: True for key, value in limited.items() if value}}


def shown_document(rule: Rule) -> dict[str, Any]:
    """Return a rule with one line on the effect of its guards."""
    return {**rule_document(rule), "checks": guard_line(rule), "found": True}


def deleted_document(changes: "Sequence[change.ChangeResult]") -> list[dict[str, Any]]:
    """Return deleted rules."""
    return list(map(changed_document, changes))


def rules_document(listing_: "listing.RuleListing") -> list[dict[str, Any]]:
    """Return the rules of a listing, each with what it does."""
    return [
        {**rule_document(rule), "effect": effect}
        for rule, effect in zip(listing_.rules, listing_.effects, strict=True)
    ]


def changed_document(changed: "change.ChangeResult") -> dict[str, Any]:
    """Return a rule after a change, its path and the action."""
    document = rule_document(changed.rule) if changed.rule else {}
    if changed.rule and changed.action in ("created", "updated", "unchanged"):
        document["checks"] = guard_line(changed.rule)
    return {**document, "path": changed.path, "action": changed.action}


def rule_tests_document(tests: "Sequence[examples.RuleTest]") -> dict[str, Any]:
    """Return the results of the examples of rules."""
    problems = [problem for test in tests for problem in test.problems]
    return {
        "rules": len(tests),
        "examples": sum(test.examples for test in tests),
        "problems": plain(problems),
        "ok": not problems,
    }


def due_document(duties: "Sequence[due.DueNow]") -> list[dict[str, Any]]:
    """Return the duties that are due."""
    return [
        {
            "session": duty.session,
            "rule": duty.rule.id,
            "text": duty.rule.rule,
            "priority": duty.rule.priority.value,
            "demand": duty.demand,
            "change": duty.change,
            "last": duty.last or None,
        }
        for duty in duties
    ]


def report_document(report: "check.Report") -> dict[str, Any]:
    """Return ``{problems, ok}`` of a whole vault, and the files ``fixed`` if any."""
    fixed = {"fixed": list(report.fixed)} if report.fixed else {}
    return {"problems": plain(report.problems), "ok": report.ok, **fixed}


def record_document(record: "statistics.ToolRecord") -> dict[str, Any]:
    """Return the statistics of a tool."""
    figures = record.statistics
    return {
        "tool": figures.tool,
        "calls": figures.calls,
        "successes": figures.successes,
        "failures": figures.failures,
        "mean_ms": figures.mean_ms,
        "errors": [{"class": name, "line": code} for name, code in figures.errors],
        "rules": [
            {"id": hit.id, "rule": hit.rule, **hit.events, "last": hit.last or None}
            for hit in record.rules
        ],
    }


def records_document(
    records: "Sequence[statistics.ToolRecord]",
) -> list[dict[str, Any]]:
    """Return the statistics of several tools."""
    return [record_document(record) for record in records]


def status_document(state: "index.IndexStatus") -> dict[str, Any]:
    """Return the state of the search index."""
    return {
        "state": state.state,
        "reason": state.reason or None,
        "documents": state.documents,
        "files": state.files,
        "bytes": state.bytes,
        "folder": state.folder or None,
    }


def restored_document(restored: "restore.RestoreResult") -> dict[str, Any]:
    """Return a restored item."""
    return {**restored._asdict(), "action": "restored"}


def settings_document(
    settings: "Mapping[str, files_settings.SettingValue]",
) -> dict[str, Any]:
    """Return every setting with its origin."""
    return {
        setting.name: {
            "value": setting.value,
            "origin": setting.origin,
            "about": setting_table.ABOUT[setting.name],
        }
        for setting in settings.values()
    }


def why_document(answer: "explain_rule.RuleExplanation") -> dict[str, Any]:
    """Return the explanation of a rule."""
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


def _account_document(account: "explain_rule.Account") -> dict[str, Any]:
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
