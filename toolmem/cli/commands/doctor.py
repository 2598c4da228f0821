"""``toolmem doctor``: what is wrong here, and what helps."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from typer import Context, Option

from toolmem import __version__
from toolmem.api.reports import diagnosis_document, surroundings
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit_json, emit_lines, print_notice, show
from toolmem.cli.run import file_of
from toolmem.cli.tree import Exit, run_of
from toolmem.core.finding import Finding
from toolmem.core.formats.json_text import json_text
from toolmem.errors import UsageError
from toolmem.ops.doctor import bug_report as doctor_bundle
from toolmem.ops.doctor import run as doctor
from toolmem.store.files import outside
from toolmem.store.vault.vault import Vault


def doctor_command(
    ctx: Context,
    fix: Annotated[
        bool,
        Option("--fix", help="Fix what can be fixed automatically; backups are kept."),
    ] = False,
    deep: Annotated[
        bool,
        Option(
            "--deep",
            help="Also verify every file, git object and database page (slower).",
        ),
    ] = False,
    bundle: Annotated[
        str,
        Option(
            "--bundle",
            metavar="FILE",
            help="Write details for a bug report, without vault contents; - prints "
            "them.",
        ),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Find problems of installation, hooks, index and git."""
    if bundle == "-" and as_json:
        raise UsageError("--json and --bundle - exclude each other")
    run = run_of(ctx)
    asked = {"fix": fix, "bundle": bundle}
    run.access_for().require_allowed("doctor", asked)
    target = run.cwd / Path(bundle).expanduser()
    if file_of(bundle):
        outside.require_folder(target)
    found = run.vault_for().doctor(deep=deep)
    if fix and isinstance(found.vault, Vault):
        fixed = doctor.fix(found.vault, found.findings, surroundings(run.cwd))
        found = run.vault_for().doctor(deep=deep)._replace(fixed=fixed)
    if bundle:
        document = doctor_bundle.bundle(found.vault, found.findings, __version__)
        if file_of(bundle):
            outside.write_text(target, json_text(document) + "\n", secret=True)
        else:
            emit_json(document)
    if as_json:
        emit_json(diagnosis_document(found))
    elif bundle != "-":
        _show(found.findings, found.fixed)
    if not found.is_well:
        raise Exit(1)


def _show(found: Iterable[Finding], fixed: Iterable[doctor.FixResult]) -> None:
    for one in fixed:
        where = f" (kept in {one.backup})" if one.backup else ""
        place = f" {one.finding.path}" if one.finding.path else ""
        print_notice(show(f"{one.finding.code}{place}: {one.result}{where}"))
    lines = []
    for finding in found:
        place = f"{finding.path}: " if finding.path else ""
        shown = f"{finding.severity}: {finding.area}: {place}{finding.message}"
        lines += [show(f"{shown} [{finding.code}]"), show(f"    {finding.cure}")]
    emit_lines(lines)
    if not lines:
        print_notice("no problems found")
