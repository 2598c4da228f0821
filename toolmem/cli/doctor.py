"""``toolmem doctor``: what is wrong here, and what helps."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from toolmem import __version__
from toolmem.api.json_text import json_text
from toolmem.cli.options import JsonFlag
from toolmem.cli.output import emit, emit_json, remark, show
from toolmem.cli.run import Run
from toolmem.cli.tree import run_of
from toolmem.core.finding import Finding
from toolmem.errors import ToolmemError
from toolmem.ops import doctor, doctor_bundle
from toolmem.ops.agent_install import Places
from toolmem.ops.doctor_install import this_place
from toolmem.store import outside
from toolmem.store.vault import Vault


def doctor_command(
    ctx: typer.Context,
    fix: Annotated[
        bool, typer.Option("--fix", help="Cure what can be cured; backups are kept.")
    ] = False,
    deep: Annotated[
        bool,
        typer.Option("--deep", help="Read every page, object and text: takes longer."),
    ] = False,
    bundle: Annotated[
        str,
        typer.Option(
            "--bundle",
            metavar="FILE",
            help="Write what a bug report needs, without any contents.",
        ),
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Look for what is wrong: with the installation, the vault, hooks, git, disk."""
    run = run_of(ctx)
    around = doctor.Surroundings(this_place(), _places(run))
    vault = _opened(run)
    found = doctor.examine(vault, around, deep=deep)
    fixed: tuple[doctor.Fixed, ...] = ()
    if fix and isinstance(vault, Vault):
        fixed = doctor.fix(vault, found, around)
        vault = _opened(run)
        found = doctor.examine(vault, around, deep=deep)
    if bundle:
        document = doctor_bundle.bundle(vault, found, __version__)
        outside.write_text(run.cwd / bundle, json_text(document) + "\n")
    if as_json:
        emit_json(
            {
                "findings": [finding.document() for finding in found],
                "fixed": [
                    {
                        "code": one.finding.code,
                        "path": one.finding.path or None,
                        "result": one.result,
                        "backup": one.backup or None,
                    }
                    for one in fixed
                ],
                "ok": _is_well(found),
            }
        )
    else:
        _show(found, fixed)
    if not _is_well(found):
        raise typer.Exit(1)


def _opened(run: Run) -> Vault | ToolmemError:
    try:
        return run.open()
    except ToolmemError as error:
        return error


def _places(run: Run) -> Places:
    return Places(run.cwd, Path.home(), os.environ)


def _is_well(found: Iterable[Finding]) -> bool:
    return all(finding.severity == "note" for finding in found)


def _show(found: Iterable[Finding], fixed: Iterable[doctor.Fixed]) -> None:
    for one in fixed:
        where = f" (kept in {one.backup})" if one.backup else ""
        remark(show(f"{one.finding.code} {one.finding.path}: {one.result}{where}"))
    lines = []
    for finding in found:
        place = f"{finding.path}: " if finding.path else ""
        said = f"{finding.severity}: {finding.area}: {place}{finding.message}"
        lines += [show(f"{said} [{finding.code}]"), show(f"    {finding.cure}")]
    emit("\n".join(lines))
    if not lines:
        remark("nothing is wrong")
