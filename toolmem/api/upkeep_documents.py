"""The JSON documents of the step back, of doctor and report; keys are only added."""

from typing import TYPE_CHECKING, Any

from toolmem.core.on_demand import OnDemand

if TYPE_CHECKING:
    from toolmem.api.looking import Diagnosis, Reported
    from toolmem.ops.reflect import due as reflect_due
    from toolmem.ops.reflect import plan as reflect
    from toolmem.ops.reflect.apply import Done
    from toolmem.ops.reflect.due import Due
    from toolmem.ops.reflect.plan import Reflection
    from toolmem.ops.reports import report
else:
    reflect = OnDemand("toolmem.ops.reflect.plan")
    reflect_due = OnDemand("toolmem.ops.reflect.due")
    report = OnDemand("toolmem.ops.reports.report")


def reflect_document(
    answer: "Reflection | Due | tuple[Done, ...]",
) -> dict[str, Any] | list[dict[str, Any]]:
    """A plan, whether it is time for one, or what became of each of its steps."""
    if isinstance(answer, reflect_due.Due):
        return answer._asdict()
    if isinstance(answer, reflect.Reflection):
        return _plan(answer)
    return [_done(one) for one in answer]


def _plan(found: "Reflection") -> dict[str, Any]:
    return {
        "memories": found.memories,
        "rules": found.rules,
        "made_at": found.plan.made_at,
        "steps": [step.document() for step in found.plan.steps],
    }


def _done(one: "Done") -> dict[str, Any]:
    return {
        **one.step.document(),
        "result": one.action,
        "paths": list(one.paths),
        **({"why": one.why} if one.why else {}),
    }


def diagnosis_document(found: "Diagnosis") -> dict[str, Any]:
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


def reported_document(reported: "Reported") -> dict[str, Any]:
    """The figures of a report."""
    return report.document(reported.figures)
