"""``toolmem doctor``: what is wrong here, and what helps."""

from pathlib import Path

from toolmem import __version__
from toolmem.api.documents import plain
from toolmem.api.reports import Diagnosis, surroundings
from toolmem.cli.inputs import Invocation
from toolmem.cli.operation import operation
from toolmem.cli.output import emit_json, emit_lines, print_notice, show
from toolmem.core.formats.json_text import json_text
from toolmem.errors import UsageError
from toolmem.ops.doctor import bug_report as doctor_bundle
from toolmem.ops.doctor import run as doctor_run
from toolmem.store.files import outside
from toolmem.store.vault.vault import Vault


def _diagnosed(call: Invocation) -> Diagnosis:
    """Diagnose, fix, and write what a bug report needs."""
    bundle = call.more["bundle"]
    target = call.run.cwd / Path(bundle).expanduser()
    if bundle not in ("", "-"):
        outside.require_folder(target)
    diagnosis: Diagnosis = call.perform()
    if call.more["fix"] and isinstance(diagnosis.vault, Vault):
        place = surroundings(call.run.cwd)
        fixed = doctor_run.fix(diagnosis.vault, diagnosis.findings, place)
        diagnosis = call.perform()._replace(fixed=fixed)
    if bundle:
        document = doctor_bundle.bundle(
            diagnosis.vault, diagnosis.findings, __version__
        )
        if bundle == "-":
            emit_json(document)
        else:
            outside.write_text(target, json_text(document) + "\n", secret=True)
    return diagnosis


@operation(
    "doctor", perform=_diagnosed, code=lambda diagnosis: int(not diagnosis.is_well)
)
def doctor(
    diagnosis: Diagnosis, as_json: bool, fix: bool = False, bundle: str = ""
) -> None:
    """Find problems of installation, hooks, index and git."""
    del fix
    if bundle == "-" and as_json:
        raise UsageError("--json and --bundle - exclude each other")
    if as_json:
        emit_json(plain(diagnosis))
    elif bundle != "-":
        _show(diagnosis)


def _show(diagnosis: Diagnosis) -> None:
    for fix in diagnosis.fixed:
        where = f" (kept in {fix.backup})" if fix.backup else ""
        place = f" {fix.finding.path}" if fix.finding.path else ""
        print_notice(show(f"{fix.finding.code}{place}: {fix.result}{where}"))
    lines = []
    for finding in diagnosis.findings:
        place = f"{finding.path}: " if finding.path else ""
        shown = f"{finding.severity}: {finding.area}: {place}{finding.message}"
        lines += [show(f"{shown} [{finding.code}]"), show(f"    {finding.cure}")]
    emit_lines(lines)
    if not lines:
        print_notice("no problems found")
