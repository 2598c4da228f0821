"""``toolmem export``: what the vault says, in the files that other programs read."""

from typing import Annotated

from typer import Argument, Context, Option

from toolmem.api import notices
from toolmem.api.transfer import ExportResult, export_document
from toolmem.cli.options import AgentTypeOption, JsonFlag, ProjectOption
from toolmem.cli.output import (
    emit,
    emit_json,
    emit_lines,
    print_notice,
    print_notices,
    show,
)
from toolmem.cli.tree import Exit, run_of
from toolmem.core import limits
from toolmem.core.exports.targets import EXPORTS


def _targets(incomplete: str) -> list[str]:
    return [name for name in EXPORTS if name.startswith(incomplete)]


def export_command(
    ctx: Context,
    target: Annotated[
        str,
        Argument(
            metavar="TARGET",
            help=f"{', '.join(EXPORTS[:-1])} or {EXPORTS[-1]}.",
            autocompletion=_targets,
        ),
    ],
    project: ProjectOption = "",
    agent_type: AgentTypeOption = "",
    output: Annotated[
        str,
        Option(
            "-o",
            "--output",
            metavar="PATH",
            help="File or project folder to write to; - prints the export.",
        ),
    ] = "",
    permissions: Annotated[
        bool,
        Option(
            "--permissions/--no-permissions",
            help="Also export guards as permissions (claude and codex).",
        ),
    ] = True,
    check: Annotated[
        bool,
        Option("--check", help="Write nothing; exit 1 when a file is stale."),
    ] = False,
    private: Annotated[
        bool,
        Option("--private", help="Also export private memories (json)."),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Export the vault for other agents or as JSON."""
    vault = run_of(ctx).vault_for(project, agent_type)
    done = vault.export(
        target, output=output, permissions=permissions, check=check, private=private
    )
    print_notices(notices.export_notices(done))
    if as_json or done.document is not None:
        emit_json(export_document(done))
    elif not done.changes:
        emit(done.text)
    else:
        _show(done)
    if done.is_stale:
        raise Exit(1)


def _show(done: ExportResult) -> None:
    emit_lines(f"{one.action} {show(one.path)}" for one in done.changes)
    for one in done.unsupported:
        who = one.id[: limits.ID_SHOWN]
        print_notice(f"no permission for {who} “{show(one.rule)}”: {one.reason}")
