"""``toolmem export``: what the vault says, in the files that other programs read."""

from pathlib import Path
from typing import Annotated

import typer

from toolmem.api.json_text import json_text
from toolmem.cli.options import AgentTypeOption, JsonFlag, ProjectOption
from toolmem.cli.output import emit, emit_json, remark, show
from toolmem.cli.run import Run
from toolmem.cli.tree import run_of
from toolmem.core import limits
from toolmem.core.exports.targets import EXPORTS
from toolmem.errors import UsageError
from toolmem.ops import export_agents
from toolmem.ops.export_agents import Change, Export
from toolmem.ops.vault_copy import Copy, export_vault
from toolmem.store import outside
from toolmem.store.vault import Vault


def _targets(incomplete: str) -> list[str]:
    return [name for name in EXPORTS if name.startswith(incomplete)]


def export_command(
    ctx: typer.Context,
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help=f"{', '.join(EXPORTS[:-1])} or {EXPORTS[-1]}.",
            autocompletion=_targets,
        ),
    ],
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            metavar="PATH",
            help="The file to write into, or the project's folder; - prints it.",
        ),
    ] = "",
    permissions: Annotated[
        bool,
        typer.Option(
            "--permissions/--no-permissions",
            help="For claude and codex: also what guards forbid.",
        ),
    ] = True,
    check: Annotated[
        bool,
        typer.Option("--check", help="Write nothing; exit 1 when a file is stale."),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Export the vault: a marked section for an agent, or all of it as JSON."""
    run = run_of(ctx)
    vault = run.open(project, agent_type)
    if target == "json":
        _export_json(run, vault, bool(project), output, check, as_json)
        return
    export_agents.target_of(target)
    if output == "-":
        emit(export_agents.section_text(vault, target))
        return
    folder, file = _place(run, output)
    export = export_agents.plan_export(
        vault, target, folder, file=file, permissions=permissions
    )
    _finish(run, export, check, as_json)


def _place(run: Run, output: str) -> tuple[Path, Path | None]:
    """The project's folder, and the file where one is named."""
    path = run.cwd / Path(output).expanduser()
    if not output or path.is_dir() or output.endswith("/"):
        return path, None
    return run.cwd, path


def _finish(run: Run, export: Export, check: bool, as_json: bool) -> None:
    if not check:
        export_agents.write_export(export)
    for text in export.block.remarks:
        remark(text)
    if as_json:
        emit_json(_document(run, export, check))
    else:
        emit("\n".join(_line(run, change, check) for change in export.changes))
        for one in export.unsaid:
            who = one.id[: limits.ID_SHOWN]
            remark(f"no permission for {who} “{show(one.rule)}”: {one.reason}")
    if check and any(change.stale for change in export.changes):
        raise typer.Exit(1)


def _document(run: Run, export: Export, check: bool) -> dict[str, object]:
    files = [
        {"path": _shown(run, one.path), "action": _action(one, check)}
        for one in export.changes
    ]
    return {
        "files": files,
        "check": check,
        "unsaid": [one._asdict() for one in export.unsaid],
    }


def _line(run: Run, change: Change, check: bool) -> str:
    return f"{_action(change, check)} {show(_shown(run, change.path))}"


def _action(change: Change, check: bool) -> str:
    if not change.stale:
        return "unchanged"
    if check:
        return "stale"
    return "created" if change.before is None else "updated"


def _shown(run: Run, path: Path) -> str:
    return str(path.relative_to(run.cwd) if path.is_relative_to(run.cwd) else path)


def _export_json(
    run: Run, vault: Vault, narrowed: bool, output: str, check: bool, as_json: bool
) -> None:
    """A copy of the vault, or of the scopes of a project that was asked for."""
    scopes = [one for one in vault.chain if one.kind not in ("agent", "system")]
    path = run.cwd / Path(output).expanduser()
    copy = export_vault(vault, scopes if narrowed else (), _within(vault, path))
    for left_out, reason in copy.left_out:
        remark(f"{show(left_out)}: left out: {reason}")
    if output in ("", "-"):
        if check:
            raise UsageError("--check needs the file to look at: -o FILE")
        emit_json(copy.document)
        return
    if path.is_dir():
        raise UsageError(f"{output} is a folder: name the file")
    change = Change(path, outside.read_text(path), json_text(copy.document) + "\n")
    if change.stale and not check:
        outside.write_text(path, change.after)
    _tell_copy(run, change, copy, check, as_json)
    if check and change.stale:
        raise typer.Exit(1)


def _within(vault: Vault, path: Path) -> str:
    """The path of a file in the vault; empty for one elsewhere."""
    root, resolved = vault.root.resolve(), path.resolve()
    inside = resolved.is_relative_to(root)
    return resolved.relative_to(root).as_posix() if inside else ""


def _tell_copy(
    run: Run, change: Change, copy: Copy, check: bool, as_json: bool
) -> None:
    if as_json:
        done = {"path": _shown(run, change.path), "action": _action(change, check)}
        left_out = [{"path": path, "reason": why} for path, why in copy.left_out]
        emit_json({**done, "files": copy.files, "left_out": left_out})
    else:
        emit(_line(run, change, check))
