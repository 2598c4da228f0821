"""Documents of rules and facts; keys are only ever added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from toolmem.api import facts
from toolmem.api.forms.form import form, given
from toolmem.core.guard.derivation.stated import guard_line
from toolmem.core.model import Fact, Rule, Scope
from toolmem.ops.memories import fact_listing
from toolmem.ops.reports import due as duties
from toolmem.ops.reports import explain_rule
from toolmem.ops.rules import change, examples, listing, put
from toolmem.ops.rules import guard as guarding

Document = dict[str, Any]


@form
def rule(rule: Rule) -> Document:
    """Return a rule: the fixed keys, then the optional ones that are set."""
    stated = rule.stated
    optional = {
        "vault": rule.vault or None,
        "expires_at": rule.expires_at,
        "evidence": rule.evidence,
        "why": stated.get("why"),
        "reason": rule.reason,
        "agent": rule.agent,
        "kept_by": stated.get("kept_by"),
        "enabled": None if rule.enabled else False,
        "guard": rule.guards or None,
        "duty": stated.get("duty") or None,
        "guards": False if stated.get("guard") == [] else None,
    }
    return {
        "id": rule.id,
        "tool": rule.tool,
        "rule": rule.rule,
        "priority": rule.priority.value,
        "source": rule.source.value,
        "tags": rule.tags,
        "created_at": rule.created_at,
        "updated_at": rule.updated_at,
        "scope": rule.scope,
        "path": rule.path,
        **{key: value for key, value in optional.items() if value is not None},
    }


def shown_rule(shown: Rule) -> Document:
    """Return a rule with one line on the effect of its guards."""
    return {**rule(shown), "checks": guard_line(shown), "found": True}


def rule_in_brief(shown: Rule) -> Document:
    """Return what a rule says, and where it applies."""
    return {
        "id": shown.id,
        "rule": shown.rule,
        "priority": shown.priority.value,
        "scope": shown.scope,
    }


@form
def added(result: put.PutResult) -> Document:
    """Return an added rule: ``action``, and ``clamped`` if it was lowered."""
    return {
        **rule(result.rule),
        "action": result.action,
        "checks": guard_line(result.rule),
        **given(differs=result.differs, clamped=result.clamped, lowered=result.lowered),
    }


@form
def changed(result: change.ChangeResult) -> Document:
    """Return a rule after a change, its path and the action."""
    document = rule(result.rule) if result.rule else {}
    if result.rule and result.action in ("created", "updated", "unchanged"):
        document["checks"] = guard_line(result.rule)
    return {**document, "path": result.path, "action": result.action}


@form
def rules(listed: listing.RuleListing) -> list[Document]:
    """Return the rules of a listing, each with what it does."""
    return [
        {**rule(each), "effect": effect}
        for each, effect in zip(listed.rules, listed.effects, strict=True)
    ]


def rule_tests(tests: Sequence[examples.RuleTest]) -> Document:
    """Return the results of the examples of rules."""
    problems = [problem for test in tests for problem in test.problems]
    return {
        "rules": len(tests),
        "examples": sum(test.examples for test in tests),
        "problems": problems,
        "ok": not problems,
    }


@form
def due(duty: duties.DueNow) -> Document:
    """Return a duty that is due."""
    return {
        "session": duty.session,
        "rule": duty.rule.id,
        "text": duty.rule.rule,
        "priority": duty.rule.priority.value,
        "demand": duty.demand,
        "change": duty.change,
        "last": duty.last or None,
    }


@form
def why(answer: explain_rule.RuleExplanation) -> Document:
    """Return the explanation of a rule."""
    return {
        **(rule(answer.rule) if answer.rule else {}),
        "id": answer.id,
        "in_prompt": answer.in_prompt,
        "why": answer.reason,
        "checks": guard_line(answer.rule) if answer.rule else None,
        "chain": answer.chain,
        "record": answer.record,
        "layers": answer.accounts,
    }


@form
def account(account: explain_rule.Account) -> Document:
    """Return what one file contributes to a rule."""
    layer = account.layer
    return {
        **layer._asdict(),
        "refused": layer.refused or None,
        "applies": account.applies,
        "committed": account.committed,
        "commits": account.commits,
    }


@form
def guard(answer: guarding.GuardAnswer) -> Document:
    """Return a verdict, its rule and guard, and the reason."""
    return {
        "verdict": answer.verdict,
        "rule": rule_in_brief(answer.rule) if answer.rule else None,
        "guard": answer.guard,
        "reason": answer.reason,
        "near": list(map(rule_in_brief, answer.near)),
        "conservative": answer.conservative,
    }


class FactState(NamedTuple):
    """A fact, or the same keys without it."""

    key: str
    value: str | None
    namespace: str | None
    scope: Scope | None
    path: str | None
    line: int | None
    found: bool


@form
def fact(fact: Fact) -> FactState:
    """Return a fact that is there."""
    return FactState(*fact, found=True)


@form
def fact_answer(answer: fact_listing.FactAnswer) -> FactState:
    """Return the requested fact, or the same keys without it."""
    return _state(answer)


@form
def fact_change(changed: facts.FactResult) -> Document:
    """Return a fact that was set or deleted; ``found`` is false for a missing one."""
    state = _state(changed)._asdict()
    return {**state, "scope": changed.scope, "action": changed.action}


def _state(answer: fact_listing.FactAnswer | facts.FactResult) -> FactState:
    if answer.fact is not None:
        return fact(answer.fact)
    namespace = answer.namespace or None
    return FactState(answer.key, None, namespace, None, None, None, found=False)


def cleared(count: int) -> Document:
    """Return the number of deleted items."""
    return {"cleared": count}
