"""Check, doctor, reflect and report, and the documents of their answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from toolmem.api.access import Access
from toolmem.core.finding import Finding
from toolmem.core.reflect.plan import parse_plan, plan_text
from toolmem.errors import Arg, NotAllowedError, NotFoundError, ToolmemError, UsageError
from toolmem.ops.doctor import installation as doctor_install
from toolmem.ops.doctor import run as doctor_
from toolmem.ops.reflect import apply
from toolmem.ops.reflect import apply as reflect_apply
from toolmem.ops.reflect import plan as reflect_
from toolmem.ops.reports import report as report_
from toolmem.ops.setup.activation import InstallPlaces
from toolmem.store.files import outside
from toolmem.store.vault.vault import Vault


class Diagnosis(NamedTuple):
    """Findings of doctor, the vault (or why there is none), and applied fixes."""

    vault: Vault | ToolmemError
    findings: tuple[Finding, ...]
    fixed: tuple[doctor_.FixResult, ...] = ()

    @property
    def is_well(self) -> bool:
        """True if there are only notes."""
        return all(finding.severity == "note" for finding in self.findings)


class VaultReport(NamedTuple):
    """Figures of a vault; the vault is needed for the page."""

    figures: report_.Figures
    vault: Vault
    base_url: str = ""

    @property
    def page(self) -> str:
        """Return the figures as one page of HTML."""
        return report_.report_page(self.vault, self.figures, self.base_url)


def reflect(
    access: Access,
    *,
    folder: str,
    apply: str,
    plan: str | None,
    model: bool,
    output: str,
) -> reflect_.Reflection | tuple[reflect_apply.StepResult, ...]:
    """See ``Vault.reflect``."""
    given = bool(apply) or plan is not None
    if given and (output or model or folder):
        raise UsageError(Arg("apply"), " allows no other option")
    if given:
        vault = access.whole(write=True)
        text = _text(access, apply) if plan is None else plan
        wanted = parse_plan(text, apply or "standard input")
        return tuple(reflect_apply.apply_plan(vault, wanted, access.new_id))
    target = _target(access, output)
    place = access.file(folder) if folder else None
    project = access.flags.get("project") or ""
    vault = access.whole()
    found = reflect_.reflect(vault, reflect_.ReflectRequest(project, place, model))
    if target:
        outside.write_text(target, plan_text(found.plan))
    return found


def _target(access: Access, output: str) -> Path | None:
    """Return the file to write, if any; its errors come before the work."""
    if output in ("", "-"):
        return None
    access.require_writable()
    return access.output(output)


def _text(access: Access, name: str) -> str:
    text = outside.read_text(access.file(name))
    if text is None:
        raise NotFoundError(f"{name}: no such file")
    return text


def doctor(access: Access, *, deep: bool) -> Diagnosis:
    """See ``Vault.doctor``."""
    vault: Vault | ToolmemError
    try:
        vault = access.whole()
    except NotAllowedError:
        raise
    except ToolmemError as error:
        vault = error
    found = doctor_.examine(vault, surroundings(access.cwd), deep=deep)
    return Diagnosis(vault, found)


def surroundings(cwd: Path) -> doctor_.DoctorContext:
    """Return the places that doctor checks besides the vault."""
    places = InstallPlaces.of(cwd)
    return doctor_.DoctorContext(doctor_install.this_place(), places)


def report(access: Access, *, output: str, base_url: str) -> VaultReport:
    """See ``Vault.report``."""
    target = _target(access, output)
    vault = access.whole()
    found = VaultReport(report_.figures(vault), vault, base_url)
    if target:
        outside.write_text(target, found.page)
    return found


def reflect_document(
    answer: reflect_.Reflection | tuple[apply.StepResult, ...],
) -> dict[str, Any] | list[dict[str, Any]]:
    """Return a plan, or the outcome of each of its steps."""
    if isinstance(answer, reflect_.Reflection):
        return _plan(answer)
    return [_done(one) for one in answer]


def _plan(found: reflect_.Reflection) -> dict[str, Any]:
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


def diagnosis_document(found: Diagnosis) -> dict[str, Any]:
    """Return the findings and the applied fixes."""
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


def reported_document(reported: VaultReport) -> dict[str, Any]:
    """Return the figures of a report."""
    return report_.document(reported.figures)
