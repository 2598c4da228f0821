"""Documents of checks, captures, imports and exports; keys are only ever added."""

from __future__ import annotations

from collections import Counter
from typing import Any

from toolmem.api import reports, transfer
from toolmem.api.forms.form import form, given
from toolmem.core.candidates import captured
from toolmem.ops.capture import capture, failures, summary_lines
from toolmem.ops.doctor import check
from toolmem.ops.doctor import run as doctor_run
from toolmem.ops.history import undo
from toolmem.ops.reflect import apply as reflect_apply
from toolmem.ops.reflect import plan as reflect_plan
from toolmem.ops.reports import report
from toolmem.ops.setup import init
from toolmem.ops.transfer import import_texts

Document = dict[str, Any]


@form
def checked(report: check.Report) -> Document:
    """Return ``{problems, ok}`` of a whole vault, and the files ``fixed`` if any."""
    return {"problems": report.problems, "ok": report.ok, **given(fixed=report.fixed)}


@form
def diagnosis(diagnosis: reports.Diagnosis) -> Document:
    """Return the findings and the applied fixes."""
    head = {"findings": diagnosis.findings, "fixed": diagnosis.fixed}
    return {**head, "ok": diagnosis.is_well}


@form
def fix(fix: doctor_run.FixResult) -> Document:
    """Return an applied fix."""
    return {
        "code": fix.finding.code,
        "path": fix.finding.path or None,
        "result": fix.result,
        "backup": fix.backup or None,
    }


@form
def reflection(reflection: reflect_plan.Reflection) -> Document:
    """Return a plan."""
    return {
        "memories": reflection.memories,
        "rules": reflection.rules,
        "made_at": reflection.plan.made_at,
        "steps": reflection.plan.steps,
    }


@form
def applied(done: reflect_apply.StepResult) -> Document:
    """Return the outcome of a step of a plan."""
    result = {"result": done.action, "paths": done.paths, **given(why=done.why)}
    return {**done.step.document(), **result}


@form
def figures(written: reports.VaultReport) -> Any:
    """Return the figures of a report."""
    return report.document(written.figures)


@form
def captured_from(result: capture.CaptureResult) -> Document:
    """Return what was captured; a dry run lists candidates to judge."""
    lines = [candidate.line for candidate in result.candidates]
    return {
        "decrees": result.decrees,
        "failures": result.failures,
        "turns": result.turns,
        "skipped": result.skipped,
        "session": result.session or None,
        "format": result.format,
        **given(candidates=lines, failure=result.failure),
    }


@form
def decree(decree: captured.CapturedDecree) -> Document:
    """Return a decree and its outcome; further keys only if they have a value.

    ``id`` is that of the rule or proposal; ``decree`` depends on the conversation and
    the text alone.
    """
    return {
        "turn": decree.turn,
        "sentence": decree.sentence,
        "text": decree.text,
        "kind": decree.decree.kind,
        "tier": decree.decree.tier,
        "tools": decree.tools,
        "action": decree.action,
        "id": decree.id,
        "decree": decree.decree.id,
        "priority": decree.priority.value,
        "evidence": decree.evidence,
        **given(reason=decree.reason, path=decree.path, count=decree.times_stated),
        **given(clamped=decree.clamped, scope=decree.scope),
        **_relation(decree),
    }


def _relation(decree: captured.CapturedDecree) -> Document:
    """Return the rules that a decree is about, under a key that says how."""
    if decree.change == "amend":
        return {"amends": decree.about[0]}
    if decree.change in summary_lines.ABOUT:
        return {summary_lines.ABOUT[decree.change]: decree.about}
    return {"ids": [decree.id, *decree.about]} if decree.about and decree.id else {}


@form
def failure(note: failures.FailureNote) -> Document:
    """Return a tool that failed repeatedly in a turn."""
    return {
        "turn": note.turn,
        "tool": note.tool,
        "count": note.times,
        "total": note.total,
        "sessions": note.sessions,
        "error": note.error,
        "command": note.command or None,
        "worked": note.worked or None,
        "text": note.text,
        "action": note.action,
        "id": note.id,
        "evidence": note.evidence,
        **given(reason=note.reason, path=note.path),
    }


@form
def imported(done: transfer.ImportResult) -> Document:
    """Return the imported items."""
    summary = done.imported
    counts = Counter(outcome.action for outcome in summary.outcomes)
    return {
        "files": summary.files,
        "dry_run": done.dry_run,
        "counts": {key: counts[key] for key in transfer.ACTIONS if counts[key]},
        "items": summary.outcomes,
        "remarks": summary.remarks,
    }


@form
def outcome(outcome: import_texts.ImportOutcome) -> Document:
    """Return an imported item: a rule with its tool, a memory with its topic."""
    about: Document = {"tool": outcome.about} if outcome.kind == "rule" else {}
    if outcome.kind == "memory":
        about = {"topic": outcome.about or None}
    return {
        "kind": outcome.kind,
        "action": outcome.action,
        "id": outcome.id or None,
        "path": outcome.path or None,
        "text": outcome.text,
        "source": outcome.source,
        **given(priority=outcome.priority, reason=outcome.reason),
        **about,
    }


@form
def exported(done: transfer.ExportResult) -> Any:
    """Return a copy of the vault, the text for a program, or the outcome per file."""
    if done.document is not None:
        return done.document
    if not done.changes:
        return {"text": done.text}
    if done.files < 0:
        guards = done.unsupported
        return {"files": done.changes, "check": done.check, "unsaid": guards}
    left_out = [{"path": path, "reason": why} for path, why in done.left_out]
    return {**done.changes[0]._asdict(), "files": done.files, "left_out": left_out}


@form
def step(step: undo.UndoStep) -> Document:
    """Return a step that can be taken back."""
    paths = [file.path for file in step.files]
    head = {"id": step.id, "at": step.at, "action": step.action}
    return {**head, "rule": step.rule, "paths": paths}


@form
def vault(made: init.InitResult) -> Document:
    """Return a new vault."""
    return {
        "vault": made.root,
        "created": made.created,
        "kept": made.kept,
        "git": made.git,
        "committed": made.committed,
        "config": made.config,
        "workflow": made.workflow,
        "pointer": made.pointer,
    }
