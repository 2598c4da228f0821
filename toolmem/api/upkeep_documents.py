"""The JSON documents of the step back, of doctor and report; keys are only added."""

from __future__ import annotations

from typing import Any

from toolmem.api import looking
from toolmem.ops.reflect import apply
from toolmem.ops.reflect import due as reflect_due
from toolmem.ops.reflect import plan as reflect
from toolmem.ops.reports import report


def reflect_document(
    answer: reflect.Reflection
    | reflect_due.ReflectStatus
    | tuple[apply.StepResult, ...],
) -> dict[str, Any] | list[dict[str, Any]]:
    """A plan, whether it is time for one, or what became of each of its steps."""
    if isinstance(answer, reflect_due.ReflectStatus):
        return answer._asdict()
    if isinstance(answer, reflect.Reflection):
        return _plan(answer)
    return [_done(one) for one in answer]


def _plan(found: reflect.Reflection) -> dict[str, Any]:
    return {
        "memories": found.memories,
        "rules": found.rules,
        "made_at": found.plan.made_at,
        "steps": [step.document() for step in found.plan.steps],
    }


def _done(one: apply.StepResult) -> dict[str, Any]:
    return {
        **one.step.document(),
        "result": one.action,
        "paths": list(one.paths),
        **({"why": one.why} if one.why else {}),
    }


def diagnosis_document(found: looking.Diagnosis) -> dict[str, Any]:
    """What is wrong, and what was cured."""
    return {
        "findings": [finding.document() for finding in found.findings],
        "fixed": [
            {
                "code": one.finding.code,
                "path": one.finding.path or None,
                "result": one.result,
                "backup": one.backup or None,
            }
            for one in found.fixed
        ],
        "ok": found.is_well,
    }


def reported_document(reported: looking.VaultReport) -> dict[str, Any]:
    """The figures of a report."""
    return report.document(reported.figures)
